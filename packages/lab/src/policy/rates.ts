import type { Decisions } from './decisions.ts';

/** How often the next iteration passed, by iteration and by who works; thin counts lean on broader ones. */
export interface Rates {
  /** Log odds by iteration: everybody's, and for each group its own. */
  base: Float64Array;
  groups: Float64Array[];
  /** The same by agent, for suites in which it was not met. */
  agents: Float64Array[];
  agentLifts: Float64Array;
  /** Log odds of a gate against everybody's at the same iterations. */
  gates: Float64Array;
  /** Log of how much more often a group solves than everybody. */
  lifts: Float64Array;
}

/** So many iterations have a rate of their own; all later ones share the last. */
const longest = 12;
/** A count leans on the broader one as if that had been seen so many times. */
const lean = { base: 20, group: 2, cell: 30, gate: 20 };

export function ratesOf(at: Decisions, use: (row: number) => boolean): Rates {
  const width = Math.max(
    1,
    Math.min(
      longest,
      at.iteration.reduce((most, one) => Math.max(most, one), 1),
    ),
  );
  const slot = (row: number) => Math.min(at.iteration[row]!, width) - 1;
  const seen = new Float64Array(width);
  const passed = new Float64Array(width);
  const cells = at.groups.map(() => ({ seen: new Float64Array(width), passed: new Float64Array(width) }));
  for (let row = 0; row < at.count; row++) {
    if (!use(row)) continue;
    const weight = at.weight[row]!;
    const next = at.ahead[row] === 1 ? at.passed[row]! * weight : 0;
    const cell = cells[at.group[row]!]!;
    seen[slot(row)]! += weight;
    passed[slot(row)]! += next;
    cell.seen[slot(row)]! += weight;
    cell.passed[slot(row)]! += next;
  }
  const mean = (sum(passed) + 0.5) / (sum(seen) + 1);
  const base = seen.map((n, i) => (passed[i]! + lean.base * mean) / (n + lean.base));
  const ofAgents = at.agents.map((_, agent) =>
    addUp(
      cells.filter((__, group) => at.agentOf[group] === agent),
      width,
    ),
  );
  const agentLifts = ofAgents.map((cell) => lift(cell, base, 1));
  const lifts = cells.map((cell, group) => lift(cell, base, agentLifts[at.agentOf[group]!]!));
  return {
    base: base.map(logit),
    groups: cells.map((cell, group) => leaning(cell, base, lifts[group]!)),
    agents: ofAgents.map((cell, agent) => leaning(cell, base, agentLifts[agent]!)),
    gates: gateRates(at, use, base, slot),
    lifts: Float64Array.from(lifts, Math.log),
    agentLifts: Float64Array.from(agentLifts, Math.log),
  };
}

/** Counts by iteration. */
interface Cell {
  seen: Float64Array;
  passed: Float64Array;
}

/** Log odds by iteration, drawn towards everybody's times the lift. */
const leaning = ({ seen, passed }: Cell, base: Float64Array, by: number): Float64Array =>
  base.map((rate, i) => logit((passed[i]! + lean.cell * Math.min(0.9, by * rate)) / (seen[i]! + lean.cell)));

const addUp = (cells: readonly Cell[], width: number): Cell => ({
  seen: Float64Array.from({ length: width }, (_, i) => cells.reduce((all, one) => all + one.seen[i]!, 0)),
  passed: Float64Array.from({ length: width }, (_, i) => cells.reduce((all, one) => all + one.passed[i]!, 0)),
});

/** How much more often these solve than everybody, drawn towards what is known of the broader kind. */
function lift({ seen, passed }: Cell, base: Float64Array, prior: number): number {
  const expected = base.reduce((all, rate, i) => all + seen[i]! * rate, 0);
  return (sum(passed) + lean.group * prior) / (expected + lean.group);
}

function gateRates(
  at: Decisions,
  use: (row: number) => boolean,
  base: Float64Array,
  slot: (row: number) => number,
): Float64Array {
  const expected = new Float64Array(at.gates.length);
  const passed = new Float64Array(at.gates.length);
  for (let row = 0; row < at.count; row++) {
    if (!use(row)) continue;
    const weight = at.weight[row]!;
    expected[at.gate[row]!]! += weight * base[slot(row)]!;
    if (at.ahead[row] === 1) passed[at.gate[row]!]! += weight * at.passed[row]!;
  }
  return expected.map((n, gate) => Math.log((passed[gate]! + lean.gate / 4) / (n + lean.gate / 4)));
}

const logit = (chance: number): number => Math.log(chance / (1 - chance));
const sum = (values: Float64Array): number => values.reduce((a, b) => a + b, 0);
