import { anatomyOf, substanceOf } from '@agentgate/core';

/** Tests that stand in the source they test, as is the custom in Rust. */
export interface InlineTests {
  /** Tests of the baseline that are gone or no longer the same. */
  differing: string[];
  /** The agent's file with the tests of the baseline. */
  merged: string;
}

/** Compares the tests inside of two versions of a source file. New tests are nobody's concern. */
export function compareInlineTests(path: string, base: string, now: string): InlineTests | null {
  if (!path.endsWith('.rs')) return null;
  const before = blockOf(path, base);
  if (before === null) return null;
  const after = blockOf(path, now);
  const tests = testsIn(path, after === null ? '' : now.slice(after.start, after.end));
  const differing = [...testsIn(path, base.slice(before.start, before.end))]
    .filter(([name, body]) => tests.get(name) !== body)
    .map(([name]) => (tests.has(name) ? `${name} was changed` : `${name} is gone`));
  if (differing.length === 0) return { differing, merged: now };
  const block = base.slice(before.start, before.end);
  const merged =
    after === null ? `${now}\n${block}\n` : `${now.slice(0, after.start)}${block}${now.slice(after.end)}`;
  return { differing, merged };
}

/** Where the tests of a source file stand, if it has any. */
export function blockOf(path: string, text: string): { start: number; end: number } | null {
  const { code } = anatomyOf(path, text);
  const head = /#\[cfg\(test\)\](?:\s*#\[[^\]]{0,300}\]){0,8}\s*(?:pub(?:\([^)]*\))?\s+)?mod\s+\w+\s*\{/.exec(
    code,
  );
  if (head === null) return null;
  const end = closing(code, head.index + head[0].length - 1, code.length);
  return { start: head.index, end };
}

/** Each test by its name, with its attributes and its body, without form. */
function testsIn(path: string, block: string): Map<string, string> {
  const { code } = anatomyOf(path, block);
  const found = new Map<string, string>();
  const heads =
    /(?:#\[[^\]]{0,300}\]\s*){0,8}?#\[(?:\w+::){0,4}(?:test|rstest|test_case|proptest|quickcheck)\b[^\]]{0,300}\]\s*(?:#\[[^\]]{0,300}\]\s*){0,8}(?:pub\s+)?(?:async\s+)?fn\s+(\w+)[^{;]{0,500}\{/g;
  for (const head of code.matchAll(heads)) {
    const start = head.index;
    if (found.size >= mostTests) break;
    const end = closing(code, start + head[0].length - 1, start + longestTest);
    found.set(head[1] ?? '', substanceOf(path, block.slice(start, end)));
  }
  return found;
}

/** More or longer ones are not written by people. */
const mostTests = 2_000;
const longestTest = 50_000;

/** After the bracket that closes the one at a place, or where the search ends. */
function closing(code: string, open: number, most: number): number {
  let depth = 0;
  for (let at = open; at < code.length && at < most; at++) {
    if (code[at] === '{') depth++;
    if (code[at] === '}' && --depth === 0) return at + 1;
  }
  return Math.min(code.length, most);
}
