import { eyeOf, featureNames, type Hazard, priceOf, sinceBest } from '@agentgate/core';
import type { Trace } from '../traces/trace.ts';
import type { Decisions } from './decisions.ts';

/**
 * Any rule with one dial is a list of needs: how far the dial must be turned up for a run to go on after each of its
 * failing iterations. A run goes on while the dial is at least at the need, so needs never fall along a run.
 */
export type Needs = readonly Float64Array[];

export const fixedNeeds = (traces: readonly Trace[]): Needs =>
  traces.map(({ iterations }) => Float64Array.from({ length: iterations.length - 1 }, (_, at) => at + 2));

export const stallNeeds = (traces: readonly Trace[]): Needs =>
  traces.map(({ iterations }) =>
    rising(
      Float64Array.from(
        { length: iterations.length - 1 },
        (_, at) => sinceBest(iterations.slice(0, at + 1)) + 1,
      ),
    ),
  );

/** The prices of going on, by the hazard that did not see the task. */
export function priceNeeds(
  traces: readonly Trace[],
  at: Decisions,
  hazardOf: (trace: number) => Hazard,
): Needs {
  const width = featureNames.length;
  const needs = traces.map(({ iterations }) => new Float64Array(iterations.length - 1));
  for (let row = 0; row < at.count; row++) {
    const index = at.trace[row]!;
    const { model, suite, horizon } = traces[index]!;
    const hazard = hazardOf(index);
    const iteration = at.iteration[row]!;
    const from = { agent: model, suite, gate: at.gates[at.gate[row]!]!, iteration };
    const eye = eyeOf(hazard, from, at.features.subarray(row * width, (row + 1) * width));
    needs[index]![iteration - 1] = priceOf(eye, hazard.lookahead, (horizon ?? Infinity) - iteration);
  }
  return needs.map(rising);
}

/** What became of all runs under a dial. */
export interface Toll {
  /** Weighted runs that were solved in the record, and those of them that the dial would have stopped before. */
  solved: number;
  lost: number;
  /** Iterations in the record, and those that the dial would have spent. */
  recorded: number;
  spent: number;
}

export function tollOf(traces: readonly Trace[], needs: Needs, dial: number, weights: Float64Array): Toll {
  const toll = { solved: 0, lost: 0, recorded: 0, spent: 0 };
  for (const [index, { solved, iterations }] of traces.entries()) {
    const weight = weights[index]!;
    const spent = 1 + goneOn(needs[index]!, dial);
    toll.recorded += weight * iterations.length;
    toll.spent += weight * spent;
    if (!solved) continue;
    toll.solved += weight;
    if (spent < iterations.length) toll.lost += weight;
  }
  return toll;
}

/** After so many failing iterations the run still goes on. */
export function goneOn(needs: Float64Array, dial: number): number {
  let count = 0;
  while (count < needs.length && needs[count]! <= dial) count += 1;
  return count;
}

function rising(values: Float64Array): Float64Array {
  for (let at = 1; at < values.length; at++) values[at] = Math.max(values[at]!, values[at - 1]!);
  return values;
}
