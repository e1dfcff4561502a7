import { describeGate, type Finding, type RunState, type Standing } from '@agentgate/core';
import { usage } from '../view/words.ts';
import type { Where } from './where.ts';

/** So much of what fails is told at once; the rest comes when these are gone. */
const mostFindings = 20;

const verdictWords: Record<Standing['verdict']['kind'], string> = {
  passed: 'passes',
  failed: 'FAILS',
  'timed-out': 'FAILS: it took too long',
  unable: 'could not be judged',
  pending: 'is not ready yet',
  skipped: 'was left out',
};

/** How a gate stands, with what fails. */
export function gateLines({ gate, verdict, passed, findings }: Standing): string[] {
  const how = passed ? 'passes' : verdictWords[verdict.kind];
  const why = verdict.kind === 'unable' ? `: ${verdict.fault.message}` : '';
  return [
    `${describeGate(gate)}: ${how}${why}`,
    ...(passed ? [] : findings.slice(0, mostFindings).map(findingLine)),
    ...(passed || findings.length <= mostFindings ? [] : [`  and ${findings.length - mostFindings} more`]),
  ];
}

function findingLine({ title, message, file, line }: Finding): string {
  const place = file === undefined ? '' : ` (${file}${line === undefined ? '' : `:${line}`})`;
  const said = message === undefined || message === title ? '' : `: ${message.split('\n')[0]}`;
  return `  - ${title}${place}${said}`;
}

/** The gates of a run as they were judged last, or only what they are. */
export function gatesText({ spec, state, runId, trouble }: Where): string {
  if (!spec) return `There is nothing to judge by: ${trouble}`;
  const judged = state?.lastJudged?.standings ?? [];
  const lines = spec.gates.flatMap((gate) => {
    const standing = judged.find((one) => one.gate.name === gate.name);
    return standing ? gateLines(standing) : [`${describeGate(gate)}: ${baselineWords(state, gate.name)}`];
  });
  const about =
    runId === null
      ? 'No run judges this session. These are the gates of the project:'
      : `Run ${runId} is judged by these gates when you stop. As they were judged last${state && state.judged.length === 0 ? ', before you began' : ''}:`;
  return [about, ...lines].join('\n');
}

function baselineWords(state: RunState | null, gate: string): string {
  const verdict = state?.baseline.get(gate);
  return verdict ? verdictWords[verdict.kind] : 'not judged yet';
}

/** What is used and what is left. */
export function budgetText({ state, runId }: Where): string {
  if (runId === null) return 'No run judges this session, so it has no budget.';
  if (!state) return `Run ${runId}: its records are out of your reach here.`;
  const best =
    state.best && state.best.iteration > 0
      ? [`The best tree so far is that of iteration ${state.best.iteration}.`]
      : [];
  return [`Run ${runId} has used: ${usage(state).join(', ')}.`, ...best].join('\n');
}
