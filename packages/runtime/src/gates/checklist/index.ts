import { type Gate, invariant, type Verdict } from '@agentgate/core';
import { makeFailed, sayFindings } from '../failed.ts';
import { haltOf } from '../fault-of.ts';
import { stopped } from '../step.ts';
import { type Answer, type Group, type Item, type Look, met, unmet, wordsOf } from './answer.ts';
import { judgeCommandItem } from './command.ts';
import { judgeFileItem } from './file.ts';
import { judgeAssertion } from './person.ts';
import { judgeQuality } from './quality.ts';

const askAgainMs = 60_000;

/** Judges a list of things that must all hold. What nobody judged has not passed. */
export const judgeChecklist: Gate = async (request) => {
  const { gate } = request;
  invariant(gate.kind === 'checklist', 'a checklist gate has a list');
  const from = performance.now();
  const look = { request, untilMs: from + request.timeoutMs, at: '' };
  const answer = await judgeAll({ kind: 'all-of', items: gate.items }, look).catch(haltOf);
  const verdict = verdictOf(answer);
  return {
    verdict,
    tookMs: performance.now() - from,
    output: verdict.kind === 'failed' ? verdict.excerpt : '',
  };
};

function judgeItem(item: Item, look: Look): Promise<Answer> | Answer {
  const { request, untilMs } = look;
  if (request.signal.aborted) return stopped;
  if (performance.now() >= untilMs) {
    return { kind: 'halt', verdict: { kind: 'timed-out', afterMs: request.timeoutMs, excerpt: '' } };
  }
  switch (item.kind) {
    case 'all-of':
      return judgeAll(item, look);
    case 'any-of':
      return judgeAny(item, look);
    case 'command':
    case 'not-command':
      return judgeCommandItem(item, look);
    case 'file':
    case 'not-file':
      return judgeFileItem(item, look);
    case 'assertion':
      return judgeAssertion(item, look);
    case 'quality':
      return judgeQuality(item, look);
  }
}

/** Everything is looked at, so that one judgement names all that is missing. */
async function judgeAll({ items }: Group, look: Look): Promise<Answer> {
  const answers: Answer[] = [];
  for (const [index, item] of items.entries()) {
    const answer = await judgeItem(item, placed(look, index));
    if (answer.kind === 'halt') return answer;
    answers.push(answer);
  }
  const unable = answers.find((one) => one.kind === 'unable');
  if (unable) return unable;
  const findings = answers.flatMap((one) => (one.kind === 'unmet' ? one.findings : []));
  if (findings.length > 0) return { kind: 'unmet', findings };
  const asks = answers.flatMap((one) => (one.kind === 'waiting' ? one.asks : []));
  return asks.length > 0 ? { kind: 'waiting', asks } : met;
}

/** The first that holds is enough; a person is only waited for when nothing else holds. */
async function judgeAny(group: Group, look: Look): Promise<Answer> {
  const answers: Answer[] = [];
  for (const [index, item] of group.items.entries()) {
    const answer = await judgeItem(item, placed(look, index));
    if (answer.kind === 'met' || answer.kind === 'halt') return answer;
    answers.push(answer);
  }
  const open = answers.find((one) => one.kind === 'unable') ?? answers.find((one) => one.kind === 'waiting');
  if (open) return open;
  const reasons = answers.flatMap((one) => (one.kind === 'unmet' ? one.findings : []));
  return unmet(group, `none of these holds: ${group.items.map(wordsOf).join('; ')}`, {
    message: sayFindings(reasons).slice(0, 1_000),
  });
}

const placed = (look: Look, index: number): Look => ({
  ...look,
  at: look.at === '' ? `${index + 1}` : `${look.at}.${index + 1}`,
});

function verdictOf(answer: Answer): Verdict {
  switch (answer.kind) {
    case 'met':
      return { kind: 'passed' };
    case 'unmet':
      return makeFailed(answer.findings, sayFindings(answer.findings));
    case 'waiting':
      return { kind: 'pending', retryAfterMs: askAgainMs, note: answer.asks.join('; ').slice(0, 1_000) };
    case 'unable':
      return { kind: 'unable', fault: answer.fault };
    case 'halt':
      return answer.verdict;
  }
}
