import { randomBytes } from 'node:crypto';
import type { GateRequest, Runner } from '@agentgate/core';
import { pickingArgs } from './picking.ts';

/** A gate's command, known to be a runner's. */
export interface Known {
  runner: Runner;
  /** What stands before the runner's own arguments, such as `python3 -m pytest`. */
  program: readonly string[];
  args: readonly string[];
  /** Words in which a shell fills in names of files. They go last. */
  globs: readonly string[];
}

/** What a command names of the project: the scripts of its manifest, as they were before the run. */
export type Scripts = Readonly<Record<string, string>>;

/** One word as a shell reads it: plain, or in quotes inside of which nothing is put in. */
const word = /(?:[^\s&|;<>$`(){}[\]"'\\#~=!]|'[^'\n]*'|"[^"$`\\!\n]*"|(?<=[\w-])=)+/y;

/**
 * Recognises a command that does nothing but run tests, looking through one script of a manifest. What cannot be
 * read with certainty is no known one.
 */
export function knownRunner(run: string | readonly string[], scripts: Scripts): Known | null {
  const words = wordsOf(run);
  if (words === null) return null;
  const named = scriptOf(words);
  if (named === null) return fromWords(words);
  const { name, rest } = named;
  // What runs before and after a script belongs to it.
  if (`pre${name}` in scripts || `post${name}` in scripts || !Object.hasOwn(scripts, name)) return null;
  const inner = wordsOf(scripts[name]!);
  if (inner === null || scriptOf(inner) !== null) return null;
  return fromWords({ words: [...inner.words, ...rest], globs: [...inner.globs, ...words.globs] });
}

/** The words of a command, and apart from them those in which a shell fills in names of files. */
interface Words {
  words: readonly string[];
  globs: readonly string[];
}

function wordsOf(run: string | readonly string[]): Words | null {
  return typeof run === 'string' ? shellWords(run) : { words: [...run], globs: [] };
}

/** A pattern of files in the project, with nothing in it that a shell reads otherwise. */
const isGlob = (text: string): boolean => /^\w[\w@./*?-]*$/.test(text) && /[*?]/.test(text);

const quotedParts = /'([^']*)'|"([^"]*)"/g;

/** The words of a command; null where a shell would do more than split it. */
function shellWords(run: string): Words | null {
  const words: string[] = [];
  const globs: string[] = [];
  const text = run.trim();
  for (let at = 0; at < text.length; ) {
    word.lastIndex = at;
    const found = word.exec(text)?.[0];
    if (found === undefined || (words.length === 0 && found.includes('='))) return null;
    if (!/[*?]/.test(found.replace(quotedParts, '')))
      words.push(found.replace(quotedParts, (_, single, double) => single ?? double));
    else if (words.length > 0 && isGlob(found)) globs.push(found);
    else return null;
    at += found.length;
    const gap = /^\s+/.exec(text.slice(at))?.[0].length ?? 0;
    if (gap === 0 && at < text.length) return null;
    at += gap;
  }
  return words.length === 0 ? null : { words, globs };
}

/** `npm test`, `npm run unit -- --bail`, `yarn test`, `pnpm run test`. */
function scriptOf({ words }: Words): { name: string; rest: string[] } | null {
  const [program, verb, ...more] = words;
  if (program !== 'npm' && program !== 'pnpm' && program !== 'yarn') return null;
  if (verb === 'run' || verb === 'run-script') {
    const [name, ...after] = more;
    return name === undefined || name.startsWith('-') ? null : { name, rest: withoutDashes(after) };
  }
  if (verb === 'test' || verb === 't') return { name: 'test', rest: withoutDashes(more) };
  return null;
}

const withoutDashes = (words: readonly string[]): string[] =>
  words[0] === '--' ? words.slice(1) : [...words];

const launchers: readonly (readonly string[])[] = [
  ['npx', '--no-install'],
  ['npx', '--no'],
  ['npx'],
  ['pnpm', 'exec'],
  ['pnpm'],
  ['yarn', 'exec'],
  ['yarn'],
];

function fromWords({ words: all, globs }: Words): Known | null {
  const launcher = launchers.find((one) => one.every((word, at) => all[at] === word));
  const words = all.slice(launcher?.length ?? 0);
  const [program = '', second, third] = words;
  const name = program.replace(/^(?:\.\/)?node_modules\/\.bin\//, '');
  if (name === 'vitest' || name === 'jest' || name === 'mocha')
    return asked(name, [name], words.slice(1), globs);
  if (name === 'node' && words.includes('--test')) return asked('node', ['node'], words.slice(1), globs);
  if (name === 'pytest' || name === 'py.test') return asked('pytest', [program], words.slice(1), globs);
  if (name === 'eslint' || name === 'tsc')
    return words.some((one) => ownModes.test(one)) ? null : asked(name, [name], words.slice(1), globs);
  if (/^python3?$/.test(name) && second === '-m' && third === 'pytest')
    return asked('pytest', [program, '-m', 'pytest'], words.slice(3), globs);
  return null;
}

/** Ways of running a linter or a compiler that do not look at the files once, or report as somebody else wants it. */
const ownModes =
  /^(?:-b|--build|--showConfig|--init|--listFilesOnly|--incremental|--tsBuildInfoFile|-i|--format|-f|-o|--stdin|--fix|--fix-dry-run|--print-config|--inspect-config|--env-info)(?:=|$)/;

/** Reports that somebody else has asked for, and modes that never end, are left alone. */
const ownReports =
  /^(?:--reporter|-R|--json|--outputFile|--output-file|--test-reporter|--junit-?xml|--watch|-w|--ui|watch|dev|bench|list|--list-tests|--collect-only|--co)\b/;

function asked(
  runner: Runner,
  program: readonly string[],
  args: readonly string[],
  globs: readonly string[],
): Known | null {
  return args.some((one) => ownReports.test(one)) ? null : { runner, program, args, globs };
}

/**
 * The gate with its runner asked for a report of ours, at a place that nobody knows beforehand. Where only some
 * findings are asked about and the runner can pick them, nothing else is run.
 */
export function reporting(request: GateRequest, known: Known): { request: GateRequest; picked: boolean } {
  const { gate, only } = request;
  if (gate.kind !== 'command') return { request, picked: false };
  const path = `/tmp/agentgate-report-${randomBytes(8).toString('hex')}`;
  const args = only ? pickingArgs(known, only) : null;
  const run = reportingWords(args ? { ...known, args } : known, path);
  const format = reportFormats[known.runner];
  const own =
    format === 'tsc'
      ? { gate: { ...gate, run, report: format }, ownScope: path }
      : { gate: { ...gate, run, report: { format, path } }, ownReport: path };
  return { request: { ...request, ...own }, picked: args !== null };
}

/** The format in which each runner is asked to report. */
const reportFormats = {
  vitest: 'vitest',
  jest: 'jest',
  mocha: 'mocha',
  node: 'junit',
  pytest: 'junit',
  eslint: 'eslint',
  // What it finds is read from what it prints; the place of ours takes the list of files.
  tsc: 'tsc',
} as const satisfies Record<Runner, string>;

/** The command with a report of ours asked for: words for the program itself, no script of the project between. */
export function reportingWords({ runner, program, args, globs }: Known, path: string): string[] {
  const line = ['PATH="$PWD/node_modules/.bin:$PATH" exec "$@"', ...globs].join(' ');
  return ['/bin/sh', '-c', line, 'sh', ...program, ...added()];

  function added(): readonly string[] {
    switch (runner) {
      case 'vitest': {
        const run = args[0] === 'run' || args.includes('--run') ? args : ['run', ...args];
        return [...run, '--reporter=default', '--reporter=json', `--outputFile.json=${path}`];
      }
      case 'jest':
        return [...args, '--ci', '--json', `--outputFile=${path}`];
      case 'mocha':
        return [...args, '--reporter', 'json', '--reporter-option', `output=${path}`];
      case 'node':
        return [
          '--test-reporter=spec',
          '--test-reporter-destination=stdout',
          '--test-reporter=junit',
          `--test-reporter-destination=${path}`,
          ...args,
        ];
      case 'pytest':
        return [...args, '-p', 'no:cacheprovider', `--junitxml=${path}`];
      case 'eslint':
        return [...args, '--format', 'json', '--output-file', path];
      case 'tsc':
        return [...args, '--incremental', '--tsBuildInfoFile', path];
    }
  }
}
