import {
  type Approval,
  type Gate,
  type GateRequest,
  type GateSpec,
  invariant,
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
  const against = answers.filter(({ approved }) => !approved);
  if (against.length > 0) {
    const findings = against.map(({ by, note }) => ({
      id: `approval:rejected:${by}`,
      title: `${by} said no`,
      ...(note === undefined ? {} : { message: note }),
    }));
    return makeFailed(findings, sayFindings(findings));
  }
  const persons = answers.map(({ by }) => by);
  if (run.tree !== '' && persons.length >= gate.minApprovals) {
    return { kind: 'passed', note: `approved by ${persons.join(', ')}` };
  }
  return { kind: 'pending', retryAfterMs: askAgainMs, note: ask(gate, run.tree, persons) };
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

const personOf = (name: string): string => name.trim().toLowerCase();

function ask(
  { name, message, approvers, minApprovals }: ApprovalGate,
  tree: string,
  persons: string[],
): string {
  const asked = message ?? 'a person must approve this tree';
  const who = approvers.length === 0 ? '' : ` of ${approvers.join(', ')}`;
  const so = `${asked}: ${persons.length} of ${minApprovals} ${minApprovals === 1 ? 'approval' : 'approvals'}${who}`;
  const next =
    tree === ''
      ? 'approvals are given in a run'
      : `answer with: agentgate approve ${quoted(name)}, or reject`;
  return `${so}${persons.length === 0 ? '' : ` (${persons.join(', ')})`}; ${next}`;
}

const quoted = (name: string): string => (/^[\w.:-]+$/.test(name) ? name : `"${name}"`);
