import type { Check } from '@agentgate/runtime';
import type { Terminal } from '../terminal.ts';

/** One thing that was looked at, in one line. */
export function checkLine({ colors }: Pick<Terminal, 'colors'>, { result, text }: Check): string {
  const paint = { ok: colors.green, note: colors.dim, open: colors.yellow, broken: colors.red }[result];
  return `${paint(result.padEnd(6))}  ${text}`;
}
