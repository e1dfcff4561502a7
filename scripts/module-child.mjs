// Bundles the program that loads a user's module in a process of its own. The tests run the same file as the product,
// because not every Node reads TypeScript: vitest calls the default export before them.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { root } from './setup.mjs';

export async function buildModuleChild(dir) {
  const build = await rolldown({
    input: join(root, 'packages/runtime/src/modules/child/main.ts'),
    external: (id) => id.startsWith('node:') || id === 'jiti',
    platform: 'node',
    resolve: { conditionNames: ['@agentgate/source', 'import', 'node', 'default'] },
    logLevel: 'warn',
  });
  const { output } = await build.generate({ format: 'esm', codeSplitting: false });
  await build.close();
  replace(join(dir, 'module-child.js'), output[0].code);
}

export default () => buildModuleChild(join(root, 'packages/runtime/dist'));

// A process that is just starting reads the old file or the new one, never a part.
function replace(file, text) {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(`${file}.${process.pid}`, text);
  renameSync(`${file}.${process.pid}`, file);
}
