import { failureKeyFor, type Finding } from '@agentgate/core';
import type { Chapter } from './chronicle.ts';

/** What an iteration's gates said of each finding, in a line beside its title; by the key of its track. */
export function evidenceIn({ judged }: Pick<Chapter, 'judged'>): Map<string, string> {
  const lines = new Map<string, string>();
  for (const { gate, verdict } of judged.values()) {
    if (verdict.kind !== 'failed') continue;
    for (const one of verdict.findings) lines.set(failureKeyFor(gate, one.id), lineOf(one));
  }
  return lines;
}

const most = 300;

function lineOf({ title, file, line, message = '' }: Finding): string {
  const place = file === undefined ? '' : line === undefined ? file : `${file}:${line}`;
  const said = message.trim().split('\n', 1)[0]!.trim();
  const words = title.includes(said) ? '' : said.length > most ? `${said.slice(0, most)} …` : said;
  return [place, words].filter((one) => one !== '').join(' · ');
}
