import type { Comment, Grammar, Quote, Trait, Where } from './grammar.ts';
import { spacing, wordCharacter } from './spacing.ts';

/** The grammar of a file by its name; a text of unknown kind has neither comments nor strings. */
export function grammarOf(path: string): Grammar {
  const [stem = '', ...endings] = path
    .slice(path.lastIndexOf('/') + 1)
    .toLowerCase()
    .split('.');
  // Makefile.js is a script, Dockerfile.dev is not.
  return byExtension.get(endings.at(-1) ?? '') ?? byName.get(stem) ?? plain;
}

const atWord: Where = (text, at) => at === 0 || /[\s;&|(){}[\],]/.test(text[at - 1] ?? '');
const atLine: Where = (text, at) => {
  let i = at - 1;
  while (text[i] === ' ' || text[i] === '\t') i--;
  return i < 0 || text[i] === '\n';
};
/** The slashes of an address in markup or a style are text; in doubt text is kept. */
const notInAddress: Where = (text, at) => text[at - 1] !== ':' || /^\s?$/.test(text[at + 2] ?? '');
const notAttribute: Where = (text, at) => text[at + 1] !== '[';
const notOperator: Where = (text, at) => !/[!#$%&*+./<=>?@\\^|~:]/.test(text[at + 2] ?? '');
const notInName: Where = (text, at) => !wordCharacter.test(text[at - 1] ?? ' ');

function quote(open: string, form: 'short' | 'long' | 'raw' = 'short', close = open, only?: Where): Quote {
  return { open, close, escapes: form !== 'raw', long: form !== 'short', ...(only && { only }) };
}

const slashes: Comment = { open: '//', only: notInAddress };
const block: Comment = { open: '/*', close: '*/' };
const nestedBlock: Comment = { open: '/*', close: '*/', nested: true };
const dashes: Comment = { open: '--' };
const hash: Comment = { open: '#' };
const hashWord: Comment = { open: '#', only: atWord };
const markup: Comment = { open: '<!--', close: '-->' };
const short = [quote('"'), quote("'")];
const long = [quote('"', 'long'), quote("'", 'long')];
const triple = quote('"""', 'long');
const tripleRaw = quote('"""', 'raw');

type Part = Partial<Omit<Grammar, 'traits'>> & { traits?: readonly Trait[] };

function grammar({
  comments = [],
  quotes = [],
  layout = 'free',
  keepsSpace = spacing.code,
  traits = [],
}: Part): Grammar {
  return { comments, quotes, layout, keepsSpace, traits: new Set(traits) };
}

const plain = grammar({});
const script = grammar({ comments: [slashes, block], quotes: short, traits: ['regexes', 'templates'] });
const shell = grammar({
  comments: [hashWord],
  quotes: [quote('"', 'long'), quote("'", 'raw')],
  layout: 'lines',
  keepsSpace: spacing.always,
  traits: ['escapes', 'heredocs'],
});
const make = grammar({
  comments: [hashWord],
  quotes: short,
  layout: 'depth',
  keepsSpace: spacing.always,
  traits: ['escapes', 'tabs'],
});
const docker = grammar({
  comments: [{ open: '#', only: atLine }],
  quotes: short,
  layout: 'lines',
  keepsSpace: spacing.always,
  traits: ['escapes', 'heredocs'],
});
const ruby = grammar({
  comments: [hashWord],
  quotes: long,
  layout: 'lines',
  keepsSpace: spacing.always,
  traits: ['heredocs'],
});

const byName = new Map<string, Grammar>([
  ['makefile', make],
  ['gnumakefile', make],
  ['dockerfile', docker],
  ['containerfile', docker],
  ['gemfile', ruby],
  ['rakefile', ruby],
]);

const character: readonly Trait[] = ['characters'];
const families: readonly (readonly [string, Grammar])[] = [
  ['js ts jsx tsx mjs cjs mts cts jsonc json5', script],
  ['json', grammar({ quotes: [quote('"')] })],
  ['c h', grammar({ comments: [slashes, block], quotes: [quote('"')], traits: ['escapes', 'characters'] })],
  [
    'cpp cc cxx hpp hh',
    grammar({
      comments: [slashes, block],
      quotes: [quote('R"(', 'raw', ')"', notInName), quote('"')],
      traits: ['escapes', 'characters'],
    }),
  ],
  ['go', grammar({ comments: [slashes, block], quotes: [quote('"'), quote('`', 'raw')], traits: character })],
  [
    'rs',
    grammar({
      comments: [slashes, nestedBlock],
      quotes: [
        quote('r##"', 'raw', '"##', notInName),
        quote('r#"', 'raw', '"#', notInName),
        quote('r"', 'raw', '"', notInName),
        quote('"', 'long'),
      ],
      traits: character,
    }),
  ],
  ['swift', grammar({ comments: [slashes, nestedBlock], quotes: [triple, quote('"')] })],
  [
    'kt kts scala',
    grammar({ comments: [slashes, nestedBlock], quotes: [tripleRaw, quote('"')], traits: character }),
  ],
  ['java', grammar({ comments: [slashes, block], quotes: [triple, quote('"')], traits: character })],
  [
    'cs',
    grammar({
      comments: [slashes, block],
      quotes: [tripleRaw, quote('@"', 'raw', '"'), quote('"')],
      traits: character,
    }),
  ],
  ['dart proto', grammar({ comments: [slashes, block], quotes: [triple, quote("'''", 'long'), ...short] })],
  ['php', grammar({ comments: [slashes, block, { open: '#', only: notAttribute }], quotes: long })],
  ['css', grammar({ comments: [block], quotes: short, keepsSpace: spacing.style })],
  ['scss less', grammar({ comments: [slashes, block], quotes: short, keepsSpace: spacing.style })],
  [
    'py pyi',
    grammar({
      comments: [hash],
      quotes: [triple, quote("'''", 'long'), ...short],
      layout: 'depth',
      traits: ['joins', 'escapes'],
    }),
  ],
  ['rb', ruby],
  ['pl pm', ruby],
  ['r', grammar({ comments: [hash], quotes: long, layout: 'lines' })],
  ['sh bash zsh', shell],
  [
    'yaml yml',
    grammar({
      comments: [hashWord],
      quotes: [quote('"', 'long', '"', atWord), quote("'", 'raw', "'", atWord)],
      layout: 'depth',
      keepsSpace: spacing.always,
      traits: ['block-scalars'],
    }),
  ],
  [
    'toml',
    grammar({
      comments: [hash],
      quotes: [triple, quote("'''", 'raw'), quote('"'), { ...quote("'"), escapes: false }],
      layout: 'lines',
    }),
  ],
  ['mk', make],
  ['sql', grammar({ comments: [dashes, block], quotes: [quote("'", 'raw'), quote('"', 'raw')] })],
  [
    'lua',
    grammar({
      comments: [{ open: '--[[', close: ']]' }, { open: '--[=[', close: ']=]' }, dashes],
      quotes: [quote('[[', 'raw', ']]'), quote('[=[', 'raw', ']=]'), ...short],
    }),
  ],
  [
    'hs',
    grammar({
      comments: [
        { open: '{-', close: '-}', nested: true },
        { open: '--', only: notOperator },
      ],
      quotes: [quote('"')],
      layout: 'depth',
      traits: character,
    }),
  ],
  ['html htm xml svg vue svelte', grammar({ comments: [markup], keepsSpace: spacing.markup })],
  ['md markdown mdx', grammar({ comments: [markup], layout: 'lines', keepsSpace: spacing.always })],
];

const byExtension = new Map(
  families.flatMap(([names, form]) => names.split(' ').map((name) => [name, form] as const)),
);
