import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { FaultError, fault } from '@agentgate/core';
import { Trace } from './trace.ts';

/** A line that is no trace, said with its place. */
export interface BadLine {
  file: string;
  line: number;
  message: string;
}

export interface ReadTraces {
  traces: Trace[];
  /** Lines that were left out, because the caller chose so. */
  skipped: BadLine[];
}

const shownLines = 10;
/** A line of more than this is none of ours, and is not worth the memory. */
const longestLine = 16 * 2 ** 20;

/** Reads files of traces, gzipped or plain. A malformed line refuses all of them, or is skipped by choice. */
export function readTraces(
  files: readonly string[],
  { onBadLine = 'refuse' }: { onBadLine?: 'refuse' | 'skip' } = {},
): ReadTraces {
  const traces: Trace[] = [];
  const bad: BadLine[] = [];
  for (const file of files) {
    for (const [at, text] of linesOf(file).entries()) {
      if (text.trim() === '') continue;
      const read = parseTrace(text);
      if (read.kind === 'trace') traces.push(read.trace);
      else bad.push({ file, line: at + 1, message: read.message });
    }
  }
  if (bad.length > 0 && onBadLine === 'refuse') throw new FaultError(fault('usage', refusal(bad)));
  return { traces, skipped: bad };
}

/** Reads one line. Never throws for what it says. */
export function parseTrace(text: string): { kind: 'trace'; trace: Trace } | { kind: 'bad'; message: string } {
  if (text.length > longestLine) return { kind: 'bad', message: `a line of ${text.length} characters` };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { kind: 'bad', message: `not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
  const parsed = Trace.safeParse(value);
  if (parsed.success) return { kind: 'trace', trace: parsed.data };
  const issue = parsed.error.issues[0];
  const path = issue?.path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('');
  return {
    kind: 'bad',
    message: `${path?.replace(/^\./, '') || 'the record'}: ${issue?.message ?? 'not a trace'}`,
  };
}

function linesOf(file: string): string[] {
  const bytes = readBytes(file);
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  try {
    // Some editors and shells begin a file with a mark that nobody sees, and that is no JSON.
    const text = (isGzip ? gunzipSync(bytes) : bytes).toString('utf8').replace(/^\uFEFF/, '');
    return text.split('\n');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new FaultError(fault('usage', `${file}: cannot be unpacked (${why}); it may be cut short`));
  }
}

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new FaultError(fault('usage', `cannot read the traces of ${file}: ${why}`));
  }
}

function refusal(bad: readonly BadLine[]): string {
  const shown = bad.slice(0, shownLines).map(({ file, line, message }) => `  ${file}:${line}: ${message}`);
  const more = bad.length > shownLines ? [`  and ${bad.length - shownLines} more`] : [];
  const lines = bad.length === 1 ? 'a line is no trace' : `${bad.length} lines are no traces`;
  return [`${lines}; mend them, or leave them out with --skip-bad`, ...shown, ...more].join('\n');
}
