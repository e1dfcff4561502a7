import { describe, expect, it } from 'vitest';
import { check, type Files } from '../testing.ts';

type Manifest = Record<string, unknown>;

/** What is told of a manifest that went from one to the other, in a tree with these files after it. */
async function told(was: Manifest, is: Manifest, files: readonly string[], folder = '') {
  const sources = Object.fromEntries(files.map((path) => [`${folder}${path}`, path]));
  const at = `${folder}package.json`;
  const base: Files = { [at]: JSON.stringify(was), ...sources };
  const { changed, replaced } = await check(base, { [at]: JSON.stringify(is), ...sources });
  return { diff: changed.map((one) => one.diff).join('\n'), sealed: replaced.get(at) };
}

const shop = { imports: { '#shop/*': './src/*.js' } };
const both = ['src/cart.js', 'stub/cart.js'];

describe('a name that tests may load', () => {
  it.each<[string, Manifest, Manifest, string[]]>([
    [
      'is led elsewhere by a nearer name',
      shop,
      { imports: { ...shop.imports, '#shop/cart': './stub/cart.js' } },
      both,
    ],
    ['is led elsewhere by its own name', shop, { imports: { '#shop/*': './stub/*.js' } }, both],
    [
      'is led elsewhere under a condition',
      { imports: { '#cart': { node: './src/cart.js' } } },
      { imports: { '#cart': { node: './stub/cart.js' } } },
      both,
    ],
    ['is the package, led elsewhere', { main: './src/cart.js' }, { main: './stub/cart.js' }, both],
    [
      'is the package without a word, led elsewhere',
      {},
      { main: './stub/cart.js' },
      ['index.js', 'stub/cart.js'],
    ],
    [
      'is the package, by a list that is new',
      { main: 'src/cart.js' },
      { main: 'src/cart.js', exports: './stub/cart.js' },
      both,
    ],
    [
      'is the package, by a list that is new, under one condition',
      { main: 'src/cart.js' },
      { main: 'src/cart.js', exports: { '.': { import: './stub/cart.js', require: './src/cart.js' } } },
      both,
    ],
    [
      'is the package, by a list that changed',
      { exports: { '.': './src/cart.js' } },
      { exports: { '.': './stub/cart.js' } },
      both,
    ],
    ['is named without its ending', { main: './src/cart' }, { main: './stub/cart' }, both],
  ])('%s, which is not the agent’s to do', async (_, was, is, files) => {
    for (const folder of ['', 'packages/a/']) {
      const { diff, sealed } = await told(was, is, files, folder);
      expect(diff).toContain('stub');
      expect(sealed).not.toContain('stub');
    }
  });

  it.each<[string, Manifest, Manifest, string[]]>([
    ['moves along with its file', shop, { imports: { '#shop/*': './lib/*.js' } }, ['lib/cart.js']],
    [
      'is new',
      shop,
      { imports: { ...shop.imports, '#util': './src/util.js' } },
      ['src/cart.js', 'src/util.js'],
    ],
    [
      'is new below a pattern, where there was no file',
      shop,
      { imports: { ...shop.imports, '#shop/tax': './tax.js' } },
      ['src/cart.js', 'tax.js'],
    ],
    ['is the first of its kind', {}, shop, both],
    [
      'moves with the entry of the package',
      { main: './src/cart.js' },
      { main: './lib/cart.js' },
      ['lib/cart.js'],
    ],
    [
      'is in a list that is new, with the entry of before',
      { main: './src/cart.js' },
      { main: './src/cart.js', exports: { '.': { import: './src/cart.js' }, './stub': './stub/cart.js' } },
      both,
    ],
    [
      'leads to another package',
      { imports: { '#fetch': 'node-fetch' } },
      { imports: { '#fetch': 'undici' } },
      both,
    ],
    ['is as it was', { main: 'src/cart.js', ...shop }, { ...shop, main: 'src/cart.js', version: '2' }, both],
  ])('%s, which it may', async (_, was, is, files) => {
    expect(await told(was, is, files)).toEqual({ diff: '', sealed: undefined });
  });
});
