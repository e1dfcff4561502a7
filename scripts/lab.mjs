import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { root } from './setup.mjs';

/** The workshop as one module, made from the sources; `change` may alter a file on its way in. */
export async function bundleLab({ name = 'lab', change } = {}) {
  const file = join(root, '.cache', 'lab', `${name}.mjs`);
  const bundle = await rolldown({
    input: join(root, 'packages', 'lab', 'src', 'index.ts'),
    platform: 'node',
    resolve: { conditionNames: ['@agentgate/source', 'import', 'node', 'default'] },
    plugins: change ? [{ name: 'change', transform: (code, id) => change(code, id) }] : [],
  });
  await bundle.write({ file, format: 'esm' });
  return { file: pathToFileURL(file).href };
}
