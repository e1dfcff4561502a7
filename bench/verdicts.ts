import type { Finding } from '../packages/core/src/finding.ts';
import type { Verdict } from '../packages/core/src/verdict.ts';
import { chanceOf } from './figures.ts';

/** Five gates make ten events of an iteration. */
export const gates = {
  tests: 'npm test',
  types: 'npx tsc -p .',
  lint: 'npx oxlint',
  build: 'npm run build',
  format: 'npx biome format .',
};

/**
 * A failed verdict with 5 to 20 findings as tests and compilers report them. Every step fixes its oldest one for
 * good while new ones come, so that a run which counts progress goes on.
 */
export function failedAt(step: number, gate: string): Verdict {
  const chance = chanceOf(step * 31 + gate.length);
  const findings = Array.from({ length: 5 + wave(step + 7 * gate.length) }, (_, at) =>
    findingOf(step + at, chance),
  );
  return {
    kind: 'failed',
    findings,
    tests: { passed: 200 - findings.length, failed: findings.length, skipped: 2 },
    excerpt: findings.map((one) => `not ok ${one.title}`).join('\n'),
    textKey: Math.floor(chance() * 2 ** 32).toString(16),
  };
}

/** From 0 to 15 and back, one up or down a step: what was fixed once never comes back. */
const wave = (step: number): number => Math.abs((step % 30) - 15);

function findingOf(number: number, chance: () => number): Finding {
  const file = `packages/room-${number % 7}/src/part-${number % 90}.test.ts`;
  const value = Math.floor(chance() * 1000);
  return {
    id: `${file} > part ${number} > answers ${number % 13} for an empty input`,
    title: `part ${number} answers ${number % 13} for an empty input`,
    file,
    line: 1 + (number % 400),
    message: `AssertionError: expected ${value} to be ${value + 1}\n    at ${file}:${1 + (number % 400)}:17`,
  };
}
