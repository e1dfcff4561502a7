import { FaultError, fault } from '@agentgate/core';
import { suspendRedirected } from '../driver/redirect.ts';
import { heldSession } from '../held/release.ts';
import { cleanText } from '../process/index.ts';
import { isHeld } from './held.ts';
import { refuseLinked } from './linked.ts';
import type { Door, StoredRun } from './open.ts';
import { viaOf } from './stop.ts';

/**
 * Gives an open run new words: whoever drives it, or holds a session for it, hears them; where nobody does, it is
 * suspended with them.
 */
export async function redirectRun(
  run: StoredRun,
  words: string,
  { version, env, door }: { version: string; env: NodeJS.ProcessEnv; door: Door },
): Promise<{ text: string; alive: boolean; session: string | null }> {
  const { home, store, runId, state } = run;
  const text = cleanText(words).trim();
  if (text === '') throw new FaultError(fault('usage', 'say what the run is to do instead'));
  refuseLinked(run);
  const next = `agentgate resume ${runId}`;
  if (state.ended?.status === 'converged')
    throw new FaultError(
      fault(
        'usage',
        `run ${runId} has converged already; begin a new one: agentgate run -p ${JSON.stringify(text)}`,
      ),
    );
  if (state.ended) {
    throw new FaultError(
      fault(
        'usage',
        `run ${runId} has ended (${state.ended.status}); ${next} --redirect ${JSON.stringify(text)}`,
      ),
    );
  }
  const held = state.held === null ? null : heldSession(home.root, env);
  const session = held?.runId === runId ? held.host : null;
  const alive = session !== null || (await isHeld(home, store, runId));
  if (alive) store.request(runId, { kind: 'redirect', text, ...viaOf(door) });
  else await suspendRedirected({ home, version }, runId, text, door);
  return { text, alive, session };
}
