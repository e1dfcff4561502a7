import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { FaultError, fault } from '@agentgate/core';
import type { Context } from './context.ts';

/** Writes what a command made to the file that was named for it; `what` is its name in the refusal. */
export function writeOut(
  { cwd }: Context,
  file: string,
  what: string,
  { content, mode }: { content: string | Uint8Array; mode?: number },
): void {
  const path = resolve(cwd, file);
  try {
    writeFileSync(path, content, { mode });
  } catch (error) {
    const why = `cannot write the ${what} to ${path}; name a file in a folder that is there and can be written`;
    throw new FaultError(fault('usage', why, error));
  }
}
