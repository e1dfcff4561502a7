import { extname, relative } from 'node:path';
import { FaultError, fault } from '@agentgate/core';
import { readRegularFile } from '../regular-file.ts';
import { readLocated } from './locate.ts';
import { readCode } from './typescript.ts';

type Path = readonly (string | number)[];

export interface LocatedProblem {
  /** `agentgate.yaml:4:12` or `--max-iterations`. */
  where: string;
  path: string;
  message: string;
}

/** A file that says something about a run, with the place of everything in it. */
export interface SpecSource {
  /** The file as a person in the project would call it. */
  label: string;
  value: unknown;
  /** Why there is no value. */
  problems: LocatedProblem[];
  where(path: Path, inName?: boolean): string;
}

const codeEndings = ['.ts', '.mts', '.js', '.mjs'];

/** What a spec or a profile may be written in. */
export const endings = ['.yaml', '.yml', '.json', ...codeEndings];

export const isCode = (path: string): boolean => codeEndings.includes(extname(path));

/** Reads YAML, JSON or code. Mistakes of the writing are values; a file that cannot be had is a fault. */
export async function readSource(root: string, path: string): Promise<SpecSource> {
  const label = labelOf(root, path);
  const text = readText(path);
  const { value, problems, locate } = isCode(path) ? await readCode(path, text) : readLocated(text);
  const place = ({ line, column }: { line: number; column: number }, file = label) =>
    `${file}:${line}:${column}`;
  return {
    label,
    value,
    problems: problems.map(({ message, path: at = [], file, ...spot }) => ({
      where: place(spot, file === undefined ? label : labelOf(root, file)),
      path: at.join('.'),
      message,
    })),
    where: (at, inName) => place(locate(at, inName)),
  };
}

export function labelOf(root: string, path: string): string {
  const way = relative(root, path);
  return way === '' || way.startsWith('..') ? path : way;
}

export function readText(path: string): string {
  const text = readRegularFile(path);
  if (text === null)
    throw new FaultError(fault('spec.missing', `cannot read ${path}; it must be a plain file`));
  return text;
}
