import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildCommand } from '@stricli/core';
import { FaultError, fault } from '@agentgate/core';
import type { Evaluation, Split, Trace } from '@agentgate/lab';
import { type Context, guarded } from '../../context.ts';
import { exitCode } from '../../exit-code.ts';
import { oneOf, parsed, repeated } from '../../flag.ts';

interface Flags {
  train?: readonly string[];
  test?: readonly string[];
  folds?: string;
  by?: 'task' | 'source' | 'model';
  strategy?: readonly string[];
  target?: string;
  solveValue?: string;
  iterationCost?: string;
  skipBad?: boolean;
  json?: boolean;
}

const act = guarded(async function labEvaluate(this: Context, flags: Flags, ...files: string[]) {
  // Loaded here, so that no other command pays for it.
  const lab = await import('@agentgate/lab');
  const value = valueOf(flags);
  const target = shareOf(flags.target ?? '0.99');
  const read = (names: readonly string[]): Trace[] => {
    const paths = names.flatMap((name) => tracesIn(this.cwd, name));
    const { traces, skipped } = lab.readTraces(paths, { onBadLine: flags.skipBad ? 'skip' : 'refuse' });
    for (const { file, line, message } of skipped)
      this.terminal.err(`agentgate: left out ${file}:${line}: ${message}`);
    return traces;
  };
  const splits = splitsOf(lab, flags, files, read, (text) => this.terminal.err(text));
  const strategies = (flags.strategy ?? []).flatMap((one) => one.split(','));
  const evaluation = lab.evaluate(splits, { target, strategies, ...(value ? { value } : {}) });
  this.terminal.out(
    flags.json ? JSON.stringify({ kind: 'evaluation', ...evaluation }) : textOf(lab, evaluation),
  );
  return exitCode.ok;
});

function splitsOf(
  lab: typeof import('@agentgate/lab'),
  flags: Flags,
  files: readonly string[],
  read: (names: readonly string[]) => Trace[],
  say: (text: string) => void,
): Split[] {
  const train = [...(flags.train ?? []), ...files];
  if (train.length === 0)
    throw usage('name files of traces: lab evaluate --folds 5 FILES, or --train FILES --test FILES');
  if (flags.test === undefined) {
    const by = flags.by ?? 'task';
    const asked = flags.folds === undefined && by === 'source' ? 2 : wholeOf('--folds', flags.folds ?? '5');
    return lab.splitFolds(read(train), asked, by);
  }
  if (flags.folds !== undefined || flags.by !== undefined)
    throw usage('--folds and --by split one pile of traces; with --test there is nothing to split');
  if (flags.train !== undefined && files.length > 0)
    throw usage(`say --train or --test right before ${files.join(' ')}: is it learned from, or judged?`);
  const { split, dropped } = lab.splitApart(read(train), read(flags.test));
  if (dropped > 0)
    say(`agentgate: ${dropped} runs to learn from are left out, because their tasks are judged`);
  return [split];
}

function textOf(lab: typeof import('@agentgate/lab'), evaluation: Evaluation): string {
  const aim =
    evaluation.mode === 'value'
      ? 'while a solve is worth its price'
      : `aimed at ${Number((evaluation.target * 100).toPrecision(6))} % of the solved runs (of runs, not of tasks)`;
  return `${evaluation.runs} runs, ${aim}\n\n${lab.tablesOf(evaluation)}`;
}

/** A file as it is, or all traces in a directory. */
function tracesIn(cwd: string, name: string): string[] {
  const path = resolve(cwd, name);
  if (!existsSync(path) || !statSync(path).isDirectory()) return [path];
  const found = readdirSync(path).filter((file) => /\.jsonl(\.gz)?$/.test(file));
  if (found.length === 0)
    throw usage(`there are no traces in ${path}: files that end in .jsonl or .jsonl.gz`);
  return found.sort().map((file) => join(path, file));
}

function valueOf({ solveValue, iterationCost }: Flags): { solveUsd: number; iterationUsd: number } | null {
  if (solveValue === undefined && iterationCost === undefined) return null;
  const [solveUsd, iterationUsd] = [Number(solveValue), Number(iterationCost)];
  if (!(solveUsd > 0) || !(iterationUsd > 0) || !Number.isFinite(solveUsd / iterationUsd))
    throw usage('--solve-value and --iteration-cost belong together: dollars, both above zero');
  return { solveUsd, iterationUsd };
}

function shareOf(text: string): number {
  const share = text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text);
  if (text.trim() === '' || !(share > 0 && share < 1))
    throw usage(`--target is a share between 0 and 1, such as 0.99; it was "${text}"`);
  return share;
}

function wholeOf(flag: string, text: string): number {
  if (!/^\d{1,3}$/.test(text) || Number(text) < 2)
    throw usage(`${flag} is a whole number of 2 at least; it was "${text}"`);
  return Number(text);
}

const usage = (message: string) => new FaultError(fault('usage', message));

export const labEvaluate = buildCommand({
  func: act,
  parameters: {
    positional: {
      kind: 'array',
      parameter: { parse: String, brief: 'files of traces, or directories of them', placeholder: 'files' },
    },
    flags: {
      train: repeated('learn from these traces', 'files'),
      test: repeated('judge on these traces', 'files'),
      folds: parsed('split one pile of traces into so many folds (5)', 'n'),
      by: oneOf('what no fold may know of its test: task, source or model (task)', [
        'task',
        'source',
        'model',
      ]),
      strategy: repeated('rows beside those that are always there, such as fixed-4,hybrid-2+3', 'names'),
      target: parsed('the share of solves to keep (0.99)', 'share'),
      solveValue: parsed('what a solve is worth in dollars; the price decides then', 'usd'),
      iterationCost: parsed('what an iteration costs in dollars', 'usd'),
      skipBad: {
        kind: 'boolean',
        brief: 'leave malformed lines out and name them',
        optional: true,
        withNegated: false,
      },
      json: { kind: 'boolean', brief: 'print JSON for machines', optional: true, withNegated: false },
    },
  },
  docs: {
    brief: 'judge strategies on traces that they did not learn from',
    fullDescription: [
      'Replays every trace under every strategy: what would still have been solved, and what would have been spent.',
      'No task is ever both learned from and judged. The format of traces is in docs/traces.md.',
      '',
      'Example:',
      '  agentgate lab evaluate --folds 5 traces.jsonl.gz',
      '  agentgate lab evaluate --train old.jsonl --test new.jsonl --target 0.97 --json',
    ].join('\n'),
  },
});
