import { type Clause, isDisclaimed, sentenceHead, sentenceTail } from './clause.ts';
import { type Echo, echoOf } from './echo.ts';
import { fencedRanges } from './fences.ts';
import { findDone } from './marker.ts';
import { quotedRanges } from './quotes.ts';
import { covers, type Range } from './ranges.ts';
import { isBare, type Token, tokensIn } from './signals.ts';

/** Where an agent said that it is done, and by which word. A claim, not a verdict. */
export interface Claim {
  signal: string;
  /** From 1. */
  line: number;
  /** In UTF-16 units, from 0. */
  offset: number;
  channel: 'text' | 'marker';
}

export interface ClaimOptions {
  signals: readonly string[];
  prompt?: string | undefined;
  nonce?: string | undefined;
}

/**
 * The last completion claim of an output, the marker before any words. In doubt there is none: a missed
 * claim costs an iteration, an invented one ends the run.
 */
export function findClaim(output: string, options: ClaimOptions): Claim | null {
  const done = findDone(output, options);
  if (done !== null)
    return { signal: 'agentgate:done', line: done.line, offset: done.offset, channel: 'marker' };
  const tokens = tokensIn(output, options.signals);
  if (tokens.length === 0) return null;
  const token = lastClaim(output, tokens, echoOf(options.prompt ?? '', options.signals));
  return token === undefined ? null : { ...token, line: lineNumber(output, token.offset), channel: 'text' };
}

function lastClaim(output: string, tokens: readonly Token[], echo: Echo): Token | undefined {
  const fences = fencedRanges(output);
  let line: Line | undefined;
  return tokens.findLast((token) => {
    if (covers(fences, token.offset)) return false;
    // Many tokens may share one long line, so its facts are found once.
    if (line === undefined || token.offset < line.start) line = readLine(output, token.offset, echo);
    return isClaim(output, line, token);
  });
}

interface Line {
  start: number;
  text: string;
  /** Nothing on it counts: it quotes, repeats the prompt, or asks. */
  silent: boolean;
  quoted: readonly Range[];
}

function readLine(output: string, offset: number, echo: Echo): Line {
  const start = output.lastIndexOf('\n', offset - 1) + 1;
  const end = output.indexOf('\n', offset);
  const text = output.slice(start, end < 0 ? output.length : end).trimEnd();
  const silent = /^\s*>/.test(text) || /[?？]["'”’»)*_]*$/.test(text) || echo(text);
  return { start, text, silent, quoted: silent ? [] : quotedRanges(text) };
}

function isClaim(output: string, line: Line, token: Token): boolean {
  const at = token.offset - line.start;
  if (line.silent || covers(line.quoted, at)) return false;
  const before = line.text.slice(Math.max(0, at - windowBefore), at);
  const after = line.text.slice(at + token.signal.length, at + token.signal.length + windowAfter);
  const alone = /^[\s*]*$/.test(before) && /^[.!*]*$/.test(after);
  if (isBare(token.signal) && !alone) return false;
  return !isDisclaimed(clauseAround(output, line, { before, after }, alone));
}

/** How far a sentence is looked at; bounded so that a line of many tokens stays linear. */
const windowBefore = 400;
const windowAfter = 200;
/** Shorter lines are not the wrapped part of a longer one. */
const wrapWidth = 50;

/** The sentence of a token, which may begin on the line before and go on in the next. */
function clauseAround(output: string, line: Line, own: Clause, alone: boolean): Clause {
  const tail = sentenceTail(own.before);
  const opensLine = tail.length === own.before.length && own.before.length < windowBefore;
  const lead = opensLine ? leadIn(output, line, own.before) : '';
  const goesOn = !alone && own.after === '' && line.text.length >= wrapWidth;
  const next = goesOn
    ? output.slice(line.start + line.text.length, line.start + line.text.length + windowAfter)
    : '';
  const after = goesOn && /^[ \t\r]*\n[ \t]*[a-z]/.test(next) ? next.trimStart() : own.after;
  return { before: lead === '' ? tail : `${lead} ${tail}`, after: sentenceHead(after) };
}

/**
 * The end of the line before, when this line continues it: a wrapped sentence, or a token set apart below
 * "I will print:". Otherwise a line stands for itself, as lines of agents mostly do.
 */
function leadIn(output: string, line: Line, before: string): string {
  const above = output.slice(Math.max(0, line.start - windowBefore), line.start);
  const text = above.trimEnd();
  const last = text.slice(text.lastIndexOf('\n') + 1);
  const adjacent = !/\n[ \t\r]*\n/.test(above.slice(text.length));
  const setApart = /^[\s*+•-]*$/.test(before);
  if (setApart) return /:[*_]*$/.test(last) || (adjacent && hangingVerb.test(last)) ? sentenceTail(last) : '';
  const wrapped =
    adjacent && last.length >= wrapWidth && !/[.!?:…)|]$/.test(last) && !/^\s*[-*+#|>\d]/.test(line.text);
  return wrapped ? sentenceTail(last) : '';
}

const hangingVerb = /\b(?:print|say|reply|respond|answer|output|emit|write|with|not|never)$/i;

function lineNumber(text: string, offset: number): number {
  let line = 1;
  for (let i = text.indexOf('\n'); i >= 0 && i < offset; i = text.indexOf('\n', i + 1)) line++;
  return line;
}
