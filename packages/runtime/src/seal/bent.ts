import { anatomyOf, type Finding, type TestCase } from '@agentgate/core';
import { stableName } from '../gates/normalise.ts';

/** A file of tests of which some expect what cannot be, and the names of these. */
export interface Bent {
  path: string;
  content: string;
  names: readonly string[];
}

/**
 * A test that compares with a value, told to expect another one, must fail. One that passes all the same is not
 * judged by what it says. Only those are bent that come to their comparison whatever the code under test does.
 */
export function bend(path: string, text: string): Bent | null {
  if (!/\.[cm]?[jt]sx?$/.test(path)) return null;
  const { code } = anatomyOf(path, text);
  if (/\.\s*only\b/.test(code)) return null;
  const found = [...code.matchAll(/(?<![.\w$])(?:it|test)\s*\(\s*(?=["'`])/g)].flatMap(
    (match) => bendOne(text, code, match.index + match[0].length) ?? [],
  );
  const unique = found.filter((one) => found.every((other) => other === one || other.name !== one.name));
  if (unique.length === 0) return null;
  return {
    path,
    content: written(
      text,
      unique.flatMap((one) => one.edits),
    ),
    names: unique.map((one) => one.name),
  };
}

interface Edit {
  from: number;
  to: number;
  text: string;
}

function written(text: string, edits: readonly Edit[]): string {
  let at = 0;
  const parts = edits.flatMap(({ from, to, text: other }) => {
    const before = text.slice(at, from);
    at = to;
    return [before, other];
  });
  return [...parts, text.slice(at)].join('');
}

const title = /'([^'\\\n]+)'|"([^"\\\n]+)"|`([^`\\$\n]+)`/y;
const callback = /\s*,\s*(?:async\b\s*)?(?:function\b\s*\w*\s*)?(?:\([^)]*\)|\w+)\s*(?:=>\s*)?(\{)?/y;

/** One test, from its title on: its name, and what has to be written in it. */
function bendOne(text: string, code: string, at: number): { name: string; edits: Edit[] } | null {
  const named = matchAt(title, text, at);
  if (!named) return null;
  const start = at + named[0].length;
  const head = matchAt(callback, code, start);
  if (!head) return null;
  const from = start + head[0].length;
  const to = closing(code, from);
  const edits = to < 0 ? [] : bendBody(text, code, from, to);
  return edits.length === 0 ? null : { name: named[1] ?? named[2] ?? named[3] ?? '', edits };
}

/** Words after which it is not certain that what follows is come to. */
const turning = /(?:if|return|switch|try|for|while|do|throw)\b/y;
const awaited = /(?:await\s+)?/y;

/** The comparisons that stand in the body itself, and in nothing inside of it. */
function bendBody(text: string, code: string, from: number, to: number): Edit[] {
  const edits: Edit[] = [];
  for (let at = from, begins = true; at < to; ) {
    const character = code[at] ?? '';
    if (begins && /\S/.test(character)) {
      if (matchAt(turning, code, at)) break;
      const expected = expectedAt(code, at + (matchAt(awaited, code, at)?.[0].length ?? 0));
      const other = expected && otherValue(text.slice(expected.from, expected.to));
      if (expected && other) edits.push({ ...expected, text: other });
      begins = false;
    }
    if ('([{'.includes(character)) {
      const end = closing(code, at + 1);
      if (end < 0) break;
      at = end + 1;
      begins = character === '{';
    } else {
      begins ||= character === ';' || character === '\n';
      at++;
    }
  }
  return edits;
}

const expectation = /expect\s*\(/y;
const matcher =
  /\s*\.\s*(?:toBe|toEqual|toStrictEqual|to\s*\.\s*(?:(?:be|deep)\s*\.\s*)?(?:equals?|eql))\s*\(/y;
const assertion = /(?:assert\s*\.\s*)?(?:equal|strictEqual|deepEqual|deepStrictEqual)\s*\(/y;

/** Where the expected value of the comparison stands that begins here. */
function expectedAt(code: string, at: number): { from: number; to: number } | null {
  const asserted = matchAt(assertion, code, at);
  if (asserted) return argumentsAt(code, at + asserted[0].length)[1] ?? null;
  const expected = matchAt(expectation, code, at);
  if (!expected) return null;
  const end = closing(code, at + expected[0].length);
  const compared = end < 0 ? null : matchAt(matcher, code, end + 1);
  return compared ? (argumentsAt(code, end + 1 + compared[0].length)[0] ?? null) : null;
}

/** The arguments of a call, from behind its bracket. */
function argumentsAt(code: string, from: number): { from: number; to: number }[] {
  const end = closing(code, from);
  const found: { from: number; to: number }[] = [];
  let begin = from;
  for (let at = from; at <= end; at++) {
    const character = code[at] ?? '';
    if (at === end || character === ',') {
      found.push({ from: begin, to: at });
      begin = at + 1;
    } else if ('([{'.includes(character)) {
      const inner = closing(code, at + 1);
      if (inner < 0) return [];
      at = inner;
    }
  }
  return found;
}

/** Another value in place of a plain one. It looks like any other, so that whoever reads the tests believes it. */
function otherValue(written: string): string | null {
  const value = written.trim();
  if (/^-?\d+(?:\.\d+)?$/.test(value)) return ` ${Number((Number(value) + 1009).toPrecision(12))}`;
  if (/^'[^'\\\n]*'$|^"[^"\\\n]*"$/.test(value)) return ` ${value.slice(0, -1)} or not${value.slice(-1)}`;
  return /^(?:true|false|null)$/.test(value) ? ' 1009' : null;
}

/** Where the bracket closes behind which this place is; less than 0 where it does not. */
function closing(code: string, from: number): number {
  let depth = 0;
  for (let at = from; at < code.length; at++) {
    const character = code[at] ?? '';
    if ('([{'.includes(character)) depth++;
    else if (')]}'.includes(character) && depth-- === 0) return at;
  }
  return -1;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** What to say of the tests that passed although they expect what cannot be. */
export function passingWhenBent(bent: readonly Bent[], cases: readonly TestCase[]): Finding[] {
  return bent.flatMap(({ path, names }) =>
    names.filter((name) => hasPassed(path, stableName(name), cases)).map((name) => finding(path, name)),
  );
}

function hasPassed(path: string, name: string, cases: readonly TestCase[]): boolean {
  const called = cases.filter(({ id }) => id === `test:${name}` || id.endsWith(` > ${name}`));
  const here = called.filter(({ file }) => file === path);
  // A report without files does not tell two tests of one name apart.
  const mine = here.length > 0 ? here : called.filter(({ file }) => file === undefined);
  return mine.length === 1 && mine[0]?.status === 'passed';
}

const finding = (path: string, name: string): Finding => ({
  id: `integrity:bent:${path} > ${name}`,
  title: `${name} passes whatever it expects`,
  file: path,
  message: `with another value in ${path} it must fail, and it passed: what it says is not what decides`,
});
