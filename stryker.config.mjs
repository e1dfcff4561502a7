// What `npm run mutate` (scripts/mutate.mjs) asks of Stryker, for one file at a time.
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'scripts/mutate-vitest.mjs', related: process.env.MUTATE_TESTS !== 'all' },
  concurrency: 2,
  // Changed files are a copy; the working tree stays as it is.
  tempDirName: '.cache/stryker',
  ignorePatterns: ['.cache', 'bench', 'e2e', 'packages/cli', 'packages/runtime', '**/dist'],
  // Stryker would rewrite this with an interface that the compiler no longer has, and nothing in it needs rewriting.
  tsconfigFile: 'none',
  // A busy machine must not pass for an endless loop.
  timeoutMS: 10_000,
  timeoutFactor: 3,
  reporters: ['json'],
  jsonReporter: { fileName: '.cache/mutation/report.json' },
  logLevel: 'error',
  warnings: { slow: false },
};
