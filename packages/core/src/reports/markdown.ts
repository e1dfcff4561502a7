import type { Event } from '../event.ts';
import { moveNames } from '../ladder.ts';
import { showCount, showDuration, showMoney } from '../quantity.ts';
import { code, prose } from './escape.ts';
import { findingLines } from './markdown-findings.ts';
import { iterationTable } from './markdown-table.ts';
import { reportJson, type RunReport } from './report.ts';
import type { Said, Told } from './story.ts';

/** The report of a run as a page that a person reads in a pull request, from its events. */
export function reportMarkdown(events: Iterable<Event>): string {
  return makeMarkdown(reportJson(events));
}

/** The page. Whatever the agent or a gate wrote stands in it as text: it cannot format, link or mention. */
export function makeMarkdown(report: RunReport): string {
  const sections = [
    headLines(report),
    section(
      'Caveats',
      (report.outcome?.caveats ?? []).map((one) => `- ${prose(one)}`),
    ),
    section('Gates', iterationTable(report)),
    section('Findings', findingLines(report)),
    section('Moves', report.moves.map(moveLine)),
    section('Persons', report.said.map(saidLine)),
    section('Decisions', decisionLines(report.decisions.filter(isTold))),
    section(
      'Faults',
      report.faults.slice(-10).map(({ phase, fault }) => `- ${code(phase)}: ${prose(fault.message)}`),
    ),
    section('Budget', budgetLines(report)),
    section('Delivered', deliveredLines(report)),
    section(
      'Next',
      report.next.map((one) => `- ${code(one)}`),
    ),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n').trimEnd())
    .join('\n\n')}\n`;
}

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [`## ${title}`, '', ...lines];

function headLines({
  outcome,
  runId,
  parentRunId,
  task,
  startedAt,
  strategy,
  delivered,
}: RunReport): string[] {
  const status = outcome?.status ?? 'not ended';
  const why = outcome ? `: ${prose(outcome.reason, 1_000)} (${code(outcome.code)})` : '';
  const tree = outcome?.tree ? `, ended on tree ${treeCode(outcome.tree)}` : '';
  const linked = parentRunId ? `, going on from ${code(parentRunId)}` : '';
  return [
    `# AgentGate: ${status}`,
    '',
    `> ${prose(task.trim().split('\n')[0] ?? '', 200)}`,
    '',
    `**${marks[status] ?? '…'} ${status}**${why}`,
    '',
    `Run ${code(runId)}${linked}, strategy ${code(strategy)}, begun ${startedAt}${tree}.`,
    ...handedOn(outcome?.best ?? null, delivered),
    ...(outcome?.goalSatisfied && outcome.status !== 'converged'
      ? ['', 'The gates were met on the last tree all the same.']
      : []),
  ];
}

/** The tree that ended a run, its best one and the one that was handed on may be three. */
function handedOn(best: { iteration: number; tree: string } | null, delivered: RunReport['delivered']) {
  const named = best
    ? [
        `Best: ${best.iteration === 0 ? 'the start' : `iteration ${best.iteration}`}, tree ${treeCode(best.tree)}.`,
      ]
    : [];
  const given = delivered?.ref
    ? [`Delivered: tree ${treeCode(delivered.tree)} as ${code(delivered.ref)}.`]
    : [];
  return best || delivered?.ref ? ['', [...named, ...given].join(' ')] : [];
}

const treeCode = (tree: string): string => code(tree.slice(0, 12));

const marks: Record<string, string> = {
  converged: '✅',
  partial: '🟡',
  diverged: '❌',
  stopped: '⏹',
  suspended: '⏸',
  error: '⚠️',
};

function moveLine({ move, after, because, effect, to }: RunReport['moves'][number]): string {
  const where =
    move === 'revert' && to !== undefined ? ` (${to === 0 ? 'the start' : `iteration ${to}`})` : '';
  const came = effect === null ? 'effect not known yet' : effect === 'none' ? 'no effect' : 'progress';
  return `- after iteration ${after}: ${moveNames[move]}${where}, because ${code(because)}: **${came}**`;
}

function saidLine(said: Said): string {
  const at = `- ${said.at}: `;
  switch (said.kind) {
    case 'redirect.requested':
      return `${at}redirected (${said.by}): ${prose(said.text)}`;
    case 'approval.given':
      return `${at}${prose(said.by)} ${said.approved ? 'approved' : 'rejected'} ${code(said.gate)} on tree ${code(said.tree.slice(0, 12))}${noteOf(said.note)}`;
    case 'grant.given':
      return `${at}${prose(said.by)} granted ${said.files.map((one) => code(one.path)).join(', ')}${noteOf(said.note)}`;
    case 'person.answered':
      return `${at}${said.by === 'timeout' ? 'nobody answered in time, so' : 'answered'} ${code(said.answer)} after iteration ${said.iteration}${noteOf(said.text)}`;
    case 'stop.requested':
      return `${at}stopped (${said.who ?? said.by})${noteOf(said.note)}`;
    case 'went-on': {
      const granted = Object.entries(said.added).map(([what, much]) => `${what} ${much}`);
      return `${at}went on from run ${code(said.from)}${granted.length === 0 ? '' : `, granted ${granted.join(', ')}`}`;
    }
  }
}

const noteOf = (text: string | undefined): string => (text === undefined ? '' : `: ${prose(text)}`);

/** Judging and confirming follow from the rest; the choices are told. */
const isTold = ({ kind, iteration }: Told): boolean =>
  !['measure-baseline', 'judge', 'confirm', 'control', 'consult'].includes(kind) &&
  !(kind === 'start-iteration' && iteration === 0);

function decisionLine({ kind, iteration, code: why, reason, confidence, also }: Told): string {
  const sure = confidence === 1 ? '' : `, confidence ${confidence}`;
  const held = also.length === 0 ? '' : `; also held: ${also.map((one) => code(one)).join(', ')}`;
  return `- after iteration ${iteration} ${verbs[kind]}: ${prose(reason, 500)} (${code(why)}${sure})${held}`;
}

const verbs: Record<Told['kind'], string> = {
  'measure-baseline': 'measured',
  'start-iteration': 'went on',
  judge: 'judged',
  confirm: 'confirmed',
  control: 'judged without the change',
  consult: 'consulted',
  ask: 'asked a person',
  'make-move': 'made a move',
  notify: 'told a person',
  wait: 'waited',
  'end-run': 'ended',
};

/** A long list is folded away, and of a very long one the newest part is shown. */
function decisionLines(decisions: readonly Told[]): string[] {
  const shown = decisions.slice(-50).map(decisionLine);
  if (decisions.length <= 5) return shown;
  const before = decisions.length - shown.length;
  const more = before > 0 ? [`- … and ${before} before these`] : [];
  const summary = `<summary>${decisions.length} decisions</summary>`;
  return ['<details>', summary, '', ...more, ...shown, '', '</details>'];
}

function budgetLines({ budget, waits }: RunReport): string[] {
  const { iterations, activeMs, tokens, costUsd } = budget;
  const row = (what: string, used: string, limit: string) => `| ${what} | ${used} | ${limit} |`;
  const show = (value: number | null, text: (n: number) => string) => (value === null ? '–' : text(value));
  return [
    '| | used | limit |',
    '|---|---:|---:|',
    row(
      'iterations',
      show(iterations.used, String),
      `${show(iterations.limit, String)} (${code(iterations.bound)})`,
    ),
    row('active time', show(activeMs.used, showDuration), show(activeMs.limit, showDuration)),
    row('tokens', show(tokens.used, showCount), show(tokens.limit, showCount)),
    row('cost', show(costUsd.used, showMoney), show(costUsd.limit, showMoney)),
    ...(waits.times === 0
      ? []
      : [row(`waiting (${waits.times} times)`, showDuration(waits.ms), 'no active time')]),
  ];
}

function deliveredLines({ delivered }: RunReport): string[] {
  if (!delivered) return [];
  if (delivered.problem !== undefined)
    return [`- not delivered as ${delivered.as}: ${prose(delivered.problem)}`];
  const where = delivered.url === undefined ? '' : `, ${prose(delivered.url)}`;
  return [
    `- as ${delivered.as} ${code(delivered.ref ?? '')}, commit ${code(delivered.commit ?? '')}${where}`,
  ];
}
