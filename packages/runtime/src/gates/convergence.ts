import { type Gate, type GateRequest, type GateSpec, invariant, type Verdict } from '@agentgate/core';
import { makeFailed } from './failed.ts';

type ConvergenceGate = Extract<GateSpec, { kind: 'convergence' }>;

/** Passes when the work stopped changing; the first iteration has nothing to compare itself with. */
export const judgeConvergence: Gate = async (request) => {
  const verdict = judge(request);
  return { verdict, tookMs: 0, output: verdict.kind === 'failed' ? verdict.excerpt : '' };
};

function judge({ gate, run, signal }: GateRequest): Verdict {
  invariant(gate.kind === 'convergence', 'a convergence gate compares');
  if (signal.aborted) return { kind: 'skipped', why: 'the run was stopped' };
  if (run.iteration <= 1)
    return unmet('first', 'this is the first look at the work, so there is nothing to compare it with');
  return gate.strategy === 'fingerprint' ? byWork(run) : bySaid(run, gate);
}

function byWork({ works }: GateRequest['run']): Verdict {
  const [now, before] = works;
  if (now === undefined || before === undefined)
    return unmet('first', 'no earlier iteration was judged, so there is nothing to compare with');
  if (now === before) return { kind: 'passed', note: 'the work is the same as in the iteration before' };
  return unmet('changing', 'the work still changes: it is not the same as in the iteration before');
}

function bySaid({ similar }: GateRequest['run'], { threshold }: ConvergenceGate): Verdict {
  const newest = similar[0] ?? null;
  if (newest === null)
    return unmet('silent', 'the agent said nothing that could be compared with what it said before');
  const share = `${Math.floor(newest * 100)} % alike, ${Math.round(threshold * 100)} % are asked for`;
  if (newest >= threshold) return { kind: 'passed', note: `the last two outputs of the agent are ${share}` };
  return unmet('changing', `what the agent says still changes: the last two outputs are ${share}`);
}

function unmet(id: string, title: string): Verdict {
  return makeFailed([{ id: `convergence:${id}`, title }], title);
}
