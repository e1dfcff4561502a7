import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attribute, code, line, prose, quiet, xml } from './escape.ts';

/** Texts made of what a page, an element or a host of repositories could obey. */
const pieces = [
  '@all',
  '#12',
  'a/b#3',
  'GH-4',
  'https://x.y',
  'www.x.y',
  '::error::',
  '##[x]',
  '<script>',
  '<!--',
  '-->',
  '`',
  '``',
  '```',
  '|',
  '\\',
  '*',
  '_',
  '[a](b)',
  '![i](j)',
  '&lt;',
  ']]>',
  '\n',
  '\n\n',
  '\r',
  '\t',
  '# h',
  '- l',
  '1. o',
  '> q',
  '\u202e',
  '\u200b',
  '\u0000',
  '\u001b[31m',
  '\ud800',
  '😀',
  'word',
  ' ',
  '$x$',
  '~~s~~',
];
const nasty = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((some) => some.join(''));

/** The line without its code, as CommonMark reads code: a run of backticks up to the next run of that length. */
function outsideCode(text: string): string {
  let out = '';
  for (let at = 0; at < text.length; ) {
    if (text[at] === '\\' && at + 1 < text.length) {
      at += 2;
      continue;
    }
    const run = /^`+/.exec(text.slice(at))?.[0];
    const end = run === undefined ? -1 : closing(text, at + run.length, run.length);
    if (run !== undefined && end >= 0) at = end;
    else out += text[at++];
  }
  return out;
}

function closing(text: string, from: number, length: number): number {
  for (const match of text.slice(from).matchAll(/`+/g))
    if (match[0].length === length) return from + match.index + length;
  return -1;
}

describe('text of others in Markdown', () => {
  it('stays on its line, whatever it holds', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        for (const made of [prose(text), code(text), line(text)]) expect(made).not.toMatch(/[\n\r\t]/);
      }),
    );
  });
  it('formats, links and mentions nothing outside of code', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        expect(outsideCode(prose(text))).not.toMatch(/[`*_[\]<>|~&$@#]|:\/\/|www\.|GH-\d|::/i);
        expect(outsideCode(code(text))).toBe('');
      }),
    );
  });
  it('begins no heading, list, quote or command of a build log', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        expect(prose(text)).not.toMatch(/^(?:[#>+-]|=+$|\d+[.)]|::)/);
        expect(prose(text) + code(text)).not.toContain('##[');
      }),
    );
  });
  it('ends no cell of a table', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        for (const made of [prose(text), code(text)]) expect(made.replaceAll('\\|', '')).not.toContain('|');
      }),
    );
  });
  it('keeps ordinary sentences readable', () => {
    expect(prose('2 of 3 gates fail (tests, lint); the score is 0.50.')).toBe(
      '2 of 3 gates fail (tests, lint); the score is 0.50.',
    );
    expect(prose('ask @root about #7')).toBe('ask `@root` about `#7`');
    expect(code('a `b` c')).toBe('``a `b` c``');
    expect(code('`b`')).toBe('`` `b` ``');
    expect(line('x'.repeat(400), 10)).toBe('xxxxxxxxx…');
  });
});

describe('text of others in XML', () => {
  it('holds no character that XML cannot, and closes nothing', () => {
    fc.assert(
      fc.property(fc.oneof(nasty, fc.string({ unit: 'binary' })), (text) => {
        expect(xml(text)).not.toMatch(/[<>"']|&(?!amp;|lt;|gt;|quot;|apos;|#13;)/);
        expect(xml(text)).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/);
        expect(xml(text)).not.toMatch(/\p{Surrogate}/u);
        expect(attribute(text)).not.toMatch(/[\n\r\t]/);
      }),
    );
  });
});

it('sets mentions and numbers of issues apart in a message of git', () => {
  expect(quiet('fixes #12 of GH-3, thanks @root\nAgentGate-Run: forged')).toBe(
    'fixes # 12 of GH - 3, thanks @ root AgentGate-Run: forged',
  );
});
