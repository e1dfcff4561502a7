import fc from 'fast-check';
import { expect, it } from 'vitest';
import { substanceOf } from './index.ts';

const name = fc.stringMatching(/^[a-z]{1,6}$/).map((word) => `v_${word}`);
const text = fc.stringMatching(/^[a-z #/*'-]{0,12}$/).map((value) => JSON.stringify(value));
const value = fc.oneof(name, text, fc.nat().map(String));

interface Language {
  path: string;
  comment: string;
  statement: (left: string, right: string, depth: number) => string;
}

const languages: readonly Language[] = [
  { path: 'a.js', comment: '// c "x', statement: (a, b, depth) => `${'  '.repeat(depth)}${a} = ${b};` },
  { path: 'a.py', comment: '# c "x', statement: (a, b, depth) => `${'    '.repeat(depth)}${a} = ${b}` },
  { path: 'a.yaml', comment: '# c "x', statement: (a, b, depth) => `${'  '.repeat(depth)}${a}: ${b}` },
];
const language = fc.constantFrom(...languages);
const statements = fc.array(fc.tuple(name, value, fc.nat(3)), { minLength: 1, maxLength: 8 });

it('is blind to blank lines, trailing blanks and comments', () => {
  const noise = fc.array(fc.constantFrom('blank', 'spaces', 'comment', 'indented', 'trailing'), {
    maxLength: 20,
  });
  fc.assert(
    fc.property(language, statements, noise, ({ path, comment, statement }, list, kinds) => {
      const lines = list.map((parts) => statement(...parts));
      const noisy = lines.flatMap((line, index) => {
        switch (kinds[index]) {
          case 'blank':
            return ['', line];
          case 'spaces':
            return ['   \t', line];
          case 'comment':
            return [comment, line, ''];
          case 'indented':
            return [`        ${comment}`, line];
          case 'trailing':
            return [`${line}  \t ${comment}  `];
          default:
            return [line];
        }
      });
      expect(substanceOf(path, `${noisy.join('\n')}\n\n`)).toBe(substanceOf(path, lines.join('\n')));
    }),
  );
});

it('sees every changed name and value', () => {
  fc.assert(
    fc.property(language, statements, fc.nat(), value, ({ path, statement }, list, at, changed) => {
      const index = at % list.length;
      const other = list.map((parts, i) =>
        i === index ? ([parts[0], changed, parts[2]] as typeof parts) : parts,
      );
      const write = (all: typeof list) =>
        substanceOf(path, all.map((parts) => statement(...parts)).join('\n'));
      expect(write(other) === write(list)).toBe(changed === list[index]?.[1]);
    }),
  );
});

it('never throws, and adds little, whatever the text', () => {
  const paths =
    'a.ts a.py a.yaml a.sh a.rs a.hs a.lua a.sql a.css a.html a.md a.json a.toml a.php Makefile Dockerfile x';
  const path = fc.constantFrom(...paths.split(' '));
  const pieces = fc.constantFrom(
    '"',
    "'",
    '`',
    '${',
    '}',
    '/*',
    '*/',
    '//',
    '#',
    '--',
    '[[',
    '<!--',
    '\\',
    '\n',
    '  ',
    '\t',
    '<<A',
    'A',
    '|',
    '/',
  );
  const messy = fc
    .array(fc.oneof(pieces, fc.string({ unit: 'binary', maxLength: 4 })))
    .map((list) => list.join(''));
  fc.assert(
    fc.property(path, messy, (file, content) => {
      expect(substanceOf(file, content).length).toBeLessThanOrEqual(content.length * 4 + 4);
    }),
    { numRuns: 500 },
  );
});
