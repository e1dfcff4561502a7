import { resolve } from 'node:path';
import { type Application, proposeCompletions } from '@stricli/core';
import type { Context } from '../context.ts';
import { routesAfter } from './routes.ts';
import type { Word } from './word.ts';

/** Proposes words for the last of these, which may be empty. Nothing is proposed where a file name is as likely. */
export async function wordsFor(
  app: Application<Context>,
  typed: readonly string[],
  context: Context,
): Promise<Word[]> {
  const { before, partial, kept } = splitLast(typed);
  // What stands behind -- belongs to the agent.
  if (before.includes('--')) return [];
  const found = await proposeCompletions(app, [...before, partial], {
    ...context,
    cwd: directoryIn(before, context.cwd),
  });
  const routes = routesAfter(app, before).filter(({ word }) => word.startsWith(partial));
  const values = found
    .filter(({ kind }) => kind === 'argument:value')
    .map(({ completion }) => ({ word: kept + completion, brief: '' }));
  const flags = found
    .filter(({ kind, completion }) => kind === 'argument:flag' && completion !== '--words')
    .map(({ completion, brief }) => ({ word: completion, brief }));
  // Flags are many; they are shown when one is begun, or when nothing else could stand here.
  const named = [...routes, ...values];
  return partial === '' && named.length > 0 ? named : [...named, ...flags];
}

/** The words before the last, the last, and what of it stays as it is: `--flag=` of `--flag=value`. */
function splitLast(typed: readonly string[]): { before: string[]; partial: string; kept: string } {
  const last = typed.at(-1) ?? '';
  const joined = /^(--[\w-]+)=(.*)$/.exec(last);
  const before = typed.slice(0, -1);
  if (!joined) return { before, partial: last, kept: '' };
  return { before: [...before, joined[1]!], partial: joined[2]!, kept: `${joined[1]}=` };
}

/** The directory that -C names: runs and gates are those of that place. */
function directoryIn(words: readonly string[], cwd: string): string {
  const at = words.findLastIndex((word) => word === '-C' || word === '--directory');
  return resolve(cwd, words[at + 1] !== undefined && at >= 0 ? words[at + 1]! : '.');
}
