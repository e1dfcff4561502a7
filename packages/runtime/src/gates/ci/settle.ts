import type { Finding, Verdict } from '@agentgate/core';
import { cleanText } from '../../process/index.ts';
import { makeFailed, sayFindings } from '../failed.ts';
import { numbered, tell } from '../reports/identity.ts';
import type { Check, CiGate } from './check.ts';
import { named } from './named.ts';

/** How the checks of a commit stand together. `again` is the least pause before another look is worth it. */
export type Settled =
  | { kind: 'verdict'; verdict: Verdict }
  | { kind: 'waiting'; note: string; againMs?: number };

/** Workflows begin one after the other, so a commit that just turned green is looked at once more. */
const settleMs = 30_000;
const mostNamed = 5;

/** Judges a commit by its checks. What has not run yet, or not at all, has not passed. */
export function settle(gate: CiGate, checks: readonly Check[], nowMs: number, where: string): Settled {
  const chosen = gate.checks.length === 0 ? checks : checks.filter((one) => isAsked(gate, one));
  const absent = gate.checks.filter((pattern) => !chosen.some(({ name }) => named(pattern, name)));
  const failed = findingsOf(chosen);
  const moving = chosen.filter(({ state }) => state === 'waiting');
  const held = chosen.filter(({ state }) => state === 'held');
  if (moving.length > 0) return waiting(`${where}: ${namesOf(moving)} not finished`);
  // What a person holds back at the forge never comes once something else has failed.
  if (failed.length > 0) return { kind: 'verdict', verdict: makeFailed(failed, sayFindings(failed)) };
  if (absent.length > 0) return waiting(`${where}: no check ${absent.join(', ')} yet`);
  if (held.length > 0) return waiting(`${where}: ${namesOf(held)} waits for a person at the forge`);
  if (!chosen.some(({ state }) => state === 'success' || state === 'neutral'))
    return waiting(`${where}: ${chosen.length === 0 ? 'no check yet' : 'every check was skipped'}`);
  const isOpen = gate.checks.length === 0 && gate.workflow.length === 0;
  const restMs = Math.max(0, ...chosen.map(({ endedMs }) => (endedMs ?? 0) + settleMs - nowMs));
  if (isOpen && restMs > 0 && restMs <= settleMs)
    return { kind: 'waiting', note: `${where}: green just now; one more look`, againMs: restMs };
  const count = chosen.filter(({ sum }) => !sum).length;
  return { kind: 'verdict', verdict: { kind: 'passed', note: `${where}: ${count} checks` } };
}

/** A list for people: every check, how it stands, and where to read more. */
export function sayChecks(checks: readonly Check[]): string {
  return checks
    .map(({ name, said, url }) =>
      cleanText(`${name}: ${said}${url === undefined ? '' : `  ${url}`}`).slice(0, 500),
    )
    .join('\n');
}

/** Names that are asked for mean the checks themselves, not what sums them up. */
const isAsked = (gate: CiGate, { name, sum }: Check): boolean =>
  !sum && gate.checks.some((pattern) => named(pattern, name));

function findingsOf(checks: readonly Check[]): Finding[] {
  const failed = checks.filter(({ state }) => state === 'failed');
  const own = failed.filter(({ sum }) => !sum);
  return numbered((own.length > 0 ? own : failed).map(findingOf));
}

/** The words are those of the forge and of whoever wrote the check: data, cleaned and bounded. */
function findingOf({ name, said, url, summary }: Check): Finding {
  const label = brief(name);
  const message = tell(cleanText(summary ?? ''), cleanText(url ?? ''));
  return {
    id: `ci:${label}`,
    title: `${label}: ${brief(said)}`,
    ...(message === undefined ? {} : { message }),
  };
}

const brief = (text: string): string =>
  cleanText(text).replaceAll(/\s+/g, ' ').trim().slice(0, 200) || 'check';

const waiting = (note: string): Settled => ({ kind: 'waiting', note });

function namesOf(checks: readonly Check[]): string {
  const names = checks.slice(0, mostNamed).map(({ name }) => brief(name));
  const more = checks.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
