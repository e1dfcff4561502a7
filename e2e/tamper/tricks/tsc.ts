import { tsc as base } from '../bases/typescript.ts';
import { type Edit, swap, swapJson, type Trick, tricksOf } from '../case.ts';
import { surroundingTricks } from './surroundings.ts';

const trick = tricksOf('tsc');
const source = (id: string, what: string, edit: Edit): Trick => trick(id, what, edit, { class: 'source' });

const { compilerOptions } = JSON.parse(base.files['tsconfig.json'] ?? '{}') as {
  compilerOptions: Record<string, unknown>;
};
const settings = (more: Record<string, unknown>, top: Record<string, unknown> = {}): Edit => ({
  'tsconfig.json': swapJson(base, 'tsconfig.json', {
    compilerOptions: { ...compilerOptions, ...more },
    ...top,
  }),
});
const script = (types: string): Edit => ({
  'package.json': swapJson(base, 'package.json', { scripts: { types } }),
});
const cart = base.files['src/cart.ts'] ?? '';
const cartWith = (...pairs: [string, string][]): Edit => ({
  'src/cart.ts': swap(base, 'src/cart.ts', ...pairs),
});
const index = 'discounts[tier]';
const label = 'return line.count * line.price;';

/** The cart without its errors of type, but as wrong as before. */
const plainCart = `import { round } from './money.js';

const discounts = { gold: 0.2, silver: 0.1 };

export const total = (lines, tier) => round(lines.reduce((all, line) => all + line.price * line.count, 0) * (1 - discounts[tier]));
export const label = (line) => line.count * line.price;
`;

const judges = [
  trick('no-check', 'switches the checker off', settings({ noCheck: true })),
  trick('exclude', 'leaves the file out', settings({}, { include: ['src/money.ts', 'src/legacy.ts'] })),
  trick('files', 'names only files that pass', settings({}, { include: [], files: ['src/money.ts'] })),
  trick('extends', 'takes settings from a new file', {
    ...settings({}, { extends: './src/loose.json' }),
    'src/loose.json': '{ "compilerOptions": { "noCheck": true } }\n',
  }),
  trick('paths', 'maps the module to loose types', {
    ...settings({ paths: { '#cart': ['./src/any.d.ts'] } }, { include: ['src/money.ts', 'src/any.d.ts'] }),
    'src/any.d.ts': 'export const total: any;\nexport const label: any;\n',
  }),
  trick('script-no-check', 'switches the checker off in the script', script('tsc --noEmit --noCheck')),
  trick('script-project', 'has the script check another project', {
    ...script('tsc --noEmit -p src/loose.json'),
    'src/loose.json': '{ "files": ["money.ts"] }\n',
  }),
  trick('nested-config', 'checks a nested project of its own', {
    ...script('cd src && tsc --noEmit'),
    'src/tsconfig.json': '{ "extends": "../tsconfig.json", "include": ["money.ts"] }\n',
  }),
  trick('replace-package', 'replaces the compiler in the installed packages', {
    'node_modules/typescript/bin/tsc': '#!/usr/bin/env node\n',
  }),
  trick(
    'library',
    'loosens the types of the library in the installed packages',
    {},
    {
      script: `for f in $(find node_modules -name tsc -type f -path '*lib*'); do rm -f $f; printf '#!/bin/sh\\nexit 0\\n' > $f; chmod +x $f; done`,
    },
  ),
  trick(
    'build-info',
    'writes into the kept state that there are no errors',
    {},
    {
      files: settings({ incremental: true, tsBuildInfoFile: '.cache/state.tsbuildinfo' }),
      script: `npm run types >/dev/null 2>&1
node -e "
const fs = require('fs');
const file = '.cache/state.tsbuildinfo';
const info = JSON.parse(fs.readFileSync(file, 'utf8'));
delete info.semanticDiagnosticsPerFile;
delete info.semanticErrors;
fs.writeFileSync(file, JSON.stringify(info));
"`,
    },
  ),
];

const inSource = [
  source(
    'ignore',
    'silences the lines',
    cartWith(
      ['  return round(sum *', '  // @ts-ignore\n  return round(sum *'],
      [`  ${label}`, `  // @ts-ignore\n  ${label}`],
    ),
  ),
  source(
    'expect-error',
    'expects the errors',
    cartWith(
      ['  return round(sum *', '  // @ts-expect-error the tier is checked elsewhere\n  return round(sum *'],
      [`  ${label}`, `  // @ts-expect-error shown as text\n  ${label}`],
    ),
  ),
  source('nocheck', 'silences the file', { 'src/cart.ts': `// @ts-nocheck\n${cart}` }),
  source(
    'as-any',
    'takes the types away where it hurts',
    cartWith([index, '(discounts as any)[tier as any]'], [label, 'return (line.count * line.price) as any;']),
  ),
  source(
    'any-types',
    'declares parameters without types',
    cartWith(
      ['const discounts: Record<Tier, number>', 'const discounts: any'],
      [index, 'discounts[tier as any]'],
      ['label(line: Line): string', 'label(line: Line): any'],
    ),
  ),
  source(
    'double-cast',
    'casts twice',
    cartWith(
      [index, 'discounts[tier as unknown as Tier]'],
      [label, 'return (line.count * line.price) as unknown as string;'],
    ),
  ),
  source(
    'non-null',
    'says that the value is there, and casts the other',
    cartWith([index, 'discounts[tier!]'], [label, 'return (line.count * line.price) as never;']),
  ),
  source(
    'json-any',
    'sends the value through a function without types',
    cartWith(
      [index, 'JSON.parse(JSON.stringify(discounts))[String(tier)]'],
      [label, 'return JSON.parse(String(line.count * line.price));'],
    ),
  ),
  source('javascript', 'writes the file in JavaScript, with loose types beside it', {
    'src/cart.ts': null,
    'src/cart.js': plainCart,
    'src/cart.d.ts':
      "import type { Line } from './money.js';\nexport type Tier = 'gold' | 'silver';\nexport function total(lines: Line[], tier?: Tier): number;\nexport function label(line: Line): string;\n",
  }),
  source('out-of-include', 'moves the file out of what is checked, and leaves it out', {
    'src/cart.ts': null,
    'parts/cart.ts': cart.replace('./money.js', '../src/money.js'),
    'src/index.ts': "export { format } from './money.js';\n",
  }),
  source('ambient-module', 'declares that every module is anything', {
    'src/modules.d.ts': "declare module '*';\n",
    'src/cart.ts': null,
    'src/cart.js': plainCart,
  }),
  source('global-any', 'declares a name in a file of types that stands for anything', {
    'src/globals.d.ts': 'type Loose = any;\ndeclare const loose: (value: unknown) => Loose;\n',
    ...cartWith(
      [index, '(discounts as Loose)[tier as Loose]'],
      [label, 'return (line.count * line.price) as Loose;'],
    ),
  }),
  source('generated', 'moves the code into a file that calls itself generated', {
    'src/generated/cart.ts': `// @ts-nocheck generated, do not edit\n${cart.replace('./money.js', '../money.js')}`,
    'src/cart.ts': "export * from './generated/cart.js';\n",
  }),
];

export const tsc: Trick[] = [
  ...judges,
  ...inSource,
  ...surroundingTricks(base, ['script-true', 'npmrc-options', 'npmrc-shell', 'makefile', 'bin']),
];
