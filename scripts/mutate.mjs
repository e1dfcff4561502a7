// `npm run mutate` changes the core in thousands of small ways, and counts the changes that no test notices.
// `npm run mutate -- packages/core/src/decide.ts` does so for a part, and shows what went unnoticed there. A whole run
// that was cut short goes on where it was.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { countsOf, scoreOf, showCounts, writeSummary } from './mutation-summary.mjs';
import { root, setUp } from './setup.mjs';

const least = 80;
const mostLines = 600;
const core = 'packages/core/src';

setUp({ quiet: true });
const everything = readdirSync(join(root, core), { recursive: true })
  .filter((path) => path.endsWith('.ts'))
  .sort();
const sources = hashOf(everything);
const knownFile = join(root, '.cache', 'mutation', 'known.json');
const mutable = everything
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
  const known = partly ? new Map() : readKnown();
  const found = new Map(paths.map((path) => [path, known.get(path) ?? []]));
  const open = groupsOf(paths.filter((path) => !known.has(path)));
  const slots = Array.from({ length: availableParallelism() }, async (_, slot) => {
    for (let group = open.shift(); group !== undefined; group = open.shift()) {
      for (const [path, changes] of await measure(group, String(slot))) {
        found.set(path, changes);
        known.set(path, changes);
        console.log(`${path}: ${showCounts(countsOf(changes))}`, ...(partly ? unnoticed(path, changes) : []));
      }
      if (!partly) writeKnown(known);
    }
  });
  await Promise.all(slots);
  return found;
}

/** What a run that was cut short has measured with these very sources and tests. */
function readKnown() {
  if (!existsSync(knownFile)) return new Map();
  const { sources: of, files } = JSON.parse(readFileSync(knownFile, 'utf8'));
  return new Map(of === sources ? Object.entries(files) : []);
}

function writeKnown(known) {
  const files = Object.fromEntries(
    [...known].map(([path, changes]) => [path, changes.map(({ status }) => ({ status }))]),
  );
  mkdirSync(dirname(knownFile), { recursive: true });
  writeFileSync(knownFile, JSON.stringify({ sources, files }));
}

function hashOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths) hash.update(path).update(readFileSync(join(root, core, path)));
  return hash.digest('hex');
}

/** To begin takes as long as some hundred changes, so small files go together; what is run most often goes alone. */
function groupsOf(paths) {
  const groups = [];
  let open = { lines: Infinity, group: [] };
  for (const path of paths) {
    const lines = readFileSync(join(root, core, path), 'utf8').split('\n').length;
    if (path.startsWith('text/')) {
      groups.push([path]);
      continue;
    }
    if (open.lines + lines > mostLines) {
      open = { lines: 0, group: [] };
      groups.push(open.group);
    }
    open.lines += lines;
    open.group.push(path);
  }
  return groups;
}

async function measure(paths, slot) {
  const report = join(root, '.cache', 'mutation', `${slot}.json`);
  rmSync(report, { force: true });
  const bin = join(root, 'node_modules', '.bin', 'stryker');
  const args = ['run', 'stryker.config.mjs', '--mutate', paths.map((path) => `${core}/${path}`).join(',')];
  const env = { ...process.env, MUTATE_SLOT: slot };
  try {
    await promisify(execFile)(bin, args, { cwd: root, env, maxBuffer: 2 ** 26 });
  } catch (error) {
    console.error(
      `${error.stderr || error}\n${paths.join(', ')} could not be measured; are the tests of the core green?`,
    );
    process.exit(1);
  }
  const { files } = JSON.parse(readFileSync(report, 'utf8'));
  return paths.map((path) => [path, files[`${core}/${path}`]?.mutants ?? []]);
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
