// Lints the files by name, with settings from here and without a word from inside of them.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { tap } from './tap.mjs';

const files = ['src/cart.js', 'src/money.js', 'src/index.js'];
const config = fileURLToPath(new URL('./lint-rules.mjs', import.meta.url));
const flags = ['--no-inline-config', '--config', config, '--format', 'json'];
const words = ['node_modules/eslint/bin/eslint.js', ...flags, ...files];
const { stdout } = spawnSync(process.execPath, words, { encoding: 'utf8' });
const results = parse(stdout);
const isClean = (name) => results.some((one) => one.filePath.endsWith(name) && one.messages.length === 0);
const text = existsSync('src/cart.js') ? readFileSync('src/cart.js', 'utf8') : '';
tap([
  ...files.map((name) => [`${name} is clean`, isClean(name)]),
  ['the cart has its function', /export (?:function|const) total\b/.test(text)],
]);

function parse(json) {
  try {
    return JSON.parse(json);
  } catch {
    return [];
  }
}
