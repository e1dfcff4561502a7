import { type Built, fold } from '@agentgate/core';
import { stopperOf } from '../driver/control.ts';
import { ownAndDrive, type Session, type SessionRequest } from '../driver/session.ts';
import { chooseSandbox } from '../driver/sandbox.ts';
import { readHistory, stateRoot } from '../store/index.ts';
import { type Binding, forgetUnseen, listBindings, removeBinding } from './files.ts';
import { idleMs } from './pause.ts';

/** The session that works in this workspace, if one is held there. */
export const heldSession = (root: string, env: NodeJS.ProcessEnv): Binding | null =>
  listBindings(stateRoot(env)).find((one) => one.root === root && one.phase !== 'suspended') ?? null;

/**
 * Whether a session works for this run now. Where a check had the workspace while its session was let go, its log could
 * not say so.
 */
export const isHeldNow = (runId: string, env: NodeJS.ProcessEnv): boolean =>
  listBindings(stateRoot(env)).some((one) => one.runId === runId && one.phase !== 'suspended');

/** How long the session of a run has waited for words of its person in this iteration. */
export function waitedIn(runId: string, env: NodeJS.ProcessEnv): number {
  const session = listBindings(stateRoot(env)).find((one) => one.runId === runId);
  return session ? idleMs(session, Date.now()) : 0;
}

/**
 * From now on no session is held for this run, and whoever took it in hand needs no note of it. The sessions themselves
 * go on as they like.
 */
export function disarm(runId: string, env: NodeJS.ProcessEnv): void {
  const state = stateRoot(env);
  for (const binding of listBindings(state))
    if (binding.runId === runId) removeBinding(state, binding.sessionId);
  forgetUnseen(state, [runId]);
}

/** Another session than this one that is held in the same workspace. */
export const heldBeside = (root: string, sessionId: string, env: NodeJS.ProcessEnv): Binding | null =>
  listBindings(stateRoot(env)).find(
    (one) => one.root === root && one.sessionId !== sessionId && one.phase !== 'suspended',
  ) ?? null;

/** Ends a run that a session works for, as a stop does. Nothing of the session is ended: it is somebody else's. */
export function stopHeld(
  request: SessionRequest,
  runId: string,
  { note, waitedMs, via }: { note?: string | undefined; waitedMs: number; via?: 'api' },
): Promise<Session> {
  const over: Built = { end: { kind: 'aborted', by: 'stop' }, output: '', outputBytes: 0, tookMs: 0 };
  return ownAndDrive(
    request,
    runId,
    async (store) => {
      store.settle(runId);
      const state = fold(await readHistory(store, runId));
      const spec = state.spec!;
      request.control.stop({ ...stopperOf(via), ...(note === undefined ? {} : { note }) });
      return { runId, spec, sandbox: await chooseSandbox(spec), events: [], state };
    },
    {
      build: async () => over,
      returned: ({ current }) => ({
        ...over,
        tookMs: Math.max(0, Date.now() - (current?.startedAt ?? Date.now()) - waitedMs),
      }),
    },
  );
}
