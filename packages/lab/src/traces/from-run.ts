import { createHash } from 'node:crypto';
import { type Event, fold, ignoredStop, type RunState, situationOf } from '@agentgate/core';
import { Trace, traceVersion } from './trace.ts';

/**
 * A recorded run as a trace, with the names of this machine in it: what is learned from here stays here. Null for a
 * run that shows nothing: one that never built, or is not over.
 */
export function traceOf(events: readonly Event[]): Trace | null {
  const state = fold(events);
  const { ended, history, root, spec, runId } = state;
  if (!ended || !spec || history.length === 0) return null;
  const solved = ended.status === 'converged' || ended.goalSatisfied;
  const { agent, suite, mode, horizon, iterations } = situationOf(state, history);
  const last = iterations.length - 1;
  return Trace.parse({
    v: traceVersion,
    source: root,
    suite,
    task: taskOf(state),
    model: agent,
    run: runId,
    mode,
    horizon: horizon === null ? null : Math.max(horizon, iterations.length),
    solved,
    ...(state.tokens === null ? {} : { tokensTotal: state.tokens }),
    ...(solved ? {} : { endedBy: endedBy(ended.code) }),
    ...ignoredIn(events),
    iterations: iterations.map((one, at) => (solved && at === last ? { ...one, ok: true } : one)),
  });
}

/** The same words on the same tree are the same task; on another tree they ask for other work. */
function taskOf({ spec, firstTree, baseTree }: RunState): string {
  const about = `${spec?.task}\n${firstTree ?? baseTree}`;
  return createHash('sha256').update(about).digest('hex').slice(0, 16);
}

const byPolicy = /^(strategy|loop|no-progress)\.|^agent\.false-claim$/;

function endedBy(code: string): NonNullable<Trace['endedBy']> {
  if (code === 'limit.iterations') return 'horizon';
  return byPolicy.test(code) ? 'policy' : 'other';
}

/** The first stop that was ignored on purpose, and of how many runs it is. */
function ignoredIn(events: readonly Event[]): Pick<Trace, 'ignoredStop'> {
  for (const event of events) {
    if (event.kind !== 'decided' || event.decision.kind !== 'start-iteration') continue;
    const { iteration, because } = event.decision;
    const share = because.evidence['share'];
    if (because.code === ignoredStop && typeof share === 'number' && share > 0)
      return { ignoredStop: { after: iteration - 1, share } };
  }
  return {};
}
