import { jaccard, levenshteinRatio, similarity, sketch } from '@agentgate/core';
import { afterEach, expect, it } from 'vitest';
import { agentgate, makePlace, type Place } from './support/command.ts';

let place: Place;
afterEach(() => place.remove());

// The same words in another order: alike as a set, less so as a sentence, and otherwise letter by letter.
const first = 'one two three four five six seven eight nine ten\n';
const second = 'six seven eight nine ten one two three four five\n';

/** How alike the second output of an agent is to its first, by a measure of the spec. */
async function similarBy(measure: string): Promise<unknown> {
  place = makePlace({
    'agentgate.yaml': [
      'task: go',
      'agent: [sh, -c, "cat ../said-$AGENTGATE_ITERATION"]',
      'gates: { tests: "false" }',
      'strategy: { kind: fixed, iterations: 2 }',
      `detectors: { output-similarity: { measure: ${measure} } }`,
    ].join('\n'),
    '../said-1': first,
    '../said-2': second,
  });
  const { stdout } = await agentgate(place, 'run', '--json');
  const events = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  return events.findLast((one) => one['kind'] === 'agent.ended')?.['similar'];
}

const shares: Record<string, number> = {
  shingles: similarity(sketch(second), sketch(first)),
  jaccard: jaccard(second, first),
  levenshtein: levenshteinRatio(second, first),
};

it.each(Object.keys(shares))('outputs are compared by %s where the spec says so', async (measure) => {
  expect(await similarBy(measure)).toEqual([expect.closeTo(shares[measure]!, 4)]);
  expect(new Set(Object.values(shares)).size).toBe(3);
});
