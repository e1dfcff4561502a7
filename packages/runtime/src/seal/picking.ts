import type { Finding } from '@agentgate/core';
import type { Known } from './runner.ts';

/** A pattern for more tests than this is longer than it is worth. */
const mostPicked = 40;

/** Options by which somebody has picked tests already. */
const ownPick =
  /^(?:-t|--testNamePattern|--test-name-pattern|-g|--grep|-f|--fgrep|-i|--invert|-k|-m|--deselect|--lf|--ff|--last-failed|--shard|--only|-o|--onlyChanged|--changed|--test-only)\b/;

/**
 * The arguments that have a runner run these tests and as few others as can be; null where they cannot be picked.
 * Too many picked are harmless. Whoever asks must see each of them in the answer before saying anything about it.
 */
export function pickingArgs({ runner, args, globs }: Known, findings: readonly Finding[]): string[] | null {
  if (findings.length === 0 || findings.length > mostPicked) return null;
  if (args.some((one) => ownPick.test(one))) return null;
  const tests = findings.map(testOf);
  if (!tests.every((one) => one !== null)) return null;
  const pattern = [...new Set(tests.map((one) => looseWords(one.name)))].join('|');
  const files = [...new Set(tests.flatMap((one) => (one.file === undefined ? [] : [one.file])))];
  // Files of ours beside files of the command's own would be taken together with them.
  const named = globs.length > 0 || args.some((one) => !one.startsWith('-') && one !== 'run');
  const within = named || tests.some((one) => one.file === undefined) ? [] : files;
  switch (runner) {
    case 'vitest':
      return [...args, ...within, '-t', pattern];
    case 'jest':
      return [...args, '-t', pattern, ...(within.length > 0 ? ['--runTestsByPath', ...within] : [])];
    case 'mocha':
      return [...args, '--grep', pattern];
    case 'node':
      return [`--test-name-pattern=/${pattern}/`, ...args];
    case 'pytest': {
      const names = tests.map((one) => /^\w+/.exec(one.name)?.[0]);
      return names.every((one) => one !== undefined)
        ? [...args, '-k', [...new Set(names)].join(' or ')]
        : null;
    }
    case 'eslint':
    case 'tsc':
      return null;
  }
}

/** The file and the last name of a test's finding. */
function testOf({ id, synthetic, load }: Finding): { file?: string; name: string } | null {
  if (synthetic || load || !id.startsWith('test:') || id.includes('…')) return null;
  const parts = id.slice('test:'.length).split(' > ');
  const name = parts.at(-1)!.replace(/ #\d+$/, '');
  if (name === '' || parts.length === 1) return name === '' ? null : { name };
  const file = parts[0]!;
  return /\.\w+$/.test(file) && !/\s/.test(file) ? { file, name } : { name };
}

/** A pattern of the words of a name: what a machine put into it, or what a pattern would act upon, may be anything. */
function looseWords(name: string): string {
  return name.replace(/[^A-Za-z_ ]+/g, '.*');
}
