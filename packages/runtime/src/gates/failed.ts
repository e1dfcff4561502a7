import type { Finding, Verdict } from '@agentgate/core';
import { excerpt } from './excerpt.ts';
import { textKey } from './normalise.ts';

const maxFindings = 500;

type Failed = Extract<Verdict, { kind: 'failed' }>;

/** A verdict from what was found and what was said about it, both bounded. */
export function makeFailed(
  findings: readonly Finding[],
  said: string,
  more: Pick<Failed, 'tests' | 'levels' | 'note'> = {},
): Failed {
  const key = textKey(said);
  const left = findings.length - maxFindings;
  const note = [more.note, left > 0 ? `${left} further findings left out` : undefined].filter(Boolean);
  return {
    kind: 'failed',
    findings: findings.slice(0, maxFindings),
    excerpt: excerpt(said, findings),
    ...(more.tests === undefined ? {} : { tests: more.tests }),
    ...(more.levels === undefined ? {} : { levels: more.levels }),
    ...(key === undefined ? {} : { textKey: key }),
    ...(note.length === 0 ? {} : { note: note.join('; ') }),
  };
}

/** One line for each finding, with the place and the first words of its message. */
export function sayFindings(findings: readonly Finding[]): string {
  return findings
    .map(({ title, file, line, message }) => {
      const place = file === undefined || title.includes(file) ? '' : ` (${file}${line ? `:${line}` : ''})`;
      return `${title}${place}${message === undefined ? '' : `\n  ${message.slice(0, 500)}`}`;
    })
    .join('\n');
}

/** The text in quotes, shortened. */
export function quote(text: string): string {
  return JSON.stringify(brief(text));
}

/** A command as one short line. */
export function sayCommand(run: string | readonly string[]): string {
  return brief((typeof run === 'string' ? run : run.join(' ')).trim().replaceAll(/\s+/g, ' '));
}

/** The beginning of a long text. */
export function brief(text: string): string {
  return text.length > 100 ? `${text.slice(0, 99)}…` : text;
}
