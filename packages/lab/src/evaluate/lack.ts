import { enoughOfAgent, enoughSolvedLater, judgeOn, solvesFor, type StoredModel } from '@agentgate/core';
import { situationAfter } from '../traces/situation.ts';
import type { Trace } from '../traces/trace.ts';

/** What one training side was short of for what was judged by it. */
export interface Lack {
  /** So many runs solved after their first iteration are missing before anything is learned. */
  solvedLater: number;
  /** Solves on record, where they are too few for the promise; null where they are enough, or a price decides. */
  solved: number | null;
  /** Failing runs that hybrid decided, because their agents were hardly met. */
  strangers: number;
}

export function lackOf(model: StoredModel, test: readonly Trace[]): Lack {
  const used = new Set(test.map(({ mode }) => mode));
  const lacks = [...used].map((mode) => {
    const law = model.laws[mode];
    const solvedLater = law?.kind === 'hybrid' ? law.lacking : law ? 0 : enoughSolvedLater;
    return { solvedLater, solved: law?.short?.solves ?? null };
  });
  const few = lacks.flatMap(({ solved }) => (solved === null ? [] : [solved]));
  return {
    solvedLater: Math.max(...lacks.map(({ solvedLater }) => solvedLater)),
    solved: few.length > 0 ? Math.min(...few) : null,
    strangers: test.filter((one) => isOfStranger(model, one)).length,
  };
}

function isOfStranger(model: StoredModel, trace: Trace): boolean {
  const law = model.laws[trace.mode];
  if (!law || law.kind === 'hybrid' || trace.iterations.length < 2) return false;
  return judgeOn(model, situationAfter(trace, 1)).kind === 'unlearned';
}

/** How much is missing, over all training sides; nothing where all had enough. */
export function missingText(lacks: readonly Lack[], target: number): string[] {
  const blank = lacks.filter(({ solvedLater }) => solvedLater > 0);
  const few = lacks.flatMap(({ solved }) => (solved === null ? [] : [solved]));
  const strangers = lacks.reduce((sum, one) => sum + one.strangers, 0);
  const most = Math.max(0, ...blank.map(({ solvedLater }) => solvedLater));
  return [
    ...(blank.length > 0
      ? [
          `from ${blank.length} of ${lacks.length} training sides nothing was learned, and hybrid decided: at most ${most} more runs that were solved after their first iteration are missing`,
        ]
      : []),
    ...(few.length > 0
      ? [
          `${Number((100 * target).toPrecision(6))} % can be promised from ${solvesFor(target)} solves on, and ${few.length} of ${lacks.length} training sides had fewer, the smallest ${Math.min(...few)}: a rule was taken there only if it gives up none of them, and saves 3 % more than hybrid or hybrid plainly breaks the promise`,
        ]
      : []),
    ...(strangers > 0
      ? [
          `hybrid decided ${strangers} runs of agents of which fewer than ${enoughOfAgent} failing runs were learned from`,
        ]
      : []),
  ];
}
