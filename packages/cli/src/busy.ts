import type { Holder } from '@agentgate/runtime';
import type { CommonFlags, Context } from './context.ts';
import { exitCode } from './exit-code.ts';

/** Tells who holds the workspace, and answers with the exit code for it. */
export function busy({ terminal }: Context, flags: CommonFlags, holder: Holder | null): number {
  if (flags.json) terminal.out(JSON.stringify({ kind: 'busy', holder }));
  const who = holder
    ? `run ${holder.runId} (process ${holder.pid}, since ${holder.since})`
    : 'another process';
  terminal.err(`agentgate: the workspace is held by ${who}; wait for it, or end it with agentgate stop`);
  return exitCode.busy;
}
