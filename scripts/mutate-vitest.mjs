// The tests of the core as `npm run mutate` runs them: thousands of times, each time as far as the first failure.
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';

/** The quick tests first: most changes fail one of them, and then the slow ones need not run. */
class QuickFirst extends BaseSequencer {
  async sort(files) {
    const slow = ({ moduleId }) => (moduleId.includes('.property.') ? 1 : 0);
    return [...(await super.sort(files))].sort((a, b) => slow(a) - slow(b));
  }
}

/** A file of tests that no longer loads has failed, but has no test to say so; Stryker would take it for silence. */
const unloadedFails = {
  onTestModuleEnd({ task: file }) {
    if (file.result?.state !== 'fail' || file.tasks.length > 0) return;
    const { id, result } = file;
    file.tasks.push({
      id: `${id}_load`,
      type: 'test',
      name: 'loads',
      mode: 'run',
      meta: {},
      file,
      suite: file,
      result,
    });
  },
};

export default defineConfig({
  resolve: { alias: { '@agentgate/core': resolve('packages/core/src/index.ts') } },
  test: {
    include: ['packages/core/src/**/*.test.ts'],
    // Each run has a thread of its own; one thread per file of tests would spend most of the time on loading.
    isolate: false,
    testTimeout: 60_000,
    setupFiles: ['scripts/mutate-setup.mjs'],
    sequence: { sequencer: QuickFirst },
    reporters: [unloadedFails],
  },
});
