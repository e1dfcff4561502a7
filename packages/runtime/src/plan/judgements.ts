import type { Judgement, NamedGate } from '@agentgate/core';
import type { Stage } from './stage.ts';

/** What gates said about trees of the workspace in this session. */
const judgements = new WeakMap<Stage, Map<string, Judgement>>();

/** What is known of one tree, and a place for more. */
export function judgementsOf(stage: Stage, tree: string) {
  const known = judgements.get(stage) ?? new Map<string, Judgement>();
  judgements.set(stage, known);
  const key = (gate: NamedGate) => `${tree} ${JSON.stringify(gate)}`;
  return {
    recall: (gate: NamedGate) => known.get(key(gate)),
    keep(gate: NamedGate, judgement: Judgement) {
      // What could not judge, or waits, may do so the next time.
      const { kind } = judgement.verdict;
      if (kind === 'passed' || kind === 'failed') known.set(key(gate), judgement);
    },
  };
}
