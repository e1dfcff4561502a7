import { describe, expect, it } from 'vitest';
import { substanceOf } from './index.ts';

type Pair = readonly [name: string, path: string, a: string, b: string];

const same: readonly Pair[] = [
  ['spaces', 'a.ts', 'let x = 1;', 'let   x=1 ;'],
  ['line comments', 'a.ts', 'f(); // why\ng();', 'f();\ng();'],
  ['block comments', 'a.js', 'f(/* a\n b */ x)', 'f(x)'],
  ['a comment between words', 'a.js', 'return/**/x', 'return x'],
  ['windows line ends', 'a.ts', 'a();\r\nb();\r\n', 'a();\nb();\n'],
  ['windows line ends where lines count', 'a.py', 'a = 1\r\nb = 2\r\n', 'a = 1\nb = 2\n'],
  ['odd blanks', 'a.ts', 'let x\f=\u00a01;\v', 'let x=1;'],
  ['a comment behind braces', 'a.ts', 'if (a) { b(); } // c', 'if (a) { b(); }'],
  ['a comment behind an object in a template', 'a.ts', '`${f({ b: {} } /* c */)} d`', '`${f({ b: {} })} d`'],
  ['a comment behind a template', 'a.ts', 'if (`a ${b}`) { c } // d', 'if (`a ${b}`) { c }'],
  ['line breaks', 'a.ts', 'f(\n  a,\n  b\n)', 'f(a,b)'],
  ['a comment in a template expression', 'a.ts', '`x${ a /* c */ }y`', '`x${a}y`'],
  ['a comment after a regex with slashes', 'a.ts', 'x = /[/"]\\/\\/"/g; // c', 'x = /[/"]\\/\\/"/g;'],
  ['a comment after a division', 'a.ts', 'a / b; // c / d\ne', 'a / b;\ne'],
  ['a comment after a closing tag', 'a.tsx', '<a>x</a> // c\n', '<a>x</a>'],
  ['a comment after a lifetime', 'a.rs', "fn f<'a>(x: &'a str) {} // it's", "fn f<'a>(x: &'a str) {}"],
  ['nested comments', 'a.rs', 'a /* x /* y */ z */ b', 'a b'],
  ['raw strings', 'a.rs', 'r#"a " // b"# // c', 'r#"a " // b"#'],
  ['raw strings of Go', 'a.go', 'x := `a // \\` // c', 'x := `a // \\`'],
  ['text blocks', 'a.java', '"""\n // " x\n""" // c', '"""\n // " x\n"""'],
  ['hash comments of PHP', 'a.php', '$a = 1; # c\n#[Attr]', '$a = 1;\n#[Attr]'],
  ['style comments', 'a.css', 'a { color: red; /* c */ }', 'a{color:red;}'],
  ['Python comments', 'a.py', 'x = 1  # c\n\n# d\ny = 2', 'x = 1\ny = 2'],
  ['Python indentation width', 'a.py', 'if a:\n  b\n  if c:\n    d\ne', 'if a:\n    b\n    if c:\n\td\ne'],
  ['Python lines joined in brackets', 'a.py', 'f(a,\n      b)', 'f(a, b)'],
  ['Python lines joined by a backslash', 'a.py', 'x = a + \\\n    b', 'x = a + b'],
  ['Python lines joined in two brackets', 'a.py', 'f((a,\n   b),\n  c)', 'f((a, b), c)'],
  ['Python words joined by a backslash', 'a.py', 'return\\\nx', 'return x'],
  ['a comment in deeper indentation', 'a.py', 'if a:\n    b\n        # c\n    d', 'if a:\n    b\n    d'],
  ['YAML comments', 'a.yaml', 'a: 1 # c\n# d\nb: x#y', 'a: 1\nb: x#y'],
  ['YAML indentation width', 'a.yml', 'a:\n  b: 1\nc: 2', 'a:\n    b: 1\nc: 2'],
  [
    'a comment below a block scalar',
    'a.yml',
    'a:\n  - run: |\n      x\n    n: 1 # c',
    'a:\n  - run: |\n      x\n    n: 1',
  ],
  ['shell comments', 'a.sh', 'a # c\nb', 'a\nb'],
  ['a shell comment with an apostrophe', 'a.sh', "a # don't\nb", 'a\nb'],
  ['a shell comment after a heredoc', 'a.sh', 'cat <<EOF\n# x\nEOF\na # c', 'cat <<EOF\n# x\nEOF\na'],
  ['Dockerfile comments', 'Dockerfile', '# c\nFROM a', 'FROM a'],
  ['Dockerfile comments by a longer name', 'x/Dockerfile.dev', '# c\nFROM a', 'FROM a'],
  ['comments of a script with such a name', 'Makefile.js', 'a // c', 'a'],
  ['Makefile comments', 'Makefile', 'a: b # c\n\tx', 'a: b\n\tx'],
  ['TOML comments', 'a.toml', 'a = 1 # c', 'a=1'],
  ['SQL comments', 'a.sql', 'select 1 -- c\n/* d */ from a', 'select 1 from a'],
  ['Lua comments', 'a.lua', 'a() --[[ x\n y ]] b() -- c', 'a() b()'],
  ['Haskell comments', 'a.hs', "f x' = 'a' {- {- n -} -} -- c", "f x' = 'a'"],
  ['HTML comments', 'a.html', '<p> a <!-- c\n d --></p>', '<p>a</p>'],
  ['Markdown comments', 'a.md', '# A\n\n<!-- c -->\ntext  here', '# A\ntext here'],
  ['JSON white space', 'a.json', '{ "a b": [1, 2] }', '{"a b":[1,2]}'],
  ['white space of unknown kinds', 'notes.txt', 'a  b\n\n( c )', 'a b\n(c)'],
];

const different: readonly Pair[] = [
  ['an identifier', 'a.ts', 'let x = 1;', 'let y = 1;'],
  ['a word that was cut', 'a.ts', 'return x', 'returnx'],
  ['an operator that was cut', 'a.ts', 'a == b', 'a = = b'],
  ['blanks in a string', 'a.ts', '"a b"', '"a  b"'],
  ['slashes in a string', 'a.ts', "x = 'http://a'", "x = 'http://b'"],
  ['slashes in a template', 'a.ts', '`//a`', '`//b`'],
  [
    'a template in a template',
    'a.ts',
    '`${ f(`//${ {a: 1}.a } //b`) } //c`',
    '`${ f(`//${ {a: 1}.a } //b`) } //d`',
  ],
  ['slashes in a regex', 'a.ts', 'x = /a\\//; y', 'x = /a\\//; z'],
  ['a regex after return', 'a.ts', "return /'/ + a // c", "return /'/ + b // c"],
  ['an address in markup', 'a.tsx', '<a>https://a.org</a>', '<a>https://b.org</a>'],
  ['code behind an apostrophe in markup', 'a.tsx', "<a>don't</a>\nx", "<a>don't</a>\ny"],
  ['an address in a style', 'a.scss', 'a{b:url(http://a)}', 'a{b:url(http://b)}'],
  ['a selector of a descendant', 'a.css', '.a .b{}', '.a.b{}'],
  ['Python indentation', 'a.py', 'if a:\n  b\n  c', 'if a:\n  b\nc'],
  ['a docstring', 'a.py', 'def f():\n  """a # b"""', 'def f():\n  """a # c"""'],
  ['a hash in a Python string', 'a.py', "x = '#a'", "x = '#b'"],
  ['YAML indentation', 'a.yaml', 'a:\n  b: 1', 'a:\nb: 1'],
  ['a blank after a YAML colon', 'a.yaml', 'a: 1', 'a:1'],
  ['a hash in a block scalar', 'a.yaml', 'a: |\n  # x\n  y', 'a: |\n  # z\n  y'],
  ['indentation in a block scalar', 'a.yaml', 'a: |\n  x\n   y', 'a: |\n  x\n  y'],
  ['a tab in a Makefile', 'Makefile', 'a:\n\tb', 'a:\n        b'],
  ['a hash in a heredoc', 'a.sh', 'cat <<EOF\n# x\nEOF', 'cat <<EOF\n# y\nEOF'],
  ['a hash in a shell expansion', 'a.sh', 'echo ${a#b}', 'echo ${a#c}'],
  ['blanks in a shell test', 'a.sh', '[ -f x ]', '[-f x ]'],
  ['an escaped blank', 'a.sh', 'echo a\\ b', 'echo a\\;b'],
  ['a line break behind closed brackets', 'a.py', 'f(a)\nb', 'f(a) b'],
  ['a line break behind brackets that were never open', 'a.py', '))\nf(a)\nb', '))\nf(a) b'],
  ['a line break in a script', 'a.sh', 'a\nb', 'a b'],
  ['dashes in a SQL string', 'a.sql', "select '--a'", "select '--b'"],
  ['Markdown headings', 'a.md', '# A\nb', '# A b'],
  ['blanks in a JSON string', 'a.json', '{"a":"b c"}', '{"a":"b  c"}'],
];

describe('form is left out:', () => {
  it.each(same)('%s in %s', (_, path, a, b) => {
    expect(substanceOf(path, a)).toBe(substanceOf(path, b));
  });
});

describe('substance is kept:', () => {
  it.each(different)('%s in %s', (_, path, a, b) => {
    expect(substanceOf(path, a)).not.toBe(substanceOf(path, b));
  });
});

it('reads like the text without its form', () => {
  expect(substanceOf('src/a.ts', 'export const a = 1; // one\n')).toBe('export const a=1;');
  expect(substanceOf('a.py', 'def f(x):\n    return x  # x\n')).toBe('0|def f(x):\n1|return x');
  expect(substanceOf('a.ts', '// only a comment\n')).toBe('');
});

it('takes linear time on what never closes', () => {
  const parts = [
    '/*',
    '"',
    "'",
    '`${',
    '=/[',
    '<<EOF\n',
    'a <<B c\n',
    '{-',
    '"""',
    '\\',
    "'a\\",
    '[[',
    '\n ',
    'x /',
  ];
  for (const path of ['a.ts', 'a.py', 'a.rs', 'a.sh', 'a.hs', 'a.yaml', 'Makefile', 'a.lua', 'a.html']) {
    for (const part of parts) {
      const start = performance.now();
      substanceOf(path, part.repeat(300_000 / part.length));
      expect(performance.now() - start, `${path} ${JSON.stringify(part)}`).toBeLessThan(3_000);
    }
  }
});
