import { createHash } from 'node:crypto';
import { cleanText } from '../process/index.ts';

/**
 * A key of what an output says, equal for two runs that failed in the same way; undefined when it says nothing.
 * Lines are sorted because parallel runners shuffle them.
 */
export function textKey(output: string, root?: string): string | undefined {
  const text = cleanText(output);
  const lines = stableText(root === undefined ? text : withoutRoot(text, root))
    .split('\n')
    .map((line) => line.replace(/^(\s*(?:not )?ok) \d+/, '$1').trim())
    .filter((line) => /[\p{L}\p{N}]/u.test(line));
  return lines.length === 0 ? undefined : hash(lines.sort().join('\n'), 16);
}

/** The text without what differs between two runs of one failure. Numbers that an assertion speaks of stay. */
export function stableText(text: string): string {
  return replaceAll(text, [...volatile, ...passing]);
}

/** A name someone gave, without the parts a machine put into it. Durations inside it were meant, so they stay. */
export function stableName(name: string): string {
  // What a machine puts into a name has a digit or is a path; most names have neither.
  const given = /[\d/]/.test(name) ? replaceAll(name, volatile) : name;
  return given
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/ ?\(?\b\d+(?:\.\d+)? ?(?:ms|s|m)\)?$/, '');
}

/** Makes the paths under the root relative to it. */
export function withoutRoot(text: string, root: string): string {
  const plain = root.replace(/\/+$/, '').replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  // Without the look-behind, the root `/proj` would also be cut out of `/home/proj/x`.
  return plain === '' ? text : text.replace(new RegExp(`(?<![\\w.\\-/])(?:file://)?${plain}/`, 'g'), '');
}

export function hash(text: string, length: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, length);
}

type Rule = readonly [RegExp, string];

// No pattern has two repetitions in a row that fit the same character: output of megabytes would take hours.
const volatile: readonly Rule[] = [
  [/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?/g, '<time>'],
  [/\b\d{1,2}\/\d{1,2}\/\d{4}\b/g, '<time>'],
  [/\b\d{1,2}:\d\d:\d\d(?:[.,]\d+)?(?:\s?[AP]M)?\b/g, '<time>'],
  [/\b1[5-9]\d{8}(?:\d{3})?\b/g, '<time>'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<id>'],
  [/\b0x[0-9a-f]+\b/gi, '<address>'],
  // A digit and a letter both, so that neither `defaced` nor `1000000` is taken for an id.
  [/\b(?=[0-9a-f]*[a-f])(?=[a-f]*\d)[0-9a-f]{7,}\b/gi, '<id>'],
  [
    /(?:\/private)?(?:\/var\/folders\/[^/\s]+\/[^/\s]+\/T|\/var\/tmp|\/tmp|\/dev\/shm)\/[^/\s'"):]+/g,
    '<tmp>',
  ],
];

const passing: readonly Rule[] = [
  [/\b((?:time|elapsed|duration(?:_ms)?)["'=: ]+)\d+(?:\.\d+)?/gi, '$1<n>'],
  [/\b\d+(?:\.\d+)?(?:\s?(?:ms|µs|us|ns|s|secs?|seconds?|mins?|minutes?|hours?)|[mh])\b/g, '<duration>'],
  [/\b\d+(?:\.\d+)?\s?%/g, '<share>'],
  [/(\.\w+)\(\d+,\d+\)/g, '$1'],
  [/(\S):\d+:\d+\b/g, '$1'],
  [/(\.[A-Za-z]\w*):\d+\b/g, '$1'],
  [/\b(lines?|col(?:umn)?)[ :]+\d+(?:-\d+)?/gi, '$1'],
  // The gutter of a code frame.
  [/^[ \t]{0,12}>?[ \t]{0,12}\d{1,7} ?(?=[|│])/gm, ''],
  [/\b(localhost|(?:\d{1,3}\.){3}\d{1,3}|\[::1?\]):\d+/g, '$1'],
  [/\b(port|pid|process)([ =:#]+)\d+/gi, '$1'],
  [/\b(thread '[^'\n]*') \(\d+\)/g, '$1'],
  [/^([ \t]{0,40})\d{1,6}\) /gm, '$1'],
];

function replaceAll(text: string, rules: readonly Rule[]): string {
  return rules.reduce((rest, [pattern, to]) => rest.replace(pattern, to), text);
}
