// Bundles the packages: one file per entry, what is needed later in files of its own, and the types of the libraries.
// Everything is made before anything is replaced, so a build that fails leaves the last one standing.
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { licencesOf } from './licences.mjs';
import { buildModuleChild } from './module-child.mjs';
import { root } from './setup.mjs';
import { makeTypes } from './types.mjs';
import { makePage } from './web.mjs';

const libraries = ['core', 'runtime'];
const isPackage = (id) => !id.startsWith('.') && !id.startsWith('/');

const [types, core, runtime, cli, hook, page] = await Promise.all([
  makeTypes(libraries),
  bundle({ index: 'packages/core/src/index.ts' }, isPackage),
  bundle({ index: 'packages/runtime/src/index.ts' }, isPackage),
  // The command carries everything it needs, so that it starts with few files and installs little. The reader of
  // TypeScript stays outside: it is large, finds parts of itself by their place, and few projects need it.
  bundle({ main: 'packages/cli/src/main.ts' }, (id) => id.startsWith('node:') || id === 'jiti'),
  // Started at every stop of every session, so it stands alone, in the form that loads fastest.
  bundle({ hook: 'packages/cli/src/hook/answer.ts' }, (id) => id.startsWith('node:'), {
    format: 'cjs',
    ending: 'cjs',
  }),
  makePage(),
]);
replace('core', { ...core.files, ...types.core });
replace('runtime', { ...runtime.files, ...types.runtime });
const carried = licencesOf([...cli.modules, ...page.modules]);
replace('cli', { ...cli.files, ...hook.files, ...page.files, 'licences.txt': carried });
for (const name of ['runtime', 'cli']) await buildModuleChild(join(root, 'packages', name, 'dist'));

async function bundle(input, external, { format = 'esm', ending = 'js' } = {}) {
  const build = await rolldown({
    input: Object.fromEntries(Object.entries(input).map(([key, path]) => [key, join(root, path)])),
    external,
    platform: 'node',
    resolve: {
      mainFields: ['module', 'main'],
      conditionNames: ['@agentgate/source', 'import', 'node', 'default'],
    },
    logLevel: 'warn',
  });
  const { output } = await build.generate({
    format,
    entryFileNames: `[name].${ending}`,
    chunkFileNames: '[name]-[hash].js',
  });
  await build.close();
  return {
    files: Object.fromEntries(output.map(({ fileName, code }) => [fileName, code])),
    modules: output.flatMap(({ moduleIds }) => moduleIds),
  };
}

/** Puts the files where a package is published from. Whoever starts it meanwhile finds old files or new, never half. */
function replace(name, files) {
  const dist = join(root, 'packages', name, 'dist');
  for (const [path, text] of Object.entries(files)) {
    const file = join(dist, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(`${file}.${process.pid}`, text);
    renameSync(`${file}.${process.pid}`, file);
  }
  const kept = new Set([...Object.keys(files), 'module-child.js']);
  for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !kept.has(relative(dist, path))) rmSync(path, { force: true });
  }
}
