import type { Finding } from '@agentgate/core';
import { cleanText } from '../process/index.ts';

const maxChars = 2_000;
const maxLine = 300;
const told = { findings: 5, before: 1, after: 10 };

/** The telling part of an output, at most 2,000 characters: the lines around the first failures, else the end. */
export function excerpt(output: string, findings: readonly Finding[] = []): string {
  const lines = cleanText(output)
    .split('\n')
    .map((line) => (line.length > maxLine ? `${line.slice(0, maxLine)}…` : line).trimEnd());
  const windows = findings.slice(0, told.findings).flatMap((finding) => windowOf(lines, finding));
  const text = windows.length === 0 ? '' : join(lines, windows);
  return text === '' ? lines.join('\n').trim().slice(-maxChars) : text.slice(0, maxChars);
}

interface Window {
  from: number;
  to: number;
}

function windowOf(lines: readonly string[], finding: Finding): Window[] {
  const at = clues(finding)
    .map((clue) => lines.findIndex((line) => line.includes(clue)))
    .find((index) => index !== -1);
  return at === undefined ? [] : [{ from: Math.max(0, at - told.before), to: at + told.after }];
}

// The words of the failure stand nearer to its cause than its name, which a list of all tests may show first.
function clues({ title, file, line, message }: Finding): string[] {
  const first = message?.split('\n')[0]?.slice(0, 80);
  const last = title.split(' > ').at(-1);
  const place = file === undefined || line === undefined ? undefined : `${file}:${line}`;
  return [first, place, last].filter((clue) => clue !== undefined && clue.length > 3).map(String);
}

function join(lines: readonly string[], windows: readonly Window[]): string {
  const parts: string[] = [];
  let end = -1;
  for (const { from, to } of windows.toSorted((a, b) => a.from - b.from)) {
    const start = Math.max(from, end);
    const part = lines
      .slice(start, to)
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim();
    if (part !== '') parts.push(end !== -1 && start > end ? `…\n${part}` : part);
    end = Math.max(end, to);
  }
  return parts.join('\n');
}
