import { FaultError, fault, judgeOn } from '@agentgate/core';
import { type Study, study } from '../policy/learn.ts';
import { situationAfter } from '../traces/situation.ts';
import { type Trace, taskKey } from '../traces/trace.ts';
import { bootstrap, type Intervals } from './bootstrap.ts';
import { type Calibration, calibrationOf, type Foretold } from './calibration.ts';
import { type Contender, contenderOf, pooled, standing } from './contenders.ts';
import type { StopsAfter } from './shipped.ts';
import { type Lack, lackOf, missingText } from './lack.ts';
import type { Split } from './split.ts';
import { addTally, emptyTally, type Figures, figuresOf, macroOf, type Tally } from './tally.ts';

export interface EvaluateOptions {
  target: number;
  value?: { solveUsd: number; iterationUsd: number };
  /** Further rows beside those that are always there. */
  strategies?: readonly string[];
}

export interface Row extends Figures {
  strategy: string;
  intervals: Intervals;
  /** The cost of what was run, where the traces tell it. */
  costUsd: number | null;
  tokens: number | null;
  solved: number;
  /** Iterations spent, in the share of what the source's own tuned fixed-N spends. */
  besideTunedFixed: number;
}

export interface SourceTable {
  source: string;
  runs: number;
  tasks: number;
  /** Runs solved at the horizon. */
  solved: number;
  /** Which rules were learned on the training sides, and how often. */
  learned: Record<string, number>;
  /** How much was missing where too little was recorded to learn from, in sentences. */
  missing: string[];
  rows: Row[];
  calibration: Calibration | null;
}

export interface Evaluation {
  v: 1;
  target: number;
  mode: 'retention' | 'value';
  runs: number;
  sources: SourceTable[];
  /** Means over sources: of those with ten attempts and more, and of all. */
  macro: {
    over: 'ten-attempts' | 'all';
    sources: string[];
    rows: Omit<Row, 'costUsd' | 'tokens' | 'solved'>[];
  }[];
}

/** Judges every contender on the test side of every split, having learned from its training side only. */
export function evaluate(splits: readonly Split[], options: EvaluateOptions): Evaluation {
  const test = splits.flatMap((one) => one.test);
  if (test.length === 0) throw new FaultError(fault('usage', 'there are no traces to judge'));
  const contenders = rowsOf(splits, options.strategies ?? []);
  const ledger = new Ledger(contenders.map(({ name }) => name));
  for (const split of splits) judgeSplit(split, contenders, options, ledger);
  return ledger.close(options);
}

function rowsOf(splits: readonly Split[], asked: readonly string[]): Contender[] {
  const extra = asked.map(contenderOf).filter((one) => standing.every(({ name }) => name !== one.name));
  const isNew = splits.every(({ train, test }) => {
    const known = sourcesOf(train);
    return sourcesOf(test).every((one) => !known.includes(one));
  });
  return [...standing.slice(0, -1), ...extra, ...(isNew ? [pooled] : []), standing.at(-1)!];
}

function judgeSplit(
  split: Split,
  contenders: readonly Contender[],
  options: EvaluateOptions,
  ledger: Ledger,
): void {
  let everything: Study | null = null;
  for (const source of sourcesOf(split.test)) {
    const test = split.test.filter((one) => one.source === source);
    const train = split.train.filter((one) => one.source === source);
    const own = studyOnce(split, source, train);
    for (const { name, make, fromAll } of contenders) {
      if (fromAll) everything ??= study(split.train);
      const stopsAfter = fromAll ? make(everything!, options, split.train) : make(own, options, train);
      for (const trace of test) ledger.count(name, trace, stopsAfter);
    }
    ledger.foretell(source, own, test, options);
    ledger.miss(source, lackOf(own.model(options), test));
  }
}

const studies = new WeakMap<Split, Map<string, Study>>();

/** The same split is judged for several targets, and what was learned does not depend on them. */
function studyOnce(split: Split, source: string, train: readonly Trace[]): Study {
  const known = entryOf(studies, split);
  return entry(known, source, () => study(train));
}

/** Adds up what every contender did, by source and task. */
class Ledger {
  private readonly tallies = new Map<string, Map<string, Map<string, Tally>>>();
  private readonly foretold = new Map<string, Foretold[]>();
  private readonly learned = new Map<string, Record<string, number>>();
  private readonly lacks = new Map<string, Lack[]>();
  private readonly traces = new Map<string, Trace[]>();

  private readonly names: readonly string[];

  constructor(names: readonly string[]) {
    this.names = names;
  }

  count(name: string, trace: Trace, stopsAfter: StopsAfter): void {
    const bySource = entry(this.tallies, trace.source, () => new Map<string, Map<string, Tally>>());
    const byTask = entry(bySource, name, () => new Map<string, Tally>());
    addTally(entry(byTask, taskKey(trace), emptyTally), tallyOf(trace, stopsAfter(trace)));
    if (name === this.names[0]) entry(this.traces, trace.source, () => [] as Trace[]).push(trace);
  }

  foretell(source: string, own: Study, test: readonly Trace[], options: EvaluateOptions): void {
    const kinds = entry(this.learned, source, () => ({}) as Record<string, number>);
    const model = own.model(options);
    for (const mode of new Set(test.map((one) => one.mode))) {
      const kind = model.laws[mode]?.kind ?? 'hybrid';
      kinds[kind] = (kinds[kind] ?? 0) + 1;
    }
    const all = entry(this.foretold, source, () => [] as Foretold[]);
    for (const trace of test) {
      for (let done = 1; done < trace.iterations.length; done++) {
        const forecast = judgeOn(model, situationAfter(trace, done));
        if (forecast.kind === 'unlearned') break;
        all.push({ chance: forecast.chance, passed: trace.iterations[done]!.ok });
      }
    }
  }

  miss(source: string, lack: Lack): void {
    entry(this.lacks, source, () => [] as Lack[]).push(lack);
  }

  close({ target, value }: EvaluateOptions): Evaluation {
    const sources = [...this.tallies.keys()].sort();
    const long = sources.filter((source) => hasTenAttempts(this.traces.get(source) ?? []));
    const macros = [
      { over: 'ten-attempts' as const, sources: long },
      { over: 'all' as const, sources },
    ].filter((one) => one.sources.length > 0);
    const bounds = this.bounds(sources, macros);
    return {
      v: 1,
      target,
      mode: value ? 'value' : 'retention',
      runs: [...this.traces.values()].reduce((sum, { length }) => sum + length, 0),
      sources: sources.map((source) => this.table(source, bounds, target)),
      macro: macros.map(({ over, sources: of }) => ({
        over,
        sources: of,
        rows: this.names.map((strategy) => ({
          strategy,
          ...this.mean(of, strategy),
          besideTunedFixed: Math.max(...of.map((source) => this.besideTunedFixed(source, strategy))),
          intervals: bounds.get(strategy)!.macro.get(over)!,
        })),
      })),
    };
  }

  /** Where the oracle saves nothing, nobody has a share of it, and the mean of shares is over the others. */
  private mean(sources: readonly string[], strategy: string): Figures {
    const totals = sources.map((source) => this.total(source, strategy));
    const open = totals.filter((one) => one.horizonIterations > one.oracleIterations);
    const { oracleShare } = macroOf((open.length > 0 ? open : totals).map(figuresOf));
    return { ...macroOf(totals.map(figuresOf)), oracleShare };
  }

  private bounds(sources: readonly string[], macros: readonly { over: string; sources: string[] }[]) {
    return new Map(
      this.names.map((strategy) => {
        const tasks = new Map(
          sources.map((one) => [one, [...this.tallies.get(one)!.get(strategy)!.values()]]),
        );
        const drawn = macros.map(({ over, sources: of }) => [over, bootstrap(tasks, new Set(of))] as const);
        return [
          strategy,
          {
            bySource: drawn[0]![1].bySource,
            macro: new Map(drawn.map(([over, { macro }]) => [over, macro])),
          },
        ];
      }),
    );
  }

  private table(source: string, bounds: ReturnType<Ledger['bounds']>, target: number): SourceTable {
    const traces = this.traces.get(source) ?? [];
    const isPriced = traces.some(({ iterations }) =>
      iterations.some((one) => typeof one.costUsd === 'number'),
    );
    const isMetered = traces.some(({ iterations }) =>
      iterations.some((one) => typeof one.tokens === 'number'),
    );
    return {
      source,
      runs: traces.length,
      tasks: this.tallies.get(source)!.get(this.names[0]!)!.size,
      solved: traces.filter((one) => one.solved).length,
      learned: this.learned.get(source) ?? {},
      missing: missingText(this.lacks.get(source) ?? [], target),
      rows: this.names.map((strategy) => {
        const total = this.total(source, strategy);
        return {
          strategy,
          ...figuresOf(total),
          solved: total.kept,
          costUsd: isPriced ? total.costUsd : null,
          tokens: isMetered ? total.tokens : null,
          besideTunedFixed: this.besideTunedFixed(source, strategy),
          intervals: bounds.get(strategy)!.bySource.get(source)!,
        };
      }),
      calibration: calibrationOf(this.foretold.get(source) ?? []),
    };
  }

  private besideTunedFixed(source: string, strategy: string): number {
    return this.total(source, strategy).iterations / this.total(source, 'tuned fixed-N').iterations;
  }

  private total(source: string, strategy: string): Tally {
    const total = emptyTally();
    for (const one of this.tallies.get(source)!.get(strategy)!.values()) addTally(total, one);
    return total;
  }
}

function tallyOf({ solved, iterations }: Trace, stop: number): Tally {
  const spent = iterations.slice(0, stop);
  return {
    runs: 1,
    solved: Number(solved),
    kept: Number(solved && spent.length === iterations.length),
    iterations: spent.length,
    horizonIterations: iterations.length,
    oracleIterations: solved ? iterations.length : 1,
    costUsd: spent.reduce((sum, one) => sum + (one.costUsd ?? 0), 0),
    tokens: spent.reduce((sum, one) => sum + (one.tokens ?? 0), 0),
  };
}

/** Whether most of its runs were allowed ten iterations or more. */
function hasTenAttempts(traces: readonly Trace[]): boolean {
  return traces.filter(({ horizon }) => horizon !== null && horizon >= 10).length * 2 > traces.length;
}

const sourcesOf = (traces: readonly Trace[]): string[] =>
  [...new Set(traces.map((one) => one.source))].sort();

function entryOf(map: WeakMap<Split, Map<string, Study>>, split: Split): Map<string, Study> {
  const known = map.get(split) ?? new Map<string, Study>();
  map.set(split, known);
  return known;
}

function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
