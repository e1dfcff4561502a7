import * as z from 'zod';

/** A list of files as a text that can be kept. */
export const writeScope = (scope: readonly string[]): string => JSON.stringify(scope);

/** Reads a kept list of files. */
export const readScope = (text: string): string[] => z.array(z.string()).parse(JSON.parse(text));
