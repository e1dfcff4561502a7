// What `npm run mutate` (scripts/mutate.mjs) asks of Stryker, for one file at a time.
const slot = process.env.MUTATE_SLOT ?? '0';

export default {
  testRunner: 'core',
  plugins: ['./scripts/mutate-runner.mjs'],
  // Two files are measured at once instead: beginning with one takes as long as most of its changes do.
  concurrency: 1,
  // Changed files are a copy; the working tree stays as it is.
  tempDirName: `.cache/stryker-${slot}`,
  ignorePatterns: ['.cache', 'bench', 'e2e', 'packages/cli', 'packages/runtime', '**/dist'],
  // Stryker would rewrite this with an interface that the compiler no longer has, and nothing in it needs rewriting.
  tsconfigFile: 'none',
  // A busy machine must not pass for an endless loop.
  timeoutMS: 60_000,
  timeoutFactor: 3,
  reporters: ['json'],
  jsonReporter: { fileName: `.cache/mutation/${slot}.json` },
  logLevel: 'error',
  warnings: { slow: false },
};
