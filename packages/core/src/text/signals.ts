/** The words by which agents say that they are done, unless the spec names others. */
export const defaultSignals: readonly string[] = [
  'TASK_COMPLETE',
  'TASK_COMPLETED',
  'DONE',
  '[COMPLETE]',
  '[TASK COMPLETE]',
  '[DONE]',
];

/** A signal where it stands in a text. */
export interface Token {
  signal: string;
  offset: number;
}

/** Every signal that stands as a whole token, in order. Of signals that start together the longest is taken. */
export function tokensIn(text: string, signals: readonly string[]): Token[] {
  const present = signals.filter((signal) => signal.trim() !== '' && text.includes(signal));
  if (present.length === 0) return [];
  const longestFirst = present.toSorted((a, b) => b.length - a.length).map(escaped);
  const pattern = new RegExp(`(?<!${inWord})(?:${longestFirst.join('|')})(?!${inWord})`, 'gu');
  return [...text.matchAll(pattern)].map((match) => ({ signal: match[0], offset: match.index }));
}

/** A signal of plain words, which prose uses too; one with an underscore or a bracket is nobody's prose. */
export function isBare(signal: string): boolean {
  return /^[\p{L}\p{N}\s'’-]+$/u.test(signal);
}

const inWord = '[\\p{L}\\p{N}\\p{M}_]';

function escaped(signal: string): string {
  return signal.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
