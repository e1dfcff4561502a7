import type { Assessment, Standing } from '../assess.ts';
import type { Event } from '../event.ts';
import { evolve } from '../evolve.ts';
import type { Finding } from '../finding.ts';
import { showDuration } from '../quantity.ts';
import type { NamedGate } from '../spec.ts';
import { emptyState, type RunState } from '../state.ts';

/** How one case ended, in JUnit's words. */
type CaseEnd =
  | { kind: 'passed'; note?: string }
  | { kind: 'failure' | 'error'; message: string; type: string; text: string }
  | { kind: 'skipped'; message: string };

export interface Case {
  name: string;
  file?: string | undefined;
  line?: number | undefined;
  end: CaseEnd;
}

export interface Suite {
  name: string;
  cases: Case[];
  tookMs: number;
  at: string;
}

/** Every finding a gate ever had, by its id, as it was seen last. */
type Seen = Map<string, Finding>;

/** One suite per gate and one for the outcome. */
export function makeSuites(events: Iterable<Event>): { runId: string; suites: Suite[] } {
  const seen = new Map<string, Seen>();
  const tookMs = new Map<string, number>();
  let at = '';
  let state = emptyState();
  for (const event of events) {
    state = evolve(state, event);
    if (event.kind === 'run.started') at = event.at;
    if (event.kind !== 'gate.judged') continue;
    tookMs.set(event.gate, event.tookMs);
    remember(seen, event.gate, event.verdict.kind === 'failed' ? event.verdict.findings : []);
  }
  const gates = state.spec?.gates ?? [];
  const suites = gates.map((gate) => ({
    name: gate.name,
    cases: casesOf(gate, seen.get(gate.name) ?? new Map(), state),
    tookMs: tookMs.get(gate.name) ?? 0,
    at,
  }));
  return { runId: state.runId, suites: [...suites, outcomeSuite(state, at)] };
}

function remember(seen: Map<string, Seen>, gate: string, findings: readonly Finding[]): void {
  const known = seen.get(gate) ?? new Map<string, Finding>();
  for (const finding of findings) known.set(finding.id, finding);
  seen.set(gate, known);
}

/** The newest iteration in which the gate was judged, and how it stood there. */
function standingOf(
  gate: string,
  { last, lastJudged }: RunState,
): { now: Assessment; standing: Standing } | null {
  for (const now of [last, lastJudged]) {
    const standing = now?.standings.find((one) => one.gate.name === gate);
    if (now && standing) return { now, standing };
  }
  return null;
}

function casesOf(gate: NamedGate, seen: Seen, state: RunState): Case[] {
  const found = standingOf(gate.name, state);
  if (!found) return [{ name: gate.name, end: { kind: 'skipped', message: 'the gate was not judged' } }];
  const { now, standing } = found;
  const judge = (finding: Finding) => advised(gate, findingEnd(finding, standing, now));
  const names = distinctNames([...seen.values()]);
  const cases = [...seen.values()].map((finding) => ({
    name: names.get(finding.id)!,
    file: finding.file,
    line: finding.line,
    end: judge(finding),
  }));
  const answered = standing.verdict.kind === 'passed' || standing.verdict.kind === 'failed';
  if (answered && cases.length > 0) return cases;
  return [{ name: gate.name, end: advised(gate, gateEnd(standing)) }, ...cases];
}

function findingEnd(finding: Finding, { verdict, passed, findings }: Standing, now: Assessment): CaseEnd {
  if (verdict.kind === 'passed') return { kind: 'passed' };
  if (verdict.kind !== 'failed') return { kind: 'skipped', message: 'the gate could not judge it again' };
  const shown = verdict.findings.some((one) => one.id === finding.id);
  if (shown && (passed || !findings.some((one) => one.id === finding.id)))
    return {
      kind: 'skipped',
      message: 'it does not count: it was there before the run, or is above the least level',
    };
  if (shown) {
    const message = finding.message ?? finding.title;
    return { kind: 'failure', message: message.split('\n')[0] ?? '', type: 'finding', text: message };
  }
  const hidden = now.hidden.some((key) => key.endsWith(`\u0000${finding.id}`));
  return hidden ? { kind: 'skipped', message: 'something keeps it from being seen' } : { kind: 'passed' };
}

function gateEnd({ verdict, passed }: Standing): CaseEnd {
  switch (verdict.kind) {
    case 'passed':
      return { kind: 'passed' };
    case 'failed':
      return passed
        ? { kind: 'passed' }
        : { kind: 'failure', message: 'the gate failed', type: 'failed', text: verdict.excerpt };
    case 'unable':
      return {
        kind: 'error',
        message: verdict.fault.message,
        type: verdict.fault.code,
        text: verdict.excerpt ?? '',
      };
    case 'timed-out':
      return {
        kind: 'error',
        message: `no answer within ${showDuration(verdict.afterMs)}`,
        type: 'timed-out',
        text: verdict.excerpt,
      };
    case 'pending':
      return { kind: 'skipped', message: verdict.note ?? 'the gate was not ready' };
    case 'skipped':
      return { kind: 'skipped', message: verdict.why };
  }
}

/** A soft gate advises: it never makes a build red. */
function advised({ severity }: NamedGate, end: CaseEnd): CaseEnd {
  if (severity === 'hard' || (end.kind !== 'failure' && end.kind !== 'error')) return end;
  return { kind: 'skipped', message: `advice of a soft gate: ${end.message}` };
}

/** Titles for people where they tell the findings apart, ids where they do not. */
function distinctNames(findings: readonly Finding[]): Map<string, string> {
  const counts = new Map<string, number>();
  for (const { title } of findings) counts.set(title, (counts.get(title) ?? 0) + 1);
  return new Map(findings.map(({ id, title }) => [id, counts.get(title) === 1 && title !== '' ? title : id]));
}

function outcomeSuite({ ended, spec, iteration }: RunState, at: string): Suite {
  const suite = { name: 'agentgate', tookMs: 0, at };
  if (ended?.status === 'converged') {
    const note = [`${ended.code}: ${ended.reason}`, ...ended.caveats].join('\n');
    return { ...suite, cases: [{ name: 'outcome', end: { kind: 'passed', note } }] };
  }
  const [type, message] = ended
    ? [ended.code, `${ended.status}: ${ended.reason}`]
    : ['not-ended', `the run has not ended (iteration ${iteration})`];
  const text = spec ? `task: ${spec.task.trim().split('\n')[0] ?? ''}` : '';
  return { ...suite, cases: [{ name: 'outcome', end: { kind: 'failure', message, type, text } }] };
}
