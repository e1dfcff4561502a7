import { FaultError, fault, type Gate, type RunSpec, type ShutIn, sandboxWish } from '@agentgate/core';
import { inPlaceRoom, probeSandbox, type Shut } from '../sandbox/index.ts';
import { stateRoot } from '../store/index.ts';

/** Who is shut in, and by what; null for those who are not. */
export interface Shutting {
  shutIn: ShutIn;
  agent: Shut | null;
  gates: Shut | null;
}

/** Finds out who can be shut in here. A sandbox that was asked for by its name and does not work is a fault. */
export async function chooseSandbox(spec: RunSpec): Promise<Shutting> {
  const wish = sandboxWish(spec);
  if (wish.agent === 'none' && wish.gates === 'none')
    return { shutIn: { agent: 'none', gates: 'none' }, agent: null, gates: null };
  const found = await probeSandbox();
  if (found.kind === 'none') {
    if (wish.agent === 'bwrap') throw new FaultError(unable('the agent', found.why));
    if (wish.gates === 'bwrap') throw new FaultError(unable('the gates', found.why));
    return { shutIn: { agent: 'none', gates: 'none', why: found.why }, agent: null, gates: null };
  }
  // The log of the run and our own git directory are the truth; those who are judged by them must not see them.
  const shut: Shut = { bwrap: found.path, hide: [stateRoot()] };
  const means = (word: string) => (word === 'none' ? 'none' : 'bwrap');
  return {
    shutIn: { agent: means(wish.agent), gates: means(wish.gates) },
    agent: wish.agent === 'none' ? null : shut,
    gates: wish.gates === 'none' ? null : shut,
  };
}

/** Gates that judge in the workspace itself are shut in there, where that was asked for in so many words. */
export function judgeShutIn(judge: Gate, root: string, spec: RunSpec, { gates }: Shutting): Gate {
  if (gates === null || spec.sandbox.gates !== 'bwrap') return judge;
  const room = inPlaceRoom(root, gates);
  return (request) => judge(request.room === undefined ? { ...request, room } : request);
}

function unable(whom: string, why: string) {
  return fault(
    'sandbox.unable',
    `cannot shut ${whom} in: ${why}; install bubblewrap and allow user namespaces, or choose sandbox: auto; agentgate doctor tells more`,
  );
}
