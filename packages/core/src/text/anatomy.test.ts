import { describe, expect, it } from 'vitest';
import { anatomyOf } from './index.ts';

const shown = (path: string, text: string) => {
  const { code, spoken, comments } = anatomyOf(path, text);
  return {
    code: code.replaceAll(/ +/g, ' ').trim(),
    spoken: spoken.replaceAll(/ +/g, ' ').trim(),
    comments: comments.map((one) => one.text),
  };
};

describe('the anatomy of a text', () => {
  it.each([
    ['a line comment', 'a.ts', 'f(); // as any', 'f();', ['// as any']],
    ['a block comment', 'a.ts', 'f(/* x\n y */ a)', 'f( \n a)', ['/* x\n y */']],
    ['a string', 'a.ts', 'f("as any")', 'f(" ")', []],
    ['a comment mark in a string', 'a.ts', "f('// no')", "f(' ')", []],
    ['a template with an expression', 'a.ts', '`a ${b as any} c`', '` {b as any} `', []],
    ['a regular expression', 'a.ts', 'x = /as any/g', 'x = / /g', []],
    ['a division', 'a.ts', 'a / b / c', 'a / b / c', []],
    ['a comment straight after a colon', 'a.ts', 'a ? b ://@ts-ignore\nc', 'a ? b : \nc', ['//@ts-ignore']],
    ['an address between tags', 'a.tsx', '<p>http://a.org</p>', '<p>http://a.org</p>', []],
    [
      'an apostrophe between tags, and what follows it',
      'a.tsx',
      "<p>don't</p> {/* @ts-ignore */}",
      "<p>don't</p> { }",
      ['/* @ts-ignore */'],
    ],
    ['a string after a word', 'a.ts', "import a from'b'", "import a from' '", []],
    ['a script in markup', 'a.vue', '<script>\nf() // x\n</script>', '<script>\nf() \n</script>', ['// x']],
    ['a docstring', 'a.py', 'def f():\n  """pytest.skip()"""', 'def f():\n " "', []],
    ['a Python comment', 'a.py', "x = '#a' # noqa", "x = ' '", ['# noqa']],
    ['an attribute of Rust', 'a.rs', '#[allow(dead_code)] // x', '#[allow(dead_code)]', ['// x']],
    ['a here-document', 'a.sh', 'cat <<EOF\nexit 0\nEOF\nexit 1', 'cat <<EOF\n \n \nexit 1', []],
    ['a text of unknown kind', 'a.unknown', '# "x"', '# "x"', []],
  ])('tells %s from code', (_name, path, text, code, comments) => {
    expect(shown(path, text)).toMatchObject({ code, comments });
  });

  it('keeps strings where they are spoken', () => {
    expect(shown('a.ts', "f('x') // y").spoken).toBe("f('x')");
  });

  it('leaves every character and line where it was', () => {
    const text = 'a /* b\nc */ "d" `e${f}\n` // g\r\nh';
    const { code, spoken } = anatomyOf('a.ts', text);
    expect([code.length, spoken.length]).toEqual([text.length, text.length]);
    expect(code.split('\n').length).toBe(text.split('\n').length);
    expect(code.indexOf('h')).toBe(text.indexOf('h'));
  });

  it('takes linear time on texts made to be slow', () => {
    const start = performance.now();
    for (const unit of ['"', "'", '`${', '/', '/*', '<<A\n', "a'", '\\'])
      anatomyOf('a.ts', unit.repeat(100_000));
    expect(performance.now() - start).toBeLessThan(4_000);
  });
});
