import type { Ratchet } from '@agentgate/core';
import type { Rewritten } from './answers.ts';
import { shownPath } from './text.ts';

/** Examples in Python code that say another result than before: some runners take them for tests. */
export function changedExamples(sources: readonly Rewritten[]): Ratchet[] {
  return sources.flatMap(({ path, before, after }) => {
    if (!path.endsWith('.py') || !before.includes('>>>')) return [];
    const now = examplesIn(after);
    const changed = [...examplesIn(before)].filter(([asked, told]) => (now.get(asked) ?? told) !== told);
    if (changed.length === 0) return [];
    const title = `an example in ${shownPath(path)} says another result`;
    const message = changed
      .slice(0, 3)
      .map(([asked, told]) => `>>> ${asked}: ${told || 'nothing'} → ${now.get(asked) || 'nothing'}`)
      .join('\n');
    const count = changed.length;
    return [
      {
        id: `assertion:example:${path}`,
        title,
        file: path,
        kind: 'assertion' as const,
        before: 0,
        after: count,
        message,
      },
    ];
  });
}

/** What is asked, and what it is said to print. */
function examplesIn(text: string): Map<string, string> {
  const found = new Map<string, string>();
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; at++) {
    const asked = /^\s*>>> (.*)$/.exec(lines[at]!)?.[1];
    if (asked === undefined) continue;
    const more: string[] = [asked];
    while (/^\s*\.\.\. ?/.test(lines[at + 1] ?? '')) more.push(lines[++at]!.trim());
    const told: string[] = [];
    while (/\S/.test(lines[at + 1] ?? '') && !/^\s*(?:>>>|"""|''')/.test(lines[at + 1]!))
      told.push(lines[++at]!.trim());
    found.set(more.join('\n'), told.join('\n'));
  }
  return found;
}
