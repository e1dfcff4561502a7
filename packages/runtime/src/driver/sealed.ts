import {
  type EventBody,
  FaultError,
  fault,
  type Finding,
  type GateRequest,
  type Judgement,
  type RunState,
  type Seal,
  type Sealed,
  type Unchecked,
  type Verdict,
} from '@agentgate/core';
import { compareInventories, readCases, readScope, writeCases, writeScope } from '../integrity/index.ts';
import { judgeOften } from './flaky.ts';
import type { Judged } from './judge.ts';
import type { Ports } from './ports.ts';

type JudgedFact = Extract<EventBody, { kind: 'gate.judged' }>;
type JudgedPart = Pick<
  JudgedFact,
  | 'verdict'
  | 'tookMs'
  | 'unsealed'
  | 'rung'
  | 'runner'
  | 'line'
  | 'blind'
  | 'cases'
  | 'scope'
  | 'unchecked'
  | 'coverage'
> &
  Pick<Judgement, 'output' | 'feedback'>;

/** What the comparison with the baseline shows, once per tree; null where none is asked for. */
export async function compareFact(state: RunState, at: Judged, ports: Ports): Promise<EventBody | null> {
  const { seal, clock } = ports;
  const { iteration, attempt, tree } = at;
  const known = state.current?.integrity;
  const done = known?.attempt === attempt && known.tree === tree && at.second !== true;
  if (!seal || !isSealed(state) || iteration === 0 || state.baseTree === null || done) return null;
  const from = clock.monoMs();
  const comparison = await seal.compare(
    { tree, baseTree: state.baseTree },
    { grants: state.grants, rungs: [...state.gateRungs.values()] },
  );
  const tookMs = clock.monoMs() - from;
  return { kind: 'integrity.checked', iteration, attempt, tree, tookMs, ...comparison };
}

const isSealed = ({ spec }: RunState): boolean => spec !== null && spec.integrity.mode !== 'off';

/** Judges a gate as well kept from the agent as can be, and as often as its flakiness asks for. */
export async function judgeSealed(
  state: RunState,
  request: GateRequest,
  at: Judged,
  ports: Ports,
): Promise<JudgedPart> {
  const { seal } = ports;
  const nowMs = ports.clock.wallMs();
  const rung = state.gateRungs.get(request.gate.name);
  if (!seal || !isSealed(state) || (at.iteration > 0 && rung === undefined))
    return plain(await judgeOften(request, nowMs, () => ports.judge(request)));
  if (at.iteration === 0) return rehearsed(state, await seal.rehearse(request, at.tree), ports);
  const runner = state.gateRunners.get(request.gate.name);
  const where = {
    tree: at.tree,
    baseTree: state.baseTree ?? at.tree,
    rung: rung ?? 'in-place',
    ...(runner ? { runner } : {}),
    ...(at.second ? { canaries: true as const } : {}),
  };
  const judgeAs = (form: 'sealed' | 'as-is', only?: readonly Finding[]) =>
    seal.judge(only ? { ...request, only } : request, { ...where, form });
  const first = await judgeOften(request, nowMs, (only) => judgeAs('sealed', only));
  const missing = missingTests(state, request.gate.name, first, ports);
  const unchecked = await uncheckedFiles(state, request.gate.name, first, where, ports);
  const own = {
    ...plain({ ...first, verdict: withFindings(first.verdict, missing) }),
    ...(unchecked.length === 0 ? {} : { unchecked }),
  };
  if (!isChanged(state)) return own;
  if (rung === 'in-place') return { ...own, unsealed: own.verdict.kind === 'passed' ? 'passed' : 'failed' };
  return besideTheirs(own, await asIs(seal, judgeAs));
}

/** Whether the agent has changed what the gates judge by, so that they judge two forms of the tree. */
export const isChanged = ({ current }: RunState): boolean => (current?.integrity?.changed.length ?? 0) > 0;

/** Without the lists of tests and files, which are too long for the log. */
function plain(judged: Sealed): JudgedPart {
  const kept = { ...judged };
  delete kept.cases;
  delete kept.scope;
  delete kept.picked;
  return kept as Omit<Sealed, 'cases' | 'scope' | 'picked'>;
}

async function asIs(seal: Seal, judgeAs: (form: 'as-is') => Promise<Sealed>): Promise<Sealed> {
  await seal.rest();
  const theirs = await judgeAs('as-is');
  await seal.rest();
  return theirs;
}

/** The agent's versions of protected files must pass, too, but can never make up for those of before. */
function besideTheirs(own: JudgedPart, theirs: Sealed): JudgedPart {
  const unsealed = theirs.verdict.kind === 'passed' ? 'passed' : 'failed';
  const tookMs = own.tookMs + theirs.tookMs;
  const worse = own.verdict.kind === 'passed' && theirs.verdict.kind !== 'passed';
  return { ...own, tookMs, unsealed, ...(worse ? { verdict: theirs.verdict, output: theirs.output } : {}) };
}

function rehearsed(state: RunState, judged: Sealed, ports: Ports): JudgedPart {
  const { cases = [], scope = [] } = judged;
  const keep = (text: string) => ports.store.keep(state.runId, text);
  return {
    ...plain(judged),
    ...(cases.length === 0 ? {} : { cases: keep(writeCases(cases)) }),
    ...(scope.length === 0 ? {} : { scope: keep(writeScope(scope)) }),
  };
}

const mostUnchecked = 100;

/** Files of the baseline that are still there, or what became of them, that the gate does not look at any more. */
async function uncheckedFiles(
  state: RunState,
  gate: string,
  { scope, verdict }: Sealed,
  at: { tree: string; baseTree: string },
  { store, seal }: Ports,
): Promise<Unchecked[]> {
  const ref = state.baseScopes.get(gate);
  if (!seal || ref === undefined || scope === undefined || verdict.kind === 'unable') return [];
  const seen = new Set(scope);
  const there = await seal.whereabouts(at, readScope(baselineText(state, gate, ref, store)));
  return there.filter((one) => !seen.has(one.path)).slice(0, mostUnchecked);
}

/** Tests of the baseline that no longer run or no longer pass. */
function missingTests(
  state: RunState,
  gate: string,
  { cases, verdict }: Sealed,
  { store }: Ports,
): Finding[] {
  const ref = state.baseCases.get(gate);
  if (ref === undefined || (verdict.kind !== 'passed' && verdict.kind !== 'failed')) return [];
  return compareInventories(readCases(baselineText(state, gate, ref, store)), cases ?? []);
}

/** What a gate showed before the run. Without it less would be asked of the work than was promised. */
function baselineText({ runId }: RunState, gate: string, ref: string, store: Ports['store']): string {
  const kept = store.recall(runId, ref);
  if (kept !== null) return kept;
  const message = `what gate ${gate} showed before the run is lost from ${store.dir(runId)}; begin a new run`;
  throw new FaultError(fault('state.damaged', message));
}

function withFindings(verdict: Verdict, findings: readonly Finding[]): Verdict {
  if (findings.length === 0) return verdict;
  if (verdict.kind === 'failed') {
    // What could not load has not run either; that it is missing says nothing more.
    if (verdict.findings.some((one) => one.load || one.synthetic)) return verdict;
    const known = new Set(verdict.findings.map((one) => one.id));
    return { ...verdict, findings: [...verdict.findings, ...findings.filter((one) => !known.has(one.id))] };
  }
  if (verdict.kind !== 'passed') return verdict;
  const excerpt = findings
    .slice(0, 5)
    .map((one) => one.title)
    .join('\n');
  return {
    kind: 'failed',
    findings: [...findings],
    excerpt,
    ...(verdict.tests ? { tests: verdict.tests } : {}),
  };
}
