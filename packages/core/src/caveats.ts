import type { Assessment } from './assess.ts';
import { changedNames, uncheckedFiles, uncheckedFinding } from './integrity.ts';
import type { Status } from './outcome.ts';
import { sandboxCaveats } from './sandbox.ts';
import type { RunSpec } from './spec.ts';
import type { RunState } from './state.ts';
import type { Rung } from './tampering.ts';

/** Said of a run that began with nothing red. */
export const nothingProven =
  'every gate was green before the agent began, so the gates say nothing about this task';

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
    if (greenBefore(state)) caveats.push(nothingProven);
    caveats.push(...wordsTaken(now));
    if (wasRed(state, now.current.work) && !judgesChange(spec) && state.grants.length === 0)
      caveats.push('the same tree was red before, so a gate may be flaky');
    if (now.current.build?.kind === 'failed')
      caveats.push('the agent itself reported a failure in its last build');
    for (const { gate, verdict, lowered } of now.standings) {
      if (gate.baseline === 'no-new' && verdict.kind === 'failed' && !lowered) {
        caveats.push(`gate ${gate.name}: ${verdict.findings.length} findings from before the run remain`);
      }
    }
  }
  if (status === 'converged' && now) caveats.push(...trustCaveats(state, spec, now));
  caveats.push(...sandboxCaveats(spec, state.shutIn));
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
  if (spec.limits.tokens !== undefined && state.tokensAtLeast) {
    caveats.push('the agent tells only a part of its tokens, so the limit on them binds late');
  }
  if (spec.limits.quota !== undefined && state.iteration > 0 && state.windows.length === 0) {
    caveats.push('the agent told nothing of its usage windows, so the limit on them could not bind');
  }
  if (state.unheard > 0 && (spec.limits.cost !== undefined || spec.limits.tokens !== undefined)) {
    const what =
      state.dearest.costUsd === null && state.dearest.tokens === null
        ? 'nothing'
        : 'as much as the dearest one that told';
    caveats.push(
      `${state.unheard === 1 ? 'one agent was' : `${state.unheard} agents were`} cut off before telling what ${state.unheard === 1 ? 'it' : 'they'} used; ${what} was counted for it`,
    );
  }
  if (status === 'partial' && now) {
    for (const { gate, passed, spared, findings } of now.standings)
      if (!passed && !spared) caveats.push(`gate ${gate.name} still fails (${Math.max(1, findings.length)})`);
  }
  if (state.rung > 0) caveats.push(`agent ${state.rung + 1} of the ladder did the last of the work`);
  return caveats;
}

/** What the gates could not prove, and what was changed around them. */
function trustCaveats(state: RunState, spec: RunSpec, { current, standings }: Assessment): string[] {
  const { mode } = spec.integrity;
  const { integrity } = current;
  if (mode === 'off' || !integrity) return [];
  const caveats: string[] = [];
  if (state.grants.length > 0) caveats.push(`a person granted changes of ${changedNames(state.grants)}`);
  const moved = integrity.changed.filter((one) => one.status === 'renamed');
  const changed = integrity.changed.filter((one) => one.status !== 'renamed');
  if (changed.length > 0)
    caveats.push(`judged in the form from before the run, though changed: ${changedNames(changed)}`);
  if (moved.length > 0) caveats.push(`moved: ${changedNames(moved)}`);
  const told = integrity.ratchets.filter((one) => one.kind !== 'doubt');
  for (const kind of new Set(told.map((one) => one.kind))) {
    caveats.push(shortList(told.filter((one) => one.kind === kind).map((one) => one.title)));
  }
  const unchecked = uncheckedFiles(state, current).map((one) => uncheckedFinding(one).title);
  if (unchecked.length > 0) caveats.push(shortList(unchecked));
  for (const [gate, now] of current.coverage) {
    const before = state.baseCoverage.get(gate) ?? 0;
    // Tenths are what such reports are read by; less is noise.
    if (Math.round(10 * before) > Math.round(10 * now))
      caveats.push(`coverage of gate ${gate} fell from ${before.toFixed(1)} % to ${now.toFixed(1)} %`);
  }
  if (integrity.dependencies.length > 0)
    caveats.push(`dependencies changed: ${integrity.dependencies.slice(0, 5).join(', ')}`);
  const flaky = standings.flatMap(({ verdict }) =>
    verdict.kind === 'failed' ? verdict.findings.filter((one) => one.flaky).map((one) => one.title) : [],
  );
  if (flaky.length > 0) caveats.push(`flaky: ${flaky.slice(0, 5).join('; ')}`);
  for (const { gate } of standings) {
    const rung = state.gateRungs.get(gate.name);
    if (rung !== undefined && rung !== 'sealed')
      caveats.push(`gate ${gate.name} was judged ${rungWords[rung]}`);
  }
  if (mode === 'strict' && !spec.gates.some((gate) => gate.heldOut))
    caveats.push(
      'visible gates only: no gate is held out, so work that knows the gates could fit them alone',
    );
  return caveats;
}

const shortList = (titles: readonly string[]): string =>
  `${titles.slice(0, 3).join('; ')}${titles.length > 3 ? `; and ${titles.length - 3} more` : ''}`;

const rungWords: Record<Exclude<Rung, 'sealed'>, string> = {
  home: 'with the whole home folder in sight',
  ignored: 'with the ignored files of the workspace',
  network: 'with the network',
  'in-place': 'in the workspace itself, not in a room of its own',
};

/** Gates that pass by somebody's word and not by what they saw of this tree. */
function wordsTaken({ standings }: Assessment): string[] {
  return standings.flatMap(({ gate, verdict }) => {
    if (verdict.kind !== 'passed') return [];
    if (gate.kind === 'ci' && /^[0-9a-f]{40}$/.test(gate.ref ?? ''))
      return [
        `gate ${gate.name} judged commit ${gate.ref}, as its ref says, whatever tree this run ended on`,
      ];
    if (gate.kind === 'approval' && verdict.unanswered)
      return [`gate ${gate.name} passed because nobody answered in time, and its default is approve`];
    return [];
  });
}

/** A gate that asks for a tree at rest is red on it first and green on it then; that is no flake. */
const judgesChange = ({ gates }: RunSpec): boolean =>
  gates.some((gate) => ['convergence', 'approval', 'judge', 'checklist', 'ci'].includes(gate.kind));

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
