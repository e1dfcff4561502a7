// How `npm run mutate` runs the tests of the core, thousands of times: all of them are one script in one process, a
// change is switched on, and only the tests that reach it are run, the quick ones first, as far as the first failure.
// What runs while modules load is run anew for a change in it. Vitest itself would start afresh for every change.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { constants, Script } from 'node:vm';
import * as fastCheck from 'fast-check';
import { rolldown } from 'rolldown';
import { collect, isLoading, loadingOf } from './mutate-suite.mjs';

const kit = globalThis;
/** What the first run has measured, for the processes beside it; in the copy of the repository, where they work. */
const timesFile = 'test-times.json';

// That a property fails is enough to know here: its smallest example is not looked for. Fewer tries can only make the
// score worse than it is, and hundreds of them for what nobody notices would take most of the time.
const fewTries = {
  ...fastCheck,
  assert: (property, options) => fastCheck.assert(property, { ...options, numRuns: 10, endOnFailure: true }),
};

class CoreRunner {
  capabilities() {
    return { reloadEnvironment: true };
  }

  async init() {
    kit.__stryker__ ??= {};
    const core = resolve('packages/core/src');
    this.require = createRequire(join(core, 'index.ts'));
    this.script = await bundled(core);
  }

  async dryRun() {
    const space = kit.__stryker__;
    space.activeMutant = undefined;
    space.mutantCoverage = { static: {}, perTest: {} };
    this.tests = this.#load();
    this.times = new Map();
    const results = [];
    for (const test of this.tests) {
      space.currentTestId = test.id;
      const result = await attempt(test);
      space.currentTestId = undefined;
      // Node 20 loads no TypeScript by itself, as one test asks of it.
      if (result.failureMessage?.includes('ERR_UNKNOWN_FILE_EXTENSION')) continue;
      this.times.set(test.id, result.timeSpentMs);
      results.push(result);
    }
    writeFileSync(timesFile, JSON.stringify([...this.times]));
    return { status: 'complete', tests: results, mutantCoverage: space.mutantCoverage };
  }

  async mutantRun({ activeMutant, testFilter, hitLimit }) {
    this.times ??= new Map(JSON.parse(readFileSync(timesFile, 'utf8')));
    const space = kit.__stryker__;
    space.currentTestId = undefined;
    space.hitLimit = hitLimit;
    space.hitCount = hitLimit === undefined ? undefined : 0;
    space.activeMutant = undefined;
    this.tests ??= this.#load();
    space.activeMutant = activeMutant.id;
    try {
      const anew = !testFilter || testFilter.some(isLoading);
      const tests = anew ? this.#load() : this.tests;
      return await this.#firstFailure(tests, testFilter && new Set(testFilter), activeMutant.fileName);
    } catch (error) {
      return { status: 'killed', killedBy: ['loading'], failureMessage: String(error), nrOfTests: 1 };
    } finally {
      space.activeMutant = undefined;
    }
  }

  /** The tests of the script, registered by running it. */
  #load() {
    const { suite, tests } = collect();
    const given = { vitest: suite, 'fast-check': fewTries };
    this.script.runInThisContext()((name) => given[name] ?? this.require(name));
    return tests;
  }

  async #firstFailure(tests, chosen, changed) {
    const time = ({ id }) => this.times.get(id);
    const isChosen = ({ id, file }) => !chosen || chosen.has(id) || chosen.has(loadingOf(file));
    const near = ({ file }) => nearness(file, changed);
    const order = tests
      .filter((test) => this.times.has(test.id) && isChosen(test))
      .sort((a, b) => near(b) - near(a) || time(a) - time(b));
    const space = kit.__stryker__;
    let count = 0;
    let left = patience;
    for (const test of order) {
      left -= time(test);
      if (left < 0 && count > 0) break;
      count += 1;
      const { status, failureMessage } = await attempt(test);
      if (space.hitCount > space.hitLimit) return { status: 'timeout', reason: 'an endless loop' };
      if (status === failed)
        return { status: 'killed', killedBy: [test.id], failureMessage, nrOfTests: count };
    }
    return { status: 'survived', nrOfTests: count };
  }
}

/** So many milliseconds of tests are tried for one change, those of its own file first. */
const patience = 1_500;
const passed = 0;
const failed = 1;

/** The tests of a file are likely to notice a change in it first, then those of its folder, then those of the schema. */
function nearness(test, changed) {
  if (nounOf(test).startsWith(nounOf(changed))) return 3;
  if (folderOf(test) === folderOf(changed)) return 2;
  return changed.includes('/spec/') && test.includes('/json-schema/') ? 1 : 0;
}

// The tests lie in a copy of the repository, the change is named as in the original.
const folderOf = (path) => dirname(path.replace(/^.*packages\/core\/src\//, ''));

const nounOf = (path) => basename(path).replace(/\..*$/, '');

async function attempt({ id, name, file, run }) {
  const began = performance.now();
  const rest = () => ({ id, name, fileName: file, timeSpentMs: performance.now() - began });
  try {
    await run();
    return { ...rest(), status: passed };
  } catch (error) {
    return { ...rest(), status: failed, failureMessage: String(error?.stack ?? error) };
  }
}

/** All tests of the core and the core itself as one script: a function of `require`. */
async function bundled(core) {
  const files = readdirSync(core, { recursive: true })
    .filter((path) => path.endsWith('.test.ts'))
    .sort()
    .map((path) => join(core, path));
  const entry = '\0tests';
  const build = await rolldown({
    input: entry,
    platform: 'node',
    external: (id) =>
      !id.startsWith('.') && !id.startsWith('/') && id !== entry && !id.startsWith('@agentgate/'),
    resolve: { alias: { '@agentgate/core': join(core, 'index.ts') } },
    treeshake: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'tests',
        resolveId: (id) => (id === entry ? entry : null),
        load(id) {
          if (id === entry) return files.map((file) => `import ${JSON.stringify(file)};`).join('\n');
          if (!id.startsWith(core) || !id.endsWith('.ts')) return null;
          const text = readFileSync(id, 'utf8').replaceAll(
            'import.meta.url',
            JSON.stringify(pathToFileURL(id).href),
          );
          if (!id.endsWith('.test.ts')) return { code: text, moduleType: 'ts' };
          const code = `import * as vitest from 'vitest';vitest.opens(${JSON.stringify(id)});${text}\nvitest.closes();`;
          return { code, moduleType: 'ts' };
        },
      },
    ],
  });
  const { output } = await build.generate({ format: 'cjs', codeSplitting: false });
  await build.close();
  return new Script(`(function (require) {const exports = {}, module = { exports };${output[0].code}\n})`, {
    filename: join(core, 'tests.cjs'),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
}

const factory = () => new CoreRunner();
factory.inject = [];

export const strykerPlugins = [{ kind: 'TestRunner', name: 'core', factory }];
