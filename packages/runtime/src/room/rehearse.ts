import type { Judgement, Rung, Verdict } from '@agentgate/core';

/** How a gate judged before any token was spent, and the tightest room in which it judges as in place. */
export interface Rehearsal {
  rung: Rung;
  /** The judgement in place: what the user would see. */
  judgement: Judgement;
  /** One line for a person; absent where the gate is sealed and there is nothing to say. */
  line?: string;
}

export interface RehearsalRequest {
  gate: string;
  judgeInPlace(): Promise<Judgement>;
  /** Judges in a fresh room on that rung. */
  judgeIn(rung: Exclude<Rung, 'in-place'>): Promise<Judgement>;
}

/**
 * Judges the untouched tree in place and in the room. Where the two differ, climbs to the first rung on which they
 * agree. A gate that differs from itself in place is flaky, and the room is not to blame.
 */
export async function rehearse({ gate, judgeInPlace, judgeIn }: RehearsalRequest): Promise<Rehearsal> {
  const judgement = await judgeInPlace();
  const sealed = await judgeIn('sealed');
  if (agree(judgement.verdict, sealed.verdict)) return { rung: 'sealed', judgement };
  const again = await judgeInPlace();
  if (!agree(judgement.verdict, again.verdict)) {
    const [first, second] = sayApart(judgement.verdict, again.verdict);
    const line = `gate ${gate} does not judge the same tree the same way twice (${first}, then ${second}); it is flaky, and stays sealed`;
    return { rung: 'sealed', judgement, line };
  }
  for (const rung of higher) {
    const { verdict } = await judgeIn(rung);
    if (agree(judgement.verdict, verdict)) return { rung, judgement, line: `gate ${gate} ${NEEDS[rung]}` };
  }
  const [inRoom, here] = sayApart(sealed.verdict, judgement.verdict);
  const line = `gate ${gate} judges in place: in its room it is ${inRoom}, and here ${here}`;
  return { rung: 'in-place', judgement, line };
}

const higher = ['home', 'ignored', 'network'] as const;

const NEEDS: Record<(typeof higher)[number], string> = {
  home: 'needs your whole home, read-only: what it judges by may be there',
  ignored: 'needs ignored files that are no dependencies; it sees them as they were before the run',
  network: 'needs the network, which it did not declare; what it judges by may be there',
};

/** Whether two judgements of one tree say the same: the kind, what was found, and how many tests ran. */
export function agree(one: Verdict, other: Verdict): boolean {
  return keyOf(one) === keyOf(other);
}

function keyOf(verdict: Verdict): string {
  switch (verdict.kind) {
    case 'failed': {
      const ids = verdict.findings.map(({ id }) => id);
      return `failed ${[...new Set(ids)].sort().join('\n')} ${countOf(verdict.tests)}`;
    }
    case 'passed':
      return `passed ${countOf(verdict.tests)}`;
    case 'unable':
      return `unable ${verdict.fault.code}`;
    default:
      return verdict.kind;
  }
}

function countOf(tests: Extract<Verdict, { kind: 'passed' }>['tests']): string {
  return tests === undefined ? '' : `${tests.passed}/${tests.failed}/${tests.skipped}`;
}

/** Two judgements that do not agree. Where they sound alike, what only one of them found or counted is named. */
function sayApart(one: Verdict, other: Verdict): [string, string] {
  const [first, second] = [say(one), say(other)];
  if (first !== second) return [first, second];
  return [`${first}${onlyIn(one, other)}`, `${second}${onlyIn(other, one)}`];
}

function onlyIn(one: Verdict, other: Verdict): string {
  const known = other.kind === 'failed' ? other.findings.map(({ id }) => id) : [];
  const own = one.kind === 'failed' ? one.findings.filter(({ id }) => !known.includes(id)) : [];
  const names = [...new Set(own.map(({ title }) => JSON.stringify(shorten(title))))];
  const more = names.length > 2 ? ` and ${names.length - 2} more` : '';
  if (names.length > 0) return ` (${names.slice(0, 2).join(', ')}${more})`;
  const tests = one.kind === 'failed' || one.kind === 'passed' ? one.tests : undefined;
  if (tests === undefined) return ' (no tests were counted)';
  return ` (tests: ${tests.passed} passed, ${tests.failed} failed, ${tests.skipped} skipped)`;
}

const shorten = (title: string): string => (title.length > 80 ? `${title.slice(0, 79)}…` : title);

function say(verdict: Verdict): string {
  if (verdict.kind === 'unable') return `unable (${verdict.fault.code})`;
  if (verdict.kind !== 'failed') return verdict.kind;
  const count = verdict.findings.length;
  return `failed with ${count} finding${count === 1 ? '' : 's'}`;
}
