// `npm run schema` writes what is made from the schemas of the spec: the JSON Schema that editors read, and the
// reference in docs/spec.md. With `--check` it writes nothing and tells what is not current.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { reference } from './reference.mjs';
import { root } from './setup.mjs';

const schemaFile = join(root, 'packages', 'cli', 'schema', 'agentgate.schema.json');
const page = join(root, 'docs', 'spec.md');
// The core cannot see the other files, and its tests must notice when the schema is no longer what was published.
const hashFile = join(root, 'packages', 'core', 'src', 'golden', 'schema.sha256');
const [begin, end] = ['<!-- reference: made by npm run schema -->', '<!-- end of the reference -->'];

const schema = await makeSchema();
const hash = `${createHash('sha256').update(JSON.stringify(schema)).digest('hex')}\n`;
const wanted = withReference(read(page), reference(schema));
const stale = [
  ...(same(read(schemaFile), schema) ? [] : ['packages/cli/schema/agentgate.schema.json']),
  ...(read(page) === wanted ? [] : ['docs/spec.md']),
  ...(read(hashFile) === hash ? [] : ['packages/core/src/golden/schema.sha256']),
];
if (process.argv.includes('--check')) {
  for (const file of stale) console.error(`${file} is not current; npm run schema writes it`);
  process.exit(stale.length === 0 ? 0 : 1);
}
mkdirSync(dirname(schemaFile), { recursive: true });
writeFileSync(schemaFile, `${JSON.stringify(schema, null, 2)}\n`);
writeFileSync(page, wanted);
writeFileSync(hashFile, hash);
spawnSync(join(root, 'node_modules', '.bin', 'biome'), ['format', '--write', schemaFile], { cwd: root });
console.log(stale.length === 0 ? 'schema: current' : `schema: wrote ${stale.join(', ')}`);

/** The schema of the sources as they are now, not of the last build. */
async function makeSchema() {
  mkdirSync(join(root, '.cache'), { recursive: true });
  // Inside the repository, so that the packages of its lock file are found.
  const dir = mkdtempSync(join(root, '.cache', 'schema-'));
  try {
    const build = await rolldown({
      input: join(root, 'packages', 'core', 'src', 'json-schema.ts'),
      external: (id) => id === 'zod',
      platform: 'node',
      logLevel: 'warn',
    });
    await build.write({ dir, format: 'esm', entryFileNames: 'schema.mjs' });
    await build.close();
    const { specJsonSchema } = await import(pathToFileURL(join(dir, 'schema.mjs')).href);
    return specJsonSchema();
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function withReference(text, tables) {
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error('docs/spec.md has no place for the reference');
  return `${text.slice(0, from + begin.length)}\n\n${tables}\n${text.slice(to)}`;
}

function same(text, value) {
  return text !== '' && JSON.stringify(JSON.parse(text)) === JSON.stringify(value);
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // Not written yet; then it is not current either.
    return '';
  }
}
