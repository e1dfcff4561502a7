// Bundles the packages: one file per entry, what is needed later in files of its own, and the types of the libraries.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { root } from './setup.mjs';

const libraries = ['core', 'runtime'];

for (const name of libraries) {
  await bundle(
    name,
    { index: `packages/${name}/src/index.ts` },
    (id) => !id.startsWith('.') && !id.startsWith('/'),
  );
}
// The command carries everything it needs, so that it starts with few files.
await bundle('cli', { main: 'packages/cli/src/main.ts' }, (id) => id.startsWith('node:'));

async function bundle(name, input, external) {
  const dir = join(root, 'packages', name, 'dist');
  rmSync(dir, { recursive: true, force: true });
  const build = await rolldown({
    input: Object.fromEntries(Object.entries(input).map(([key, path]) => [key, join(root, path)])),
    external,
    platform: 'node',
    resolve: { conditionNames: ['source', 'import', 'node', 'default'] },
    logLevel: 'warn',
  });
  await build.write({ dir, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' });
  await build.close();
}
