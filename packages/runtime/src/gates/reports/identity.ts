import type { Finding } from '@agentgate/core';
import { hash, stableName, stableText } from '../normalise.ts';
import { symbolOf } from './symbol.ts';

const maxId = 300;
const maxMessage = 500;
const maxRead = 8_000;

/** A test is its file and its full name, never its line. */
export function testId(file: string | undefined, names: readonly string[]): string {
  const path = names
    .map(stableName)
    .filter((name) => name !== '')
    .join(' > ');
  if (file === undefined || path === file || path.startsWith(`${file} > `)) return bounded(`test:${path}`);
  return bounded(`test:${path === '' ? file : `${file} > ${path}`}`);
}

export interface Complained {
  kind: 'lint' | 'type';
  rule: string;
  file?: string | undefined;
  message: string;
  /** The line that is complained about, as it is written in the file. */
  source?: string | undefined;
}

/**
 * A complaint about a place in a file is its rule, its file and what stands there, never its line or column. A type
 * error that names a symbol is its code, its file and that symbol: the types in the message may be spelt anew.
 */
export function placeId({ kind, rule, file, message, source }: Complained): string {
  const symbol = kind === 'type' ? symbolOf(message) : undefined;
  const at = file === undefined ? '' : `${file}:`;
  if (symbol !== undefined) return bounded(`${kind}:${rule}:${at}${symbol}`);
  // Some formats of one tool end the message with a full stop and some do not.
  const words = stableText(message.trim().replace(/\.$/, ''));
  return bounded(`${kind}:${rule}:${at}${hash(source === undefined ? words : `${words}\n${source}`, 8)}`);
}

/** The second finding of one id becomes ` #2`, so that fixing one of two alike leaves one. */
export function numbered(findings: readonly Finding[]): Finding[] {
  const seen = new Map<string, number>();
  return findings.map((finding) => {
    const count = (seen.get(finding.id) ?? 0) + 1;
    seen.set(finding.id, count);
    return count === 1 ? finding : { ...finding, id: `${finding.id} #${count}` };
  });
}

/** At most 500 characters, telling parts first; undefined when none says anything. */
export function tell(...parts: readonly (string | undefined)[]): string | undefined {
  const lines = parts.flatMap(
    (part) =>
      part
        ?.slice(0, maxRead)
        .replace(/\[\d+(?:;\d+)*m/g, '')
        .split('\n') ?? [],
  );
  const text = lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');
  if (text === '') return undefined;
  return text.length > maxMessage ? `${text.slice(0, maxMessage - 1)}…` : text;
}

/** Whether a name is a source file, as runners name a file that could not load. */
export function isFile(name: string): boolean {
  return /^[^\s:]+\.(?:[cm]?[jt]sx?|py|rb|go|rs|php|java|kt|cs|swift|dart|exs?|lua|vue|svelte|sh|t|feature)$/.test(
    name,
  );
}

export interface Place {
  file: string;
  line: number;
}

/** The first place in a stack that belongs to the project. */
export function projectPlace(stack: string): Place | undefined {
  const head = stack.slice(0, maxRead);
  for (const match of head.matchAll(/((?:[\w@.+-]+\/)*[\w@.+-]+\.[a-z]\w{0,5}):(\d+)(?::\d+)?/gi)) {
    const [, file = '', line] = match;
    // Paths under the root are relative by now: one that a slash or a scheme precedes lies outside of it.
    const outside = /[/:\w]$/.test(head.slice(0, match.index)) || file.startsWith('../');
    if (!outside && !file.includes('node_modules/')) {
      return { file: file.replace(/^\.\//, ''), line: Number(line) };
    }
  }
  return undefined;
}

function bounded(id: string): string {
  return id.length <= maxId ? id : `${id.slice(0, maxId)}…${hash(id, 8)}`;
}
