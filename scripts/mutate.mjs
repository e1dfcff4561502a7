// `npm run mutate` changes the core in thousands of small ways, and counts the changes that no test notices.
// `npm run mutate -- packages/core/src/decide.ts` does so for a part, and shows what went unnoticed there.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { countsOf, scoreOf, showCounts, writeSummary } from './mutation-summary.mjs';
import { root, setUp } from './setup.mjs';

const least = 80;
const core = 'packages/core/src';

setUp({ quiet: true });
const mutable = readdirSync(join(root, core), { recursive: true })
  .filter((path) => path.endsWith('.ts'))
  .filter(
    (path) => !/\.test\.ts$|(^|\/)(index|testing)\.ts$|^(testing|golden)\//.test(path) && doesSomething(path),
  )
  .sort();
const asked = process.argv.slice(2).map((path) => relative(join(root, core), resolve(path)));
const unknown = asked.filter((path) => !mutable.includes(path));
if (unknown.length > 0) {
  console.error(
    `not a source file of ${core} that is measured: ${unknown.map((path) => join(core, path)).join(', ')}`,
  );
  process.exit(2);
}

const partly = asked.length > 0;
const mutants = await measureAll(partly ? asked : mutable);
const all = countsOf([...mutants.values()].flat());
console.log(`${partly ? 'these files' : 'core'}: ${showCounts(all)}`);
if (!partly) {
  writeSummary(new Map([...mutants].map(([path, found]) => [path, countsOf(found)])));
  if (scoreOf(all) < least) {
    console.error(`The score is under ${least} %; docs/mutation.md has the table.`);
    process.exit(1);
  }
}

/** The changes made to each file, with what became of them. */
async function measureAll(paths) {
  const found = new Map(paths.map((path) => [path, []]));
  const open = [...paths];
  const slots = Array.from({ length: availableParallelism() }, async (_, slot) => {
    for (let path = open.shift(); path !== undefined; path = open.shift()) {
      const changes = await measure(path, String(slot));
      found.set(path, changes);
      console.log(`${path}: ${showCounts(countsOf(changes))}`, ...(partly ? unnoticed(path, changes) : []));
    }
  });
  await Promise.all(slots);
  return found;
}

async function measure(path, slot) {
  const report = join(root, '.cache', 'mutation', `${slot}.json`);
  rmSync(report, { force: true });
  const bin = join(root, 'node_modules', '.bin', 'stryker');
  const args = ['run', 'stryker.config.mjs', '--mutate', `${core}/${path}`];
  const env = { ...process.env, MUTATE_SLOT: slot };
  try {
    await promisify(execFile)(bin, args, { cwd: root, env, maxBuffer: 2 ** 26 });
  } catch (error) {
    console.error(
      `${error.stderr || error}\n${path} could not be measured; are the tests of the core green?`,
    );
    process.exit(1);
  }
  return Object.values(JSON.parse(readFileSync(report, 'utf8')).files).flatMap((file) => file.mutants);
}

/** A file of types alone has nothing to change. */
function doesSomething(path) {
  return /^(export )?(default |async )?(const|let|function|class)\b/m.test(
    readFileSync(join(root, core, path), 'utf8'),
  );
}

/** The changes that no test noticed, as a reader of the file finds them. */
function unnoticed(path, mutants) {
  const lines = readFileSync(join(root, core, path), 'utf8').split('\n');
  return mutants
    .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
    .map(({ status, location: { start, end }, replacement }) => {
      const last = start.line === end.line ? end.column - 1 : undefined;
      const was = `${lines[start.line - 1].slice(start.column - 1, last)}${last === undefined ? ' …' : ''}`;
      const what = status === 'Survived' ? 'unnoticed' : 'never run';
      return `\n  ${core}/${path}:${start.line}:${start.column}  ${what}: ${was} → ${replacement.split('\n')[0]}`;
    });
}
