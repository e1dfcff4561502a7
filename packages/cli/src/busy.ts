import { heldSession, type Holder } from '@agentgate/runtime';
import type { CommonFlags, Context } from './context.ts';
import { exitCode } from './exit-code.ts';

/** Tells who holds the workspace, and answers with the exit code for it. */
export function busy(
  { terminal }: Context,
  flags: CommonFlags,
  holder: Holder | null,
  words: string = ownerWords(holder),
): number {
  if (flags.json) terminal.out(JSON.stringify({ kind: 'busy', holder }));
  terminal.err(`agentgate: the workspace is held by ${words}`);
  return exitCode.busy;
}

/** A plan is worked through here, whichever run of its items has the workspace just now. */
export const planWords = (planId: string, { pid, since }: Holder): string =>
  `plan ${planId} (process ${pid}, since ${since}); wait for it, or end it with agentgate plan stop`;

/** `check` and `prune` hold a workspace, too, and are no runs that could be stopped. */
function ownerWords(holder: Holder | null): string {
  if (!holder) return 'another process; wait for it, or end it with agentgate stop';
  const since = `(process ${holder.pid}, since ${holder.since})`;
  if (holder.runId === 'check' || holder.runId === 'prune')
    return `agentgate ${holder.runId} ${since}; wait for it, or end it where it was started`;
  const planId = /^plan (\w+)$/.exec(holder.runId)?.[1];
  if (planId !== undefined) return planWords(planId, holder);
  return `run ${holder.runId} ${since}; wait for it, or end it with agentgate stop`;
}

/**
 * A session that is held works here, too; two at work in one workspace would be judged for each other's work. Whoever
 * goes on with its run takes it over.
 */
export function busyBySession(
  { terminal, env }: Context,
  flags: CommonFlags,
  root: string,
  goesOnWith?: string,
): number | null {
  const held = heldSession(root, env);
  if (!held || held.runId === goesOnWith) return null;
  const { host, runId, sessionId } = held;
  if (flags.json) terminal.out(JSON.stringify({ kind: 'busy', session: { host, runId, sessionId } }));
  terminal.err(
    `agentgate: run ${runId} holds a session of ${host} in this workspace; agentgate resume ${runId} takes it over, agentgate stop ${runId} ends it`,
  );
  return exitCode.busy;
}
