import type { LocatedNote } from '@agentgate/runtime';
import type { CommonFlags, Context } from './context.ts';

/** Tells which older names and forms a spec uses, and what they were read as. */
export function tellNotes(
  { terminal }: Context,
  flags: CommonFlags & { quiet?: boolean },
  notes: readonly LocatedNote[],
): void {
  for (const note of notes) {
    if (flags.json) terminal.out(JSON.stringify({ kind: 'note', ...note }));
    else if (!flags.quiet) terminal.err(`agentgate: ${note.where}  ${note.message}`);
  }
}
