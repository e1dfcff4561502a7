import { type Assessment, assess } from './assess.ts';
import { failureLabel } from './failure.ts';
import type { Because, Decision, Evidence } from './decision.ts';
import type { Event } from './event.ts';
import { evolve } from './evolve.ts';
import { moveNames } from './ladder.ts';
import { readLearned } from './learned.ts';
import type { Law } from './policy/index.ts';
import { measure } from './progress.ts';
import { showDuration, showMoney } from './quantity.ts';
import { emptyState, type RunState } from './state.ts';

/** One decision told to a person. */
export interface Explanation {
  iteration: number;
  code: string;
  sentences: string[];
}

/** Tells why each iteration went on or stopped, from the log alone. */
export function explainRun(events: Iterable<Event>): Explanation[] {
  const told: Explanation[] = [];
  let state = emptyState();
  for (const event of events) {
    if (event.kind === 'decided') {
      const one = explainDecision(state, event.decision);
      if (one) told.push(one);
    }
    state = evolve(state, event);
  }
  return told;
}

/** Tells one decision from the state before it; null for those that follow by themselves. */
export function explainDecision(state: RunState, decision: Decision): Explanation | null {
  const { current } = state;
  switch (decision.kind) {
    case 'start-iteration':
      return current && current.iteration > 0
        ? explainIteration(state, assess(state, current), decision.because, 'went on')
        : explainStart(state, decision);
    case 'end-run': {
      const verb =
        decision.status === 'converged'
          ? 'was the last: the run converged'
          : `was the last: the run ended ${decision.status}`;
      if (current && current.iteration > 0)
        return explainIteration(state, assess(state, current), decision.because, verb);
      return {
        iteration: 0,
        code: decision.because.code,
        sentences: [
          `The run ended ${decision.status} ${state.iteration === 0 ? 'before an agent worked' : 'without another iteration'}: ${decision.because.reason}.`,
        ],
      };
    }
    case 'make-move':
      return {
        iteration: decision.iteration,
        code: decision.because.code,
        sentences: [
          `The run was stuck, because ${decision.because.reason} (${decision.because.code}).`,
          `Before giving up it changed something: ${moveNames[decision.move]}${moveDetail(decision)}.`,
        ],
      };
    case 'ask':
      return {
        iteration: decision.iteration,
        code: decision.because.code,
        sentences: [
          `It asked a person and waited at most ${showDuration(decision.forMs)}; without an answer it would ${decision.default}.`,
        ],
      };
    case 'notify':
      return decision.about === 'escalation'
        ? {
            iteration: decision.iteration,
            code: decision.because.code,
            sentences: [`A person was told, because ${decision.because.reason}.`],
          }
        : null;
    case 'wait':
      return {
        iteration: state.iteration,
        code: decision.because.code,
        sentences: [
          `It waited ${showDuration(decision.forMs)}: ${decision.because.reason}. Waiting costs no iteration.`,
        ],
      };
    default:
      return null;
  }
}

function moveDetail({ move, to }: Extract<Decision, { kind: 'make-move' }>): string {
  if (to === undefined) return '';
  if (move === 'revert')
    return to === 0 ? ', the one from before the agent began' : `, that of iteration ${to}`;
  return `, number ${to + 1} of the ladder`;
}

function explainStart(
  state: RunState,
  decision: Extract<Decision, { kind: 'start-iteration' }>,
): Explanation {
  const { current } = state;
  if (!current)
    return {
      iteration: decision.iteration - 1,
      code: decision.because.code,
      sentences: ['A person went on with the run.'],
    };
  const now = assess(state, current);
  const red = now.standings.filter((one) => !one.passed).map((one) => one.gate.name);
  const sentence =
    red.length === 0
      ? 'Before the agent began, every gate was green already.'
      : `Before the agent began, ${list(red)} ${red.length === 1 ? 'was' : 'were'} red with ${count(now.failures.size, 'finding')}; no tokens were spent to learn that.`;
  return { iteration: 0, code: decision.because.code, sentences: [sentence] };
}

function explainIteration(state: RunState, now: Assessment, because: Because, verb: string): Explanation {
  const sentences = [
    `Iteration ${now.current.iteration} ${verb}, because ${whyText(because, state)} (${because.code}${confidence(because)}).`,
    ...whatHappened(state, now),
    ...evidenceText(because.evidence),
    ...pace(state, now),
    ...because.also.map((one) => `It also held that ${one.reason} (${one.code}).`),
    ...(because.action === 'continue' ? [outlook(because, state)] : []),
  ];
  return { iteration: now.current.iteration, code: because.code, sentences };
}

function whatHappened(state: RunState, now: Assessment): string[] {
  const { build, changed, claim, costUsd } = now.current;
  const sentences: string[] = [];
  if (build?.kind === 'failed')
    sentences.push(
      `The agent failed: ${build.detail}; ${now.judged ? 'what it left was judged' : 'the gates were not judged'}.`,
    );
  if (build?.kind === 'interrupted')
    sentences.push('The controller was cut short while the agent worked; what it left was judged.');
  if (changed) {
    const paths = changed.paths.slice(0, 3).join(', ');
    const total = changed.added + changed.modified + changed.deleted;
    sentences.push(
      total === 0
        ? 'Nothing in the tree changed.'
        : `It changed ${count(total, 'file')}${paths ? ` (${paths}${total > 3 ? ', …' : ''})` : ''}${costUsd === null ? '' : ` for ${showMoney(costUsd)}`}.`,
    );
  }
  if (now.judged) sentences.push(judged(state, now));
  if (claim) sentences.push(`The agent said it was done (${claim.signal})${claimWorth(now)}.`);
  return sentences;
}

function claimWorth(now: Assessment): string {
  if (now.allGreen) return ', and the gates agree';
  if (!now.judged) return '; no gate has judged that';
  return now.hardGreen ? '; the hard gates agree, soft ones do not' : '; the gates refute that';
}

function judged(state: RunState, now: Assessment): string {
  if (now.allGreen)
    return `${now.standings.length === 1 ? 'The gate' : `All ${now.standings.length} gates`} passed on tree ${now.current.tree?.slice(0, 12)}.`;
  const red = now.standings.filter((one) => !one.passed).map((one) => one.gate.name);
  const gates = `${red.length === 1 ? 'Gate' : 'Gates'} ${list(red)}`;
  const parts = [`${gates} failed with ${count(now.failures.size, 'finding')}`];
  if (now.fixed.length > 0)
    parts.push(`${count(now.fixed.length, 'finding')} ${now.fixed.length === 1 ? 'was' : 'were'} fixed`);
  if (now.unmasked) parts.push('what could not load before showed its real failures');
  else if (now.broken.length > 0)
    parts.push(`${now.broken.length} ${now.broken.length === 1 ? 'is' : 'are'} new (${names(now.broken)})`);
  const best = state.bestScore;
  const delta = now.score - best;
  const score = `the score is ${now.score.toFixed(2)}, ${delta >= 0 ? `${delta.toFixed(2)} above` : `${(-delta).toFixed(2)} below`} the best before`;
  return `${parts.join(', ')}; ${score}.`;
}

/** How far the recent slope would have to be followed; silent when it does not point to the goal. */
function pace(state: RunState, now: Assessment): string[] {
  if (!now.judged || now.allGreen || now.progress === null) return [];
  const { estimatedIterations, trend } = measure(state, now);
  if (estimatedIterations === null || trend === 'regressing') return [];
  return [`At this pace about ${count(estimatedIterations, 'more iteration')} would meet the gates.`];
}

function outlook(because: Because, state: RunState): string {
  switch (because.code) {
    case 'continue.base':
      return 'It would have stopped at a limit; after the base, or on a detector, it would have changed something first where the ladder allows it, and ended otherwise.';
    case 'continue.bonus':
      return 'It would have stopped without sufficient progress, or with the last bonus used.';
    case 'continue.progress':
    case 'continue.stand-in':
      return 'It would have stopped, or changed something first, if two iterations in a row had brought no progress.';
    case 'continue.trial':
      return 'It would make the next move, or end, if the iterations after this move brought nothing.';
    case 'continue.plateau':
    case 'continue.grace':
      return 'It would stop if the next iteration brought no progress and nothing new.';
    case 'continue.learned':
      return learnedOutlook(because, state);
    case 'continue.explore':
      return 'Without that it would have stopped here.';
    case 'continue.manual':
      return 'It would have ended if the person had said so.';
    default:
      return 'It would have stopped at a limit, or when something said that the run gets nowhere.';
  }
}

/** What the simpler rules go by is a number; they do not look at the price. */
function learnedOutlook(because: Because, state: RunState): string {
  const law = plainLaw(because, state);
  switch (law?.kind) {
    case 'fixed':
      return `It would have stopped after iteration ${law.iterations}, whatever the next one promised.`;
    case 'stall':
      return `It would have stopped once the best score had not risen for ${count(law.patience, 'iteration')}, whatever the next one promised.`;
    default:
      return 'It would have stopped if the next iterations had promised less, or a solve had cost more.';
  }
}

/** The learned number or patience that decided; null where the price did. */
function plainLaw({ evidence }: Because, state: RunState): Extract<Law, { kind: 'fixed' | 'stall' }> | null {
  const known = readLearned(state.learned);
  if (known.kind === 'unknown') return null;
  const law = known.model.laws.repair;
  return (law?.kind === 'fixed' || law?.kind === 'stall') && law.kind === evidence['rule'] ? law : null;
}

const shownEvidence = new Set([
  'iterations',
  'period',
  'window',
  'lowest',
  'threshold',
  'claims',
  'limit',
  'used',
  'bound',
  'dry',
  'plateaus',
  'endedBy',
  'rule',
  'model',
]);

function evidenceText(evidence: Evidence): string[] {
  const parts = Object.entries(evidence)
    .filter(([key]) => shownEvidence.has(key))
    .map(([key, value]) => `${key} ${Array.isArray(value) ? value.join(', ') : String(value)}`);
  return parts.length === 0 ? [] : [`Evidence: ${parts.join('; ')}.`];
}

/** Some reasons are short for the row of a table and want a few words more in a sentence. */
function whyText(because: Because, state: RunState): string {
  const { code, reason } = because;
  if (code === 'continue.base') return `hybrid had base iterations left: ${reason}`;
  if (code === 'continue.learned') {
    const law = plainLaw(because, state);
    if (law?.kind === 'fixed')
      return `earlier runs say that runs here are worth ${count(law.iterations, 'iteration')}: ${reason}`;
    if (law?.kind === 'stall')
      return `earlier runs say that runs here are worth ${count(law.patience, 'iteration')} after the best: ${reason}`;
    return `earlier runs say that it is worth it: ${reason}`;
  }
  if (code === 'strategy.learned') return `earlier runs say that ${reason}`;
  if (code === 'continue.progress') return `there was progress: ${reason}`;
  if (code === 'continue.bonus') return `hybrid granted a bonus iteration: ${reason}`;
  if (code === 'continue.fixed' || code === 'continue.ralph')
    return `the strategy had iterations left: ${reason}`;
  return reason;
}

const confidence = ({ confidence }: Because): string =>
  confidence === 1 ? '' : `, confidence ${confidence}`;
const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`;
const list = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? 'nothing') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
const names = (keys: readonly string[]): string =>
  keys.slice(0, 3).map(failureLabel).join('; ') + (keys.length > 3 ? '; …' : '');
