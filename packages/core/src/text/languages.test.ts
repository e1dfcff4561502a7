import { describe, expect, it } from 'vitest';
import { substanceOf } from './index.ts';

const isComment = (path: string, mark: string) =>
  substanceOf(path, `x y ${mark}\n`) === substanceOf(path, 'x y\n');
const each = (...rows: (readonly [extensions: string, mark: string])[]) =>
  rows.flatMap(([extensions, mark]) => extensions.split(' ').map((one) => [one, mark] as const));

const slashes =
  'js ts jsx tsx mjs cjs mts cts jsonc json5 c h cpp cc cxx hpp hh go rs swift kt kts scala java cs dart proto php scss less';
const hashes = 'py pyi rb pl pm r sh bash zsh yaml yml toml mk php';
const markup = 'html htm xml svg vue svelte md markdown mdx';

describe('a comment of', () => {
  it.each(
    each(
      [slashes, '// c'],
      [`${slashes} css sql`, '/* c */'],
      [hashes, '# c'],
      ['sql lua hs', '-- c'],
      ['lua', '--[[ c\n d ]]'],
      ['lua', '--[=[ c ]] d ]=]'],
      ['hs', '{- c {- d -} -}'],
      [markup, '<!-- c -->'],
    ),
  )('%s: %s', (extension, mark) => expect(isComment(`src/a.${extension}`, mark)).toBe(true));

  it.each([['Makefile'], ['GNUmakefile'], ['Gemfile'], ['Rakefile'], ['lib/Rakefile.old'], ['A.PY']])(
    '%s, by its name: # c',
    (path) => expect(isComment(path, '# c')).toBe(true),
  );
});

describe('no comment of', () => {
  it.each(
    each(
      ['json css md html py txt', '// c'],
      ['js c json css sql html md txt', '# c'],
      ['js py rb txt', '-- c'],
      ['js py txt', '<!-- c -->'],
      ['json py sh txt', '/* c */'],
    ),
  )('%s: %s', (extension, mark) => expect(isComment(`src/a.${extension}`, mark)).toBe(false));

  it('a folder with such a name, or a name without an ending', () => {
    expect(isComment('a.py/notes', '# c')).toBe(false);
    expect(isComment('py', '# c')).toBe(false);
    expect(isComment('Makefile.txt', '# c')).toBe(true);
  });
});

type Pair = readonly [name: string, path: string, a: string, b: string];

const same: readonly Pair[] = [
  ['a comment behind a semicolon', 'a.sh', 'a;# c', 'a;'],
  ['a comment behind a bracket', 'a.sh', '(# c\na)', '(\na)'],
  ['an indented comment', 'Dockerfile', 'FROM a\n \t# c', 'FROM a'],
  ['a comment behind a colon', 'a.ts', 'case 1:// c\nx', 'case 1:\nx'],
  ['a comment alone behind a colon', 'a.ts', 'case 1://\nx', 'case 1:\nx'],
  ['an apostrophe in a YAML comment', 'a.yaml', "a: 1 # don't\nb: 2 # c", 'a: 1\nb: 2'],
  ['an apostrophe in a YAML word', 'a.yaml', "a: don't # c", "a: don't"],
  ['a comment behind a verbatim text', 'a.cs', 'x = @"a\\" // c', 'x = @"a\\"'],
  ['a comment behind a literal text', 'a.toml', "a = 'b\\' # c", "a = 'b\\'"],
  ['a comment behind a raw text', 'a.kt', 'x = """a\\""" // c', 'x = """a\\"""'],
  ['blanks around a selector', 'a.css', 'a > b , c { d : e }', 'a>b,c{d :e}'],
  ['blanks around tags', 'a.html', '<a> <b> c </b> </a>', '<a><b>c</b></a>'],
];

const different: readonly Pair[] = [
  ['a hash in a word', 'a.sh', 'a#b', 'a#c'],
  ['a hash behind a command', 'Dockerfile', 'RUN a # b', 'RUN a # c'],
  ['an address', 'a.ts', '<a>http://b</a>', '<a>http://c</a>'],
  ['an attribute', 'a.php', '#[A]', '#[B]'],
  ['an operator of dashes', 'a.hs', 'a -->b', 'a -->c'],
  ['a hash in a literal text of several lines', 'a.toml', "a = '''\n# b'''", "a = '''\n# c'''"],
  ['a long text of Lua', 'a.lua', 'a = [[ -- b ]]', 'a = [[ -- c ]]'],
  ['a long text of Dart', 'a.dart', "a = '''\n// b'''", "a = '''\n// c'''"],
  ['a text of Swift', 'a.swift', 'a = """\n// b\n"""', 'a = """\n// c\n"""'],
  ['a text over lines of PHP', 'a.php', "$a = 'b\n# c';", "$a = 'b\n# d';"],
  ['a text over lines of Ruby', 'a.rb', 'a = "b\n# c"', 'a = "b\n# d"'],
  ['a text over lines of a shell', 'a.sh', "a 'b\n# c'", "a 'b\n# d'"],
  ['a text over lines of YAML', 'a.yaml', 'a: "b\n  # c"', 'a: "b\n  # d"'],
  ['a text over lines of SQL', 'a.sql', "select 'a\n-- b'", "select 'a\n-- c'"],
  ['a text over lines of Rust', 'a.rs', 'a = "b\n// c"', 'a = "b\n// d"'],
  ['a line break of R', 'a.r', 'a\nb', 'a b'],
  ['a line break of Markdown', 'a.md', 'a\nb', 'a b'],
  ['a blank of a recipe', 'Makefile', 'a: b c', 'a: bc'],
];

describe('form:', () => {
  it.each(same)('%s in %s', (_, path, a, b) => expect(substanceOf(path, a)).toBe(substanceOf(path, b)));
});

describe('substance:', () => {
  it.each(different)('%s in %s', (_, path, a, b) =>
    expect(substanceOf(path, a)).not.toBe(substanceOf(path, b)),
  );
});
