import type { LevelsGate } from './level.ts';

type Sanity = NonNullable<LevelsGate['sanity']>;

/** Gathers what is worth a word, file by file. */
export interface Warnings {
  /** Whether the text of this file would be looked at. */
  wants(path: string): boolean;
  see(path: string, text: string): void;
  say(): string[];
}

const tempFile =
  /(?:^|\/)(?:[^/]*(?:~|\.(?:tmp|temp|bak|orig|rej|swp|swo))|\.DS_Store|Thumbs\.db|npm-debug\.log)$/i;
const testFile =
  /(?:^|\/)(?:tests?|specs?|__tests__|e2e)\/|[._-](?:test|spec)s?\.\w+$|(?:^|\/)test_[^/]*\.py$|_test\.(?:go|py|rb|exs|dart)$|Tests?\.(?:java|kt|cs|swift|php)$/;

const todo = /\b(?:TODO|FIXME|XXX|HACK)\b/;

/** What is left behind when somebody looked for a fault, by the ending of the file. */
const debugPrints: readonly (readonly [RegExp, RegExp])[] = [
  [/\.[cm]?[jt]sx?$/, /^[^/\n]*\b(?:console\.(?:log|debug|trace)\(|debugger\b)/m],
  [/\.py$/, /^[^#\n]*\b(?:breakpoint\(\)|i?pdb\.set_trace\(\))/m],
  [/\.rs$/, /^[^/\n]*\bdbg!\(/m],
  [/\.rb$/, /^[^#\n]*\bbinding\.(?:pry|irb)\b/m],
  [/\.php$/, /^[^/\n]*\b(?:var_dump|print_r)\(/m],
];

/** Watches for what the gate wants to be told about. None of it fails anything. */
export function watchWarnings(sanity: Sanity): Warnings {
  const found: Record<'temp' | 'debug' | 'todo', string[]> = { temp: [], debug: [], todo: [] };
  let tests = 0;
  return {
    wants: (path) => (sanity.debugPrints || sanity.todos) && !testFile.test(path) && isSource(path),
    see(path, text) {
      if (testFile.test(path)) tests++;
      if (sanity.tempFiles && tempFile.test(path)) found.temp.push(path);
      if (testFile.test(path) || !isSource(path)) return;
      if (sanity.debugPrints && printsIn(path, text)) found.debug.push(path);
      if (sanity.todos && todo.test(text)) found.todo.push(path);
    },
    say: () => [
      ...sayOf('temporary files', found.temp),
      ...sayOf('debug prints', found.debug),
      ...sayOf('open notes such as TODO', found.todo),
      ...(sanity.missingTests && tests === 0 ? ['no test files'] : []),
    ],
  };
}

const isSource = (path: string): boolean =>
  /\.(?:[cm]?[jt]sx?|py|rs|rb|php|go|java|kt|swift|c|cc|cpp|h|hpp|cs|sh)$/.test(path);

const printsIn = (path: string, text: string): boolean =>
  debugPrints.some(([ending, print]) => ending.test(path) && print.test(text));

function sayOf(what: string, paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  const first = paths.slice(0, 3).join(', ');
  return [`${what}: ${first}${paths.length > 3 ? ` and ${paths.length - 3} more` : ''}`];
}
