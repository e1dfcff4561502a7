import { failureKeyFor, failureName, gateOf, isNamed } from './failure.ts';
import type { Finding } from './finding.ts';
import { type Trust, trustOf } from './integrity.ts';
import { levelNames, type NamedGate } from './spec.ts';
import type { Current } from './current.ts';
import type { IterationRecord, Progress, RunState } from './state.ts';
import { hash64 } from './text/index.ts';
import type { LevelResult, Verdict } from './verdict.ts';

/** How one gate stands after its baseline has been taken into account. */
export interface Standing {
  gate: NamedGate;
  verdict: Verdict;
  passed: boolean;
  /** Only what counts against the gate: with `no-new` the findings of the baseline are left out. */
  findings: readonly Finding[];
  /** 0 to 1, closeness to passing. */
  level: number;
  /** Left out by its own condition or by the gates before it: neither green nor red. */
  spared: boolean;
  /** It passes only as far as the least level asked for; what fails above it is advice. */
  lowered: boolean;
}

/** What the current iteration shows, compared with everything before it. */
export interface Assessment {
  current: Current;
  standings: readonly Standing[];
  judged: boolean;
  hardGreen: boolean;
  allGreen: boolean;
  /** Gates that must still be judged before the run may converge: spared ones and verdicts used again. */
  owed: readonly string[];
  pending: readonly { gate: string; severity: 'hard' | 'soft'; retryAfterMs: number }[];
  unable: readonly string[];
  failures: ReadonlySet<string>;
  failureKey: string;
  textKey: string | null;
  loads: ReadonlySet<string>;
  /** Failures of before that cannot be seen now: something keeps their gate from showing them. */
  hidden: readonly string[];
  fixed: readonly string[];
  broken: readonly string[];
  unmasked: boolean;
  /** Failures that could not be seen before, because something kept their gate from showing them. */
  unmaskedKeys: ReadonlySet<string>;
  /** How many gates failed without showing what fails. */
  opaque: number;
  score: number;
  binary: boolean;
  newTree: boolean;
  newSubstance: boolean;
  newFailures: boolean;
  moved: boolean;
  progress: Progress | null;
  /** How the work stands towards what it is judged by. */
  trust: Trust;
}

/** Reads the current iteration against the state before it. Pure; asking twice gives the same answer. */
export function assess(state: RunState, current: Current): Assessment {
  const standings = standingsOf(state, current);
  const judged = isJudged(state, standings);
  const failures = new Set<string>();
  const loads = new Set<string>();
  for (const standing of standings) collect(standing, failures, loads);
  const trust = trustOf(state, current, standings);
  const trusted = trust.blocking.length === 0;
  for (const { id } of trust.blocking) failures.add(failureKeyFor('integrity', id));
  const weighed = weighedOf(standings);
  const textKey = textKeyOf(weighed);
  const failureKey = failureKeyOf(weighed, trust);
  const hides = hiddenBy(state, standings);
  const fixed = judged
    ? [...state.footing.failures].filter((key) => !failures.has(key) && !hides(key) && isNamed(key))
    : [];
  const unmaskedKeys = judged ? unmaskedOf(state, failures, loads) : new Set<string>();
  const broken = judged
    ? [...failures].filter((key) => !state.footing.failures.has(key) && isNamed(key))
    : [];
  const base = {
    current,
    standings,
    judged,
    hardGreen:
      judged && trusted && standings.every((one) => one.passed || one.spared || one.gate.severity === 'soft'),
    allGreen:
      judged &&
      trusted &&
      standings.every((one) => one.passed || one.spared) &&
      standings.some((one) => one.passed),
    owed: standings
      .filter((one) => (one.spared ? !isManual(one) : current.cached.has(one.gate.name)))
      .map((one) => one.gate.name),
    pending: standings.flatMap((one) =>
      one.verdict.kind === 'pending'
        ? [{ gate: one.gate.name, severity: one.gate.severity, retryAfterMs: one.verdict.retryAfterMs }]
        : [],
    ),
    unable: standings.filter((one) => one.verdict.kind === 'unable').map((one) => one.gate.name),
    failures,
    failureKey,
    textKey,
    loads,
    hidden: [...state.footing.failures].filter((key) => !failures.has(key) && hides(key) && isNamed(key)),
    fixed,
    broken,
    unmasked: unmaskedKeys.size > 0,
    unmaskedKeys,
    // A gate that was not looked at hides what fails as much as one that shows nothing.
    opaque: standings.filter((one) => isOpaque(one) || (one.spared && !isManual(one))).length,
    score: mean(standings.filter((one) => !isManual(one)).map((one) => one.level)),
    binary: judged && isBinary(state, weighed),
    newTree: current.tree !== null && !state.seenWork.has(current.work),
    newSubstance: current.tree !== null && !state.seenSubstance.has(current.substance),
    newFailures: judged && !state.seenFailures.has(`${failureKey}|${textKey}`),
    trust,
    moved: current.work !== (state.startWork ?? state.history.at(-1)?.work ?? state.baseWork),
  };
  return { ...base, progress: progressOf(state, base) };
}

/** The record an iteration leaves behind once its decision is made. */
export function recordOf(assessment: Assessment, code: string): IterationRecord {
  const { current } = assessment;
  return {
    iteration: current.iteration,
    build: current.build?.kind ?? 'finished',
    judged: assessment.judged,
    tree: current.tree ?? '',
    work: current.work,
    substance: current.substance,
    failures: assessment.failures.size,
    failureKey: assessment.failureKey,
    textKey: assessment.textKey,
    score: assessment.score,
    fixed: assessment.fixed.length,
    broken: assessment.broken.length,
    unmasked: assessment.unmasked,
    opaque: assessment.opaque,
    progress: assessment.progress,
    novel: assessment.newTree && assessment.newFailures,
    newTree: assessment.newTree,
    newFailures: assessment.newFailures,
    binary: assessment.binary,
    ...(assessment.hardGreen ? { hardGreen: true } : {}),
    moved: assessment.moved,
    claimed: current.claim !== null,
    paths: current.changed?.paths.slice(0, 5) ?? [],
    similar: current.similar,
    silent: current.outputBytes === 0,
    code,
    tookMs: current.tookMs,
    tokens: current.tokens,
    costUsd: current.costUsd,
    outputBytes: current.outputBytes,
    passedTests: allPassedTests(assessment.standings),
    grantable: assessment.trust.grantable,
    gates: Object.fromEntries(
      assessment.standings.filter((one) => !one.spared).map((one) => [one.gate.name, one.passed]),
    ),
    at: current.at,
  };
}

/** How good a judged tree is; smaller is better, compared from the left. */
export function rankOf(assessment: Assessment): readonly number[] {
  const failing = assessment.standings.filter((one) => !one.passed && !one.spared);
  const failingHard = failing.filter((one) => one.gate.severity === 'hard').length;
  const soft = failing.length - failingHard;
  const hard = failingHard + (assessment.trust.blocking.length > 0 ? 1 : 0);
  // A tree that cannot load, or a gate that timed out, shows one failure and hides the rest, so it ranks below
  // a tree that shows them all.
  return [hard, assessment.opaque, assessment.loads.size, assessment.failures.size, soft, -assessment.score];
}

/** For a binary gate the moving of the work stands in for progress, for so many iterations at most. */
export const standInAllowance = (iterationLimit: number): number =>
  Math.max(6, Math.floor(iterationLimit / 2));

/** A path with the parts taken out that change from one judgement to the next. */
export const pathShape = (path: string): string => path.replace(/(?=[a-f]*\d)[0-9a-f]{6,}|\d+/gi, '#');

function standingsOf(state: RunState, current: Current): Standing[] {
  const standings: Standing[] = [];
  for (const gate of state.spec?.gates ?? []) {
    const verdict = current.verdicts.get(gate.name);
    if (!verdict) continue;
    const spared = verdict.kind === 'skipped' && verdict.by !== undefined;
    const lowered = verdict.kind === 'failed' && reachesLeastLevel(state, verdict);
    const findings =
      verdict.kind === 'failed' && !lowered ? countedFindings(state, gate, verdict.findings) : [];
    const passed = verdict.kind === 'passed' || (verdict.kind === 'failed' && findings.length === 0);
    standings.push({
      gate,
      verdict,
      passed,
      findings,
      // What is not looked at is as good as it was.
      level: spared
        ? (state.footing.levels.get(gate.name) ?? 0)
        : levelOf(state, gate.name, verdict, findings, passed),
      spared,
      lowered,
    });
  }
  return standings;
}

function countedFindings(
  state: RunState,
  gate: Standing['gate'],
  all: readonly Finding[],
): readonly Finding[] {
  const before = state.baseline.get(gate.name);
  const findings = all.filter((one) => !one.flaky || isTarget(before, one));
  if (gate.baseline === 'absolute') return findings;
  if (before?.kind !== 'failed') return findings;
  // What hides other failures, or names none, may stand for something new behind it.
  const old = new Set(before.findings.filter((one) => !one.synthetic && !one.load).map((one) => one.id));
  return findings.filter((one) => !old.has(one.id));
}

/** What was red before the run is what it is for: there a pass on the second try is not enough. */
const isTarget = (before: Verdict | undefined, { id }: Finding): boolean =>
  before?.kind === 'failed' && before.findings.some((one) => one.id === id && !one.flaky);

/** Every level up to the least one asked for has run and passed, without a gap (C-50, C-51). */
function reachesLeastLevel({ spec }: RunState, { levels }: Extract<Verdict, { kind: 'failed' }>): boolean {
  const least = spec?.strategy.kind === 'hybrid' ? spec.strategy.minLevel : undefined;
  return least !== undefined && levels !== undefined && highestLevel(levels) >= levelNames.indexOf(least);
}

/** The highest level that passed with every configured level below it passed too; -1 when none. */
export function highestLevel(levels: readonly LevelResult[]): number {
  let highest = -1;
  for (const { level, status } of levels) {
    if (status === 'skipped') continue;
    if (status !== 'passed') break;
    highest = levelNames.indexOf(level);
  }
  return highest;
}

function levelOf(
  state: RunState,
  gate: string,
  verdict: Verdict,
  findings: readonly Finding[],
  passed: boolean,
): number {
  if (passed) return 1;
  if (verdict.kind === 'failed' && verdict.levels) {
    const asked = verdict.levels.filter((one) => one.status !== 'skipped');
    const done = asked.filter((one) => one.status === 'passed').length;
    return asked.length === 0 ? 0 : Math.min(0.99, done / asked.length);
  }
  // Where nothing can be seen, closeness cannot be measured: a broken build is not nearly done.
  if (verdict.kind !== 'failed' || showsNothing(findings)) return 0;
  if (verdict.tests && verdict.tests.passed + verdict.tests.failed > 1) {
    return Math.min(0.99, verdict.tests.passed / (verdict.tests.passed + verdict.tests.failed));
  }
  const peak = Math.max(state.peaks.get(gate) ?? 0, findings.length);
  return Math.min(0.99, 1 - findings.length / peak);
}

function collect(standing: Standing, failures: Set<string>, loads: Set<string>): void {
  const name = standing.gate.name;
  if (standing.passed || standing.spared) return;
  if (standing.verdict.kind !== 'failed') {
    failures.add(failureKeyFor(name, standing.verdict.kind));
    return;
  }
  for (const finding of standing.findings) {
    failures.add(failureKeyFor(name, finding.id));
    if (finding.load) loads.add(failureKeyFor(name, finding.id));
  }
}

/** Every gate has answered, and none was left out because the run was stopped. */
function isJudged(state: RunState, standings: readonly Standing[]): boolean {
  if (standings.length === 0 || standings.length !== state.spec?.gates.length) return false;
  return standings.every((one) => one.verdict.kind !== 'skipped' || one.spared);
}

/** A gate that only a person starts has no part in a run. */
const isManual = ({ verdict }: Standing): boolean => verdict.kind === 'skipped' && verdict.by === 'manual';

/** Only findings that cannot be looked behind: a load failure, a crash, an exit code. */
const showsNothing = (findings: readonly Finding[]): boolean =>
  findings.every((one) => one.synthetic || one.load);

const isOpaque = ({ passed, spared, verdict, findings }: Standing): boolean =>
  !passed && !spared && (verdict.kind !== 'failed' || showsNothing(findings));

/**
 * Says of a failure that is no longer seen whether it is hidden rather than fixed: its gate shows nothing at all,
 * or a load failure concerns the same file, or one that names no file.
 */
function hiddenBy(state: RunState, standings: readonly Standing[]): (key: string) => boolean {
  const red = new Map(standings.filter((one) => !one.passed).map((one) => [one.gate.name, one]));
  return (key) => {
    const standing = red.get(gateOf(key));
    if (!standing) return false;
    if (standing.spared) return true;
    // One load failure after another is how a build is mended: the earlier one is gone, not hidden.
    if (isOpaque(standing))
      return !(state.footing.loads.has(key) && standing.findings.some((one) => one.load));
    return standing.findings.some(
      (one) => one.load && (one.file === undefined || failureName(key).includes(one.file)),
    );
  };
}

/** What the pattern of failing is read from: the hard gates while any of them fails, the soft ones after that. */
function weighedOf(standings: readonly Standing[]): readonly Standing[] {
  const red = standings.filter((one) => !one.passed && !one.spared);
  // What is still pending says nothing about the work while something else has failed.
  const settled = red.filter((one) => one.verdict.kind !== 'pending');
  const failing = settled.length > 0 ? settled : red;
  const hard = failing.filter((one) => one.gate.severity === 'hard');
  return hard.length > 0 ? hard : failing;
}

function failureKeyOf(weighed: readonly Standing[], { blocking }: Trust): string {
  const failures = new Set(blocking.map((one) => one.id));
  for (const standing of weighed) collect(standing, failures, new Set());
  return hash64([...failures].sort().join('\n'));
}

/** What gates show whose load failure of before is gone: it was hidden by that. */
function unmaskedOf(
  { footing }: RunState,
  failures: ReadonlySet<string>,
  loads: ReadonlySet<string>,
): Set<string> {
  const opened = new Set([...footing.loads].filter((load) => !failures.has(load)).map(gateOf));
  return new Set(
    [...failures].filter((key) => opened.has(gateOf(key)) && !loads.has(key) && !footing.failures.has(key)),
  );
}

function textKeyOf(weighed: readonly Standing[]): string | null {
  const keys = weighed.flatMap((one) =>
    one.verdict.kind === 'failed' && one.verdict.textKey ? [one.verdict.textKey] : [],
  );
  return keys.length === 0 ? null : keys.join('+');
}

/** Nothing in the failing hard gates can be counted, now or ever before, so there is no slope to measure. */
function isBinary(state: RunState, weighed: readonly Standing[]): boolean {
  return (
    weighed.length > 0 && weighed.every((one) => one.gate.severity === 'hard' && hasNoDegrees(state, one))
  );
}

function hasNoDegrees(state: RunState, { gate, verdict, findings }: Standing): boolean {
  if ((state.peaks.get(gate.name) ?? 0) > 1) return false;
  if (verdict.kind === 'timed-out') return true;
  if (verdict.kind !== 'failed' || findings.length > 1) return false;
  return !verdict.tests || verdict.tests.passed + verdict.tests.failed <= 1;
}

/** How many tests a gate says have passed; null where it does not tell. */
export const passedTests = (verdict: Verdict): number | null =>
  verdict.kind === 'passed' || verdict.kind === 'failed' ? (verdict.tests?.passed ?? null) : null;

function allPassedTests(standings: readonly Standing[]): number | null {
  const known = standings.map(({ verdict }) => passedTests(verdict)).filter((one) => one !== null);
  return known.length === 0 ? null : known.reduce((a, b) => a + b, 0);
}

/**
 * Gates in which a finding that is gone was fixed rather than renamed: more tests pass than before, or, where
 * tests are not counted, there are no more complaints than before.
 */
function creditedGates(state: RunState, standings: readonly Standing[], unmasked: boolean): Set<string> {
  const credited = standings.filter(({ gate, passed, verdict, findings }) => {
    const before = state.footing.counts.get(gate.name);
    if (passed || unmasked || !before) return true;
    const tests = passedTests(verdict);
    return tests !== null && before.passed !== null
      ? tests > before.passed
      : findings.length <= before.failures;
  });
  return new Set(credited.map((one) => one.gate.name));
}

function progressOf(state: RunState, now: Omit<Assessment, 'progress'>): Progress | null {
  if (!now.judged || now.current.iteration === 0 || wasJudged(state, now.current.work)) return null;
  const credits = creditedGates(state, now.standings, now.unmasked);
  if (now.fixed.some((key) => !state.counted.has(key) && credits.has(gateOf(key)))) return 'fixed';
  if (now.unmasked) return 'unmasked';
  if (now.score > state.bestScore + 1e-9) return 'score';
  const text = now.textKey !== null && !state.seenText.has(now.textKey);
  const allowance = standInAllowance(state.spec?.limits.iterations ?? 0);
  // Where only advice is left to follow, nothing stands in for following it.
  if (
    now.binary &&
    !now.hardGreen &&
    state.standIns < allowance &&
    (now.newSubstance || (now.newTree && text))
  )
    return 'stand-in';
  return null;
}

/** A tree that was judged before is no better than it was: what its gates say differently now is chance. */
const wasJudged = (state: RunState, work: string): boolean =>
  work === state.baseWork || state.judged.some((one) => one.work === work);

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((a, b) => a + b, 0) / values.length;
