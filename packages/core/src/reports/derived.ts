import { highestLevel } from '../assess.ts';
import { levelNames } from '../spec.ts';
import type { RunState } from '../state.ts';
import { makeMarkdown } from './markdown.ts';
import { makeReport } from './report.ts';
import type { Row } from './row.ts';
import type { Story, Told } from './story.ts';

/** The files for people and older tools, by name. */
export interface Derived {
  'loop-state.json': string;
  'metrics.json': string;
  'report.md': string;
}

/** Makes the derived files of a run. `hash` gives a hex digest; its first 16 characters are used. */
export function makeDerived(story: Story, state: RunState, hash: (text: string) => string): Derived {
  return {
    'loop-state.json': json(loopState(story, state, hash)),
    'metrics.json': metrics(story, state),
    'report.md': makeMarkdown(makeReport(story, state)),
  };
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** The state in the shape of the older design (F-AG-08). */
function loopState(story: Story, state: RunState, hash: (text: string) => string) {
  return {
    runId: state.runId,
    iteration: state.iteration,
    decisions: story.decisions.filter(isChoice).map(choiceOf),
    progress: progressOf(story, state),
    loopDetection: {
      contentHashes: story.contents.map((content) => hash(content).slice(0, 16)),
      loopCount: story.loops,
    },
    customState: state.strategyState ?? {},
    outcome: state.ended && {
      status: state.ended.status,
      code: state.ended.code,
      reason: state.ended.reason,
    },
    updatedAt: state.lastAt,
  };
}

const isChoice = ({ kind, iteration }: Told): boolean =>
  kind === 'end-run' || (kind === 'start-iteration' && iteration > 0);

function choiceOf({ kind, iteration, code, reason, action, confidence, at }: Told) {
  return { iteration, continue: kind === 'start-iteration', action, code, reason, confidence, at };
}

/** Gates stand for features here: what is complete is what an outside judge says so of. */
function progressOf({ rows }: Story, { lastJudged, spec }: RunState) {
  const standings = lastJudged?.standings ?? [];
  const levels = standings.flatMap(({ verdict }) =>
    verdict.kind === 'passed' || verdict.kind === 'failed' ? (verdict.levels ? [verdict.levels] : []) : [],
  );
  const highest = levels.length === 0 ? -1 : Math.min(...levels.map((one) => highestLevel(one)));
  return {
    highestVerificationLevel: levelNames[highest] ?? null,
    featuresCompleted: standings.filter((one) => one.passed).length,
    totalFeatures: spec?.gates.length ?? 0,
    progressPercent: Math.round((rows.findLast((row) => row.judged)?.metrics.overall ?? 0) * 100),
  };
}

/** One line per iteration, so that a person can read it and a long run costs little to write again. */
function metrics(story: Story, state: RunState): string {
  const { iteration: iterations, activeMs, tokens, costUsd } = state;
  const head = {
    runId: state.runId,
    updatedAt: state.lastAt,
    omitted: story.omitted,
    totals: { iterations, activeMs, tokens, costUsd },
  };
  const rows = story.rows.map((row) => `\n    ${rowText(row)}`).join(',');
  return `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "iterations": [${rows}\n  ]\n}\n`;
}

const written = new WeakMap<Row, string>();

/** A row never changes once it is made. */
function rowText(row: Row): string {
  const known = written.get(row) ?? JSON.stringify(metricsOf(row));
  written.set(row, known);
  return known;
}

function metricsOf(row: Row) {
  const { overall, byGate, trend, velocity, recentVelocity, estimatedIterations, estimatedMs } = row.metrics;
  return {
    iteration: row.iteration,
    at: row.at,
    judged: row.judged,
    score: overall,
    byGate,
    trend,
    velocity,
    recentVelocity,
    estimatedIterations,
    estimatedMs,
    failures: row.failures,
    fixed: row.fixedCount,
    broken: row.brokenCount,
    tokens: row.tokens,
    costUsd: row.costUsd,
    tookMs: row.tookMs,
    buildMs: row.buildMs,
    gatesMs: row.gatesMs,
  };
}
