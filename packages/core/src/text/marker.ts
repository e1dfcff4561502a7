/** A line on which the agent spoke to the controller rather than to a reader. */
interface MarkerLine {
  /** What follows the nonce, trimmed. */
  rest: string;
  /** From 1. */
  line: number;
  offset: number;
}

/** The secret of this build, and what the agent was told, which it may repeat. */
export interface MarkerOptions {
  nonce?: string | undefined;
  prompt?: string | undefined;
}

/** The last line that is exactly `agentgate:done <nonce>` and is no line of the prompt. */
export function findDone(output: string, options: MarkerOptions): MarkerLine | null {
  return findLast(output, 'agentgate:done', options, (rest) => rest === '');
}

/** The last line `agentgate:give-up <nonce> <reason>` that is no line of the prompt. A wrong nonce is nothing. */
export function findGiveUp(output: string, options: MarkerOptions): { reason: string; line: number } | null {
  const found = findLast(output, 'agentgate:give-up', options, (rest) => !placeholder.test(rest));
  return found === null ? null : { reason: found.rest, line: found.line };
}

/** `<reason>` as the prompt shows it: the form was copied and not filled in. */
const placeholder = /^<[^>]*>$/;

function findLast(
  output: string,
  word: string,
  { nonce, prompt = '' }: MarkerOptions,
  accepts: (rest: string) => boolean,
): MarkerLine | null {
  if (nonce === undefined || nonce === '') return null;
  const marker = `${word} ${nonce}`;
  if (!output.includes(marker)) return null;
  const told = new Set(prompt.split('\n').map((line) => line.trim()));
  let found: MarkerLine | null = null;
  let offset = 0;
  for (const [index, line] of output.split('\n').entries()) {
    const text = line.trim();
    const rest = restAfter(text, marker);
    if (rest !== undefined && accepts(rest) && !told.has(text)) {
      found = { rest, line: index + 1, offset: offset + line.indexOf(marker) };
    }
    offset += line.length + 1;
  }
  return found;
}

function restAfter(line: string, marker: string): string | undefined {
  if (!line.startsWith(marker)) return undefined;
  const rest = line.slice(marker.length);
  return rest === '' || /^\s/.test(rest) ? rest.trim() : undefined;
}
