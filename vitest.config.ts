import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { conditions: ['@agentgate/source'] },
  ssr: { resolve: { conditions: ['@agentgate/source'], externalConditions: ['@agentgate/source'] } },
  test: {
    globalSetup: ['scripts/module-child.mjs'],
    // Most tests wait for programs: with one worker a machine of two cores idles half the time.
    maxWorkers: 2,
    // What is looked for again and again comes when it comes; one second is short where others work beside us.
    expect: { poll: { timeout: 30_000 } },
    coverage: {
      include: ['packages/{core,runtime}/src/**/*.ts'],
      exclude: ['**/*.test.ts', '**/testing/**', '**/testing.ts', '**/fixtures/**'],
      reporter: ['json-summary'],
      reportsDirectory: '.cache/coverage',
    },
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['packages/*/src/**/*.test.ts'], testTimeout: 60_000 },
      },
      {
        extends: true,
        test: {
          name: 'agents',
          retry: 1,
          // The whole takes the programs of every vendor and a quarter of an hour; `npm run e2e:agents` runs it.
          include: [
            process.env['AGENTGATE_AGENTS'] === 'all'
              ? 'e2e/agents/**/*.test.ts'
              : 'e2e/agents/short.test.ts',
          ],
          testTimeout: 300_000,
          hookTimeout: 900_000,
          fileParallelism: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          // They live from processes, browsers and pipes of a machine that others use, too. What passes only at the
          // second try is told by name at the end of `npm test`.
          retry: 1,
          include: ['e2e/**/*.test.ts'],
          exclude: ['e2e/agents/**'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
