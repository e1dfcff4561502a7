import { featureNames, groupKey, Trail } from '@agentgate/core';
import type { Trace } from '../traces/trace.ts';

/** Every failing iteration after which something was recorded, in columns, so that a fit walks through them fast. */
export interface Decisions {
  count: number;
  /** The features of one decision after those of another. */
  features: Float64Array;
  /** How many iterations had failed. */
  iteration: Int32Array;
  group: Int32Array;
  groups: string[];
  agents: string[];
  /** For each group, which agent it belongs to. */
  agentOf: Int32Array;
  gate: Int32Array;
  gates: string[];
  /** So many iterations followed, at most `farthest` of them. */
  ahead: Int32Array;
  /** Whether the last of these passed. */
  passed: Uint8Array;
  weight: Float64Array;
  /** Which trace it is from. */
  trace: Int32Array;
}

/** What lies farther ahead than this says too little about here. */
export const farthest = 10;
/** One run that ignored a stop stands for no more than this many. */
const heaviest = 20;

/** Lays out all decisions of some traces of one mode. */
export function layOut(traces: readonly Trace[]): Decisions {
  const rows = traces.map((trace) => trace.iterations.length - 1);
  const count = rows.reduce((sum, n) => sum + n, 0);
  const [groups, agents, gates] = [new Names(), new Names(), new Names()];
  const agentOf: number[] = [];
  const at: Decisions = {
    count,
    features: new Float64Array(count * featureNames.length),
    iteration: new Int32Array(count),
    group: new Int32Array(count),
    groups: groups.all,
    agents: agents.all,
    agentOf: new Int32Array(),
    gate: new Int32Array(count),
    gates: gates.all,
    ahead: new Int32Array(count),
    passed: new Uint8Array(count),
    weight: new Float64Array(count),
    trace: new Int32Array(count),
  };
  let row = 0;
  for (const [index, trace] of traces.entries()) {
    const { iterations } = trace;
    const group = groups.of(groupKey({ agent: trace.model, suite: trace.suite }));
    agentOf[group] = agents.of(trace.model);
    const trail = new Trail();
    for (let done = 1; done < iterations.length; done++, row++) {
      trail.add(iterations[done - 1]!);
      at.features.set(trail.features(), row * featureNames.length);
      at.iteration[row] = done;
      at.group[row] = group;
      at.gate[row] = gates.of(iterations[done - 1]!.gate);
      const left = iterations.length - done;
      at.ahead[row] = Math.min(left, farthest);
      at.passed[row] = trace.solved && left <= farthest ? 1 : 0;
      at.weight[row] = weightAt(trace, done);
      at.trace[row] = index;
    }
  }
  return { ...at, agentOf: Int32Array.from(agentOf) };
}

/** A run that ignored a stop stands from there on for all those that were stopped. */
function weightAt({ ignoredStop }: Trace, done: number): number {
  if (!ignoredStop || done < ignoredStop.after) return 1;
  return Math.min(heaviest, 1 / ignoredStop.share);
}

/** Numbers for names, in the order in which they are met. */
class Names {
  readonly all: string[] = [];
  private readonly known = new Map<string, number>();

  of(name: string): number {
    const known = this.known.get(name);
    if (known !== undefined) return known;
    this.known.set(name, this.all.length);
    this.all.push(name);
    return this.all.length - 1;
  }
}
