import { enoughOfAgent, featureNames, type Hazard } from '@agentgate/core';
import { type Decisions, farthest } from './decisions.ts';
import { type Rates, ratesOf } from './rates.ts';
import { solveSymmetric } from './solve.ts';

/** What a fit may be told beside the decisions. */
export interface FitOptions {
  /** Which decisions it may see. */
  use: (row: number) => boolean;
  /** Coefficients to begin with, of a fit to nearly the same decisions. */
  from?: Coefficients;
  /** So many steps of Newton's at most. */
  steps?: number;
}

export interface Fitted {
  hazard: Hazard;
  coefficients: Coefficients;
}

/** Level and slope for each column of the design. */
type Coefficients = Float64Array;

/** Features, the gate's rate, and the constant. */
const columns = featureNames.length + 2;
const gateColumn = featureNames.length;
const penalty = { level: 20, slope: 40, constant: 0.1 };
const largestStep = 3;

/**
 * Fits the chance that each of the next iterations passes: logistic, with the rates of the group as the ground on which
 * the features stand, and a ridge which draws every weight to nothing. Thin records so end near the plain rates.
 */
export function fitHazard(at: Decisions, { use, from, steps = 12 }: FitOptions): Fitted {
  const rates = ratesOf(at, use);
  const scaling = scaleOf(at, use);
  const design = designOf(at, rates, scaling);
  const found = from ? Float64Array.from(from) : new Float64Array(2 * columns);
  for (let step = 0; step < steps; step++) {
    const move = newtonStep(at, design, rates, found, use);
    let largest = 0;
    for (let i = 0; i < found.length; i++) {
      const by = Math.max(-largestStep, Math.min(largestStep, move[i]!));
      found[i]! += by;
      largest = Math.max(largest, Math.abs(by));
    }
    if (largest < 1e-3) break;
  }
  return { hazard: hazardOf(at, rates, scaling, found, use), coefficients: found };
}

interface Scaling {
  means: Float64Array;
  scales: Float64Array;
}

function scaleOf(at: Decisions, use: (row: number) => boolean): Scaling {
  const p = featureNames.length;
  const means = new Float64Array(p);
  const squares = new Float64Array(p);
  let total = 0;
  for (let row = 0; row < at.count; row++) {
    if (!use(row)) continue;
    total += 1;
    for (let i = 0; i < p; i++) {
      const value = at.features[row * p + i]!;
      means[i]! += value;
      squares[i]! += value * value;
    }
  }
  total = Math.max(1, total);
  for (let i = 0; i < p; i++) means[i]! /= total;
  const scales = squares.map((square, i) => Math.sqrt(Math.max(0, square / total - means[i]! ** 2)));
  // What never varied says nothing; a scale of one keeps it at nothing.
  return { means, scales: scales.map((scale) => (scale < 1e-6 ? 1 : scale)) };
}

function designOf(at: Decisions, rates: Rates, { means, scales }: Scaling): Float64Array {
  const p = featureNames.length;
  const design = new Float64Array(at.count * columns);
  for (let row = 0; row < at.count; row++) {
    for (let i = 0; i < p; i++)
      design[row * columns + i] = (at.features[row * p + i]! - means[i]!) / scales[i]!;
    design[row * columns + gateColumn] = rates.gates[at.gate[row]!]!;
    design[row * columns + columns - 1] = 1;
  }
  return design;
}

const logs = Float64Array.from({ length: farthest + 1 }, (_, ahead) => Math.log(Math.max(1, ahead)));

/**
 * One step. All iterations ahead of one decision share their features, so their weights are added up first and the
 * features are multiplied out once.
 */
function newtonStep(
  at: Decisions,
  design: Float64Array,
  rates: Rates,
  found: Coefficients,
  use: (row: number) => boolean,
): Float64Array {
  const size = 2 * columns;
  const matrix = new Float64Array(size * size);
  const gradient = new Float64Array(size);
  for (let row = 0; row < at.count; row++) {
    if (!use(row)) continue;
    const start = row * columns;
    let level = 0;
    let slope = 0;
    for (let i = 0; i < columns; i++) {
      level += found[i]! * design[start + i]!;
      slope += found[columns + i]! * design[start + i]!;
    }
    const series = rates.groups[at.group[row]!]!;
    const last = series.length - 1;
    const far = at.ahead[row]!;
    const weight = at.weight[row]!;
    let [r0, r1, h0, h1, h2] = [0, 0, 0, 0, 0];
    for (let ahead = 1; ahead <= far; ahead++) {
      const log = logs[ahead]!;
      const rate = series[Math.min(at.iteration[row]! + ahead - 2, last)]!;
      const chance = 1 / (1 + Math.exp(-(rate + level + slope * log)));
      const rest = weight * ((ahead === far ? at.passed[row]! : 0) - chance);
      const curve = weight * chance * (1 - chance);
      r0 += rest;
      r1 += rest * log;
      h0 += curve;
      h1 += curve * log;
      h2 += curve * log * log;
    }
    for (let i = 0; i < columns; i++) {
      const x = design[start + i]!;
      if (x === 0) continue;
      gradient[i]! += r0 * x;
      gradient[columns + i]! += r1 * x;
      const [a, b, c] = [h0 * x, h1 * x, h2 * x];
      const top = i * size;
      const low = (columns + i) * size;
      for (let k = 0; k <= i; k++) {
        const z = design[start + k]!;
        matrix[top + k]! += a * z;
        matrix[low + columns + k]! += c * z;
      }
      for (let k = 0; k < columns; k++) matrix[low + k]! += b * design[start + k]!;
    }
  }
  for (let i = 0; i < size; i++) {
    const ridge =
      i % columns === columns - 1 ? penalty.constant : i < columns ? penalty.level : penalty.slope;
    gradient[i]! -= ridge * found[i]!;
    matrix[i * size + i]! += ridge + 1e-9;
  }
  return solveSymmetric(matrix, gradient);
}

function hazardOf(
  at: Decisions,
  rates: Rates,
  { means, scales }: Scaling,
  found: Coefficients,
  use: (row: number) => boolean,
): Hazard {
  const p = featureNames.length;
  const list = (values: Float64Array) => [...values].map(rounded);
  const row = (lift: number, rate: Float64Array) => ({ rate: rounded(lift), byIteration: list(rate) });
  const known = runsOf(at, use).map((runs) => runs >= enoughOfAgent);
  const groups = Object.fromEntries([
    ...at.agents.flatMap((name, agent) =>
      known[agent] ? [[name, row(rates.agentLifts[agent]!, rates.agents[agent]!)] as const] : [],
    ),
    ...at.groups.flatMap((name, group) =>
      known[at.agentOf[group]!] ? [[name, row(rates.lifts[group]!, rates.groups[group]!)] as const] : [],
    ),
  ]);
  return {
    features: 1,
    base: list(rates.base),
    groups,
    gates: Object.fromEntries(at.gates.map((name, gate) => [name, rounded(rates.gates[gate]!)])),
    means: list(means),
    scales: list(scales),
    weights: list(found.subarray(0, p)),
    ahead: list(found.subarray(columns, columns + p)),
    intercept: rounded(found[columns - 1]!),
    aheadIntercept: rounded(found[2 * columns - 1]!),
    gateWeight: rounded(found[gateColumn]!),
    gateAhead: rounded(found[columns + gateColumn]!),
    lookahead: farthest,
  };
}

/** Of how many runs of each agent something was seen. A run that passed at once shows no failing iteration. */
function runsOf(at: Decisions, use: (row: number) => boolean): number[] {
  const runs = at.agents.map(() => 0);
  for (let row = 0; row < at.count; row++)
    if (use(row) && at.iteration[row] === 1) runs[at.agentOf[at.group[row]!]!]! += 1;
  return runs;
}

/** Six digits are more than any of them means. */
const rounded = (value: number): number => Number(value.toPrecision(6));
