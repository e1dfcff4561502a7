/** Tells whether a line of output repeats the prompt. */
export type Echo = (line: string) => boolean;

/**
 * A line echoes the prompt when it is one of its lines, list and quote marks aside, or when it is a part of
 * one that names a signal: terminals wrap, and agents quote without marks.
 */
export function echoOf(prompt: string, signals: readonly string[]): Echo {
  const lines = new Set(prompt.split('\n').map(withoutMarks));
  lines.delete('');
  const naming = [...lines].filter((line) => signals.some((signal) => line.includes(signal)));
  // Bounded, because it is searched once for every line of output that holds a signal.
  const told = naming.join('\n').slice(0, 10_000);
  return (line) => {
    const bare = withoutMarks(line);
    return lines.has(bare) || (isPhrase(bare) && told.includes(bare));
  };
}

/** One or two words may be the claim itself, said in the words it was asked for. */
function isPhrase(line: string): boolean {
  return /\S\s+\S+\s+\S/.test(line);
}

function withoutMarks(line: string): string {
  return line
    .trim()
    .replace(/^(?:(?:[>*+•#-]+|\d{1,3}[.)])\s+)+/, '')
    .replace(/^["'“‘«](.*)["'”’»]$/, '$1')
    .trim();
}
