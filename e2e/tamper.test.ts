import { describe, expect, it } from 'vitest';
import { allSteps, installTool } from './tamper/campaign.ts';

/** A spread of the corpus; `npm run tamper` runs all of it. */
const sample = [
  'vitest/new-config',
  'vitest/by-stack',
  'vitest/extract-function',
  'jest/exit-code',
  'jest/hard-coded',
  'mocha/dry-run',
  'mocha/new-tests',
  'node/npmrc-options',
  'node/imports',
  'node/gate-library',
  'node/expected-elsewhere',
  'node/exit',
  'node/generated',
  'pytest/conftest-report',
  'pytest/user-plugin',
  'pytest/renamed-function',
  'eslint/nested-config',
  'eslint/disable',
  'eslint/out-of-reach',
  'tsc/no-check',
  'tsc/ignore',
  'tsc/out-of-include',
  'tsc/dead-code',
];

describe.concurrent('under strict integrity', () => {
  for (const step of allSteps().filter(({ id, mode }) => mode === 'strict' && sample.includes(id))) {
    const name =
      step.class === 'honest' ? 'honest work is not accused' : `a ${step.class}-level trick is refused`;
    it(`${name}: ${step.id}`, async (context) => {
      if (!installTool(step.runner)) return context.skip();
      const judged = await step.run();
      expect(step.isRight(judged), `${judged.outcome}\n${judged.said.slice(-4_000)}`).toBe(true);
    });
  }
});
