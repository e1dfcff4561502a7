import {
  type Approval,
  type Gate,
  type GateRequest,
  type GateRun,
  type GateSpec,
  invariant,
  showDuration,
  type Verdict,
} from '@agentgate/core';
import { makeFailed, sayFindings } from './failed.ts';

type ApprovalGate = Extract<GateSpec, { kind: 'approval' }> & { name: string };

const askAgainMs = 60_000;

/** Asks persons about this very tree. Nobody has answered is not yet; one no is a failure. */
export const judgeApproval: Gate = async (request) => {
  const verdict = judge(request);
  return { verdict, tookMs: 0, output: verdict.kind === 'failed' ? verdict.excerpt : '' };
};

function judge({ gate, run, signal }: GateRequest): Verdict {
  invariant(gate.kind === 'approval', 'an approval gate asks persons');
  if (signal.aborted) return { kind: 'skipped', why: 'the run was stopped' };
  const answers = lastAnswers(run.approvals, gate.approvers);
  const rejected = rejectionIn(answers);
  if (rejected) return rejected;
  const persons = answers.map(({ by }) => by);
  if (run.tree !== '' && persons.length >= gate.minApprovals) return approvedBy(persons);
  const leftMs = gate.timeout === undefined ? Infinity : gate.timeout - (run.waitedMs ?? 0);
  if (run.tree !== '' && leftMs <= 0) return silence(gate, gate.timeout ?? 0);
  return { kind: 'pending', retryAfterMs: Math.min(askAgainMs, leftMs), note: ask(gate, run.tree, persons) };
}

/** One answer for each person who may answer: the last one, because a person may change their mind. */
export function lastAnswers(approvals: readonly Approval[], approvers: readonly string[]): Approval[] {
  const may = new Set(approvers.map(personOf));
  const answers = new Map<string, Approval>();
  for (const answer of approvals) {
    const person = personOf(answer.by);
    if (may.size > 0 && !may.has(person)) continue;
    answers.delete(person);
    answers.set(person, answer);
  }
  return [...answers.values()];
}

/** What one person alone says of a tree that something else has found good. */
export function askOnePerson(run: GateRun, name: string, question: string): Verdict {
  const answers = lastAnswers(run.approvals, []);
  const rejected = rejectionIn(answers);
  if (rejected) return rejected;
  if (run.tree !== '' && answers.length > 0) return approvedBy(answers.map(({ by }) => by));
  return { kind: 'pending', retryAfterMs: askAgainMs, note: `${question}; ${nextStep(name, run.tree)}` };
}

/** One no is enough. */
export function rejectionIn(answers: readonly Approval[]): Verdict | undefined {
  const against = answers.filter(({ approved }) => !approved);
  if (against.length === 0) return undefined;
  const findings = against.map(({ by, note }) => ({
    id: `approval:rejected:${by}`,
    title: `${by} said no`,
    ...(note === undefined ? {} : { message: note }),
  }));
  return makeFailed(findings, sayFindings(findings));
}

const approvedBy = (persons: readonly string[]): Verdict => ({
  kind: 'passed',
  note: `approved by ${persons.join(', ')}`,
});

/** What was agreed for the case that nobody answers in time. */
function silence(gate: ApprovalGate, timeoutMs: number): Verdict {
  const title = `nobody answered within ${showDuration(timeoutMs)}`;
  if (gate.default === 'approve')
    return { kind: 'passed', note: `${title}; the default is approve`, unanswered: true };
  const finding = {
    id: 'approval:no-answer',
    title,
    message: 'The default is reject.',
    synthetic: true,
  } as const;
  return makeFailed([finding], title);
}

const personOf = (name: string): string => name.trim().toLowerCase();

function ask(
  { name, message, approvers, minApprovals }: ApprovalGate,
  tree: string,
  persons: string[],
): string {
  const asked = message ?? 'a person must approve this tree';
  const who = approvers.length === 0 ? '' : ` of ${approvers.join(', ')}`;
  const so = `${asked}${/[.?!]$/.test(asked) ? '' : ':'} ${persons.length} of ${minApprovals} ${minApprovals === 1 ? 'approval' : 'approvals'}${who}`;
  return `${so}${persons.length === 0 ? '' : ` (${persons.join(', ')})`}; ${nextStep(name, tree)}`;
}

const nextStep = (name: string, tree: string): string =>
  tree === '' ? 'approvals are given in a run' : `answer with: agentgate approve ${quoted(name)}, or reject`;

const quoted = (name: string): string => (/^[\w.:-]+$/.test(name) ? name : `"${name}"`);
