import type { Assessment } from './assess.ts';
import type { Status } from './outcome.ts';
import type { RunSpec } from './spec.ts';
import type { RunState } from './state.ts';

/** What a reader of the result must know beside it, in sentences. */
export function caveatsOf(state: RunState, now: Assessment | null, status: Status): string[] {
  const caveats: string[] = [];
  const { spec } = state;
  if (!spec) return caveats;
  if (status === 'converged' && now) {
    for (const { gate, passed, spared, lowered, findings, verdict } of now.standings) {
      if (spared && verdict.kind === 'skipped')
        caveats.push(`gate ${gate.name} was not judged: ${verdict.why}`);
      if (lowered && verdict.kind === 'failed')
        caveats.push(`gate ${gate.name}: ${verdict.findings.length} findings above the least level remain`);
      if (!passed && !spared)
        caveats.push(
          `soft gate ${gate.name} still fails${findings.length > 0 ? ` (${findings.length})` : ''}`,
        );
    }
    if (spec.gates.every((gate) => gate.severity === 'soft'))
      caveats.push('no hard gate was given; soft gates are advice');
    if (greenBefore(state))
      caveats.push('every gate was green before the agent began, so the gates say nothing about this task');
    if (wasRed(state, now.current.work) && !judgesChange(spec))
      caveats.push('the same tree was red before, so a gate may be flaky');
    if (now.current.build?.kind === 'failed')
      caveats.push('the agent itself reported a failure in its last build');
    for (const { gate, verdict, lowered } of now.standings) {
      if (gate.baseline === 'no-new' && verdict.kind === 'failed' && !lowered) {
        caveats.push(`gate ${gate.name}: ${verdict.findings.length} findings from before the run remain`);
      }
    }
  }
  if (state.gateWrites.size > 0 && status === 'converged') {
    caveats.push(
      `the gates themselves write ${[...state.gateWrites].slice(0, 3).join(', ')}${state.gateWrites.size > 3 ? ' …' : ''}`,
    );
  }
  if (spec.limits.cost !== undefined && state.iteration > 0 && state.costUsd === null) {
    caveats.push('the agent reported no cost, so the limit on money could not bind');
  }
  if (spec.limits.tokens !== undefined && state.iteration > 0 && state.tokens === null) {
    caveats.push('the agent reported no tokens, so the limit on tokens could not bind');
  }
  if (status === 'partial' && now) {
    for (const { gate, passed, spared, findings } of now.standings)
      if (!passed && !spared) caveats.push(`gate ${gate.name} still fails (${Math.max(1, findings.length)})`);
  }
  if (state.rung > 0) caveats.push(`agent ${state.rung + 1} of the ladder did the last of the work`);
  return caveats;
}

/** A gate that asks for a tree at rest is red on it first and green on it then; that is no flake. */
const judgesChange = ({ gates }: RunSpec): boolean =>
  gates.some((gate) => gate.kind === 'convergence' || gate.kind === 'approval' || gate.kind === 'checklist');

function greenBefore(state: RunState): boolean {
  return (
    state.baseline.size > 0 && [...state.baseline.values()].every((verdict) => verdict.kind === 'passed')
  );
}

/** Whether this very work was judged before and failed. */
function wasRed(state: RunState, work: string): boolean {
  if (work === state.baseWork && (state.baselineFailures ?? 0) > 0) return true;
  return state.judged.some((one) => one.work === work && one.failures > 0);
}
