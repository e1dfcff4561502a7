import { FaultError, fault, judgeOn, sinceBest, type StoredModel } from '@agentgate/core';
import type { LearnOptions, Rule, Study } from '../policy/learn.ts';
import { situationAfter } from '../traces/situation.ts';
import type { Trace } from '../traces/trace.ts';
import { shipped, type StopsAfter } from './shipped.ts';

/** One row of the table. What learns is made anew from each training side. */
export interface Contender {
  name: string;
  /** Learns from all sources of the training side as if they were one project. */
  fromAll?: true;
  make(study: Study, options: LearnOptions, train: readonly Trace[]): StopsAfter;
}

const plain = (name: string, stopsAfter: StopsAfter): Contender => ({ name, make: () => stopsAfter });
const hybrid = shipped({ kind: 'hybrid' });

/** Knows which runs will be solved: those go on, all others end after the first iteration. */
const oracle: StopsAfter = ({ solved, iterations }) => (solved ? iterations.length : 1);
const horizon: StopsAfter = ({ iterations }) => iterations.length;

const learned = (name: string, only?: Rule): Contender => ({
  name,
  make: (study, options) => follow(study.model({ ...options, ...(only ? { only } : {}) })),
});

/**
 * The hazard with its limit turned so that, on the training side, it keeps as many solves as a plain strategy does:
 * what the same safety costs.
 */
const asSafeAs = (other: string, stopsAfter: StopsAfter): Contender => ({
  name: `as safe as ${other}`,
  make(study, options, train) {
    const solved = train.filter((one) => one.solved);
    const kept = solved.filter((one) => stopsAfter(one) === one.iterations.length).length;
    const target = solved.length > 0 ? kept / solved.length : 1;
    return follow(study.model({ explore: options.explore ?? 0, target, only: 'adaptive' }));
  },
});

const rivals = {
  'fixed-3': shipped({ kind: 'fixed', iterations: 3 }),
  'fixed-5': shipped({ kind: 'fixed', iterations: 5 }),
  hybrid,
  'hybrid-3+2': shipped({ kind: 'hybrid', base: 3, bonus: 2 }),
  'stall-3': stalls(3),
  ralph: shipped({ kind: 'ralph' }),
};

/** Always in the table, whatever else was asked for. */
export const standing: readonly Contender[] = [
  plain('horizon', horizon),
  plain('fixed-2', shipped({ kind: 'fixed', iterations: 2 })),
  plain('fixed-10', shipped({ kind: 'fixed', iterations: 10 })),
  ...Object.entries(rivals).flatMap(([name, stopsAfter]) => [
    plain(name, stopsAfter),
    asSafeAs(name, stopsAfter),
  ]),
  learned('tuned fixed-N', 'fixed'),
  learned('tuned stall-k', 'stall'),
  learned('hazard alone', 'adaptive'),
  learned('adaptive'),
  plain('oracle', oracle),
];

/** What other projects teach about one in which nothing was recorded yet. The product does not use it. */
export const pooled: Contender = { ...learned('from other projects', 'adaptive'), fromAll: true };

/** A contender by name, such as `fixed-4`, `stall-2`, `hybrid-2+4` or `ralph-20`. */
export function contenderOf(name: string): Contender {
  const known = standing.find((one) => one.name === name);
  if (known) return known;
  const [, kind, first, second] = /^(fixed|stall|hybrid|ralph)-(\d+)(?:\+(\d+))?$/.exec(name) ?? [];
  const number = Number(first);
  if (kind === 'fixed' && !second && number >= 1 && number <= 1000)
    return plain(name, shipped({ kind, iterations: number }));
  if (kind === 'stall' && !second && number >= 1) return plain(name, stalls(number));
  if (kind === 'ralph' && !second && number >= 1 && number <= 1000)
    return plain(name, shipped({ kind, max: number }));
  if (kind === 'hybrid' && number >= 1 && number <= 100 && Number(second ?? 0) <= 100)
    return plain(name, shipped({ kind, base: number, ...(second ? { bonus: Number(second) } : {}) }));
  const names = standing.map((one) => one.name).join(', ');
  throw new FaultError(
    fault(
      'usage',
      `there is no strategy "${name}" to evaluate: ${names}, or fixed-N, stall-K, hybrid-B+N, ralph-N`,
    ),
  );
}

/** Ends when the best score has not risen for so many iterations, the first best counted. */
function stalls(patience: number): StopsAfter {
  return ({ iterations }) => {
    let done = 1;
    while (done < iterations.length && sinceBest(iterations.slice(0, done)) < patience) done += 1;
    return done;
  };
}

/** The decisions of the product: the model's, and hybrid's where it has learned nothing. */
export function follow(model: StoredModel): StopsAfter {
  return (trace: Trace) => {
    const law = model.laws[trace.mode];
    if (!law || law.kind === 'hybrid') return hybrid(trace);
    let done = 1;
    while (done < trace.iterations.length) {
      const forecast = judgeOn(model, situationAfter(trace, done));
      if (forecast.kind === 'unlearned') return hybrid(trace);
      if (!forecast.continue) break;
      done += 1;
    }
    return done;
  };
}
