import {
  type IterationRecord,
  moveNames,
  type RecordedRun,
  showCount,
  showDuration,
  showMoney,
  type Spent,
  type Step,
  type WhatIf,
} from '@agentgate/core';
import type { Terminal } from '../terminal.ts';
import { showStrategy } from '../strategy-names.ts';
import { pad, plural, shorten } from './words.ts';
import { wrap } from './wrap.ts';

type Told = WhatIf & { name: string };
type Screen = Pick<Terminal, 'colors' | 'width'>;

/** A run as it was recorded beside what other strategies would have made of it, and what that comes to in words. */
export function sideBySide(
  recorded: RecordedRun,
  history: readonly IterationRecord[],
  told: readonly Told[],
  screen: Screen,
): string[] {
  const columns = [{ name: 'recorded', steps: recorded.steps }, ...told];
  const last = Math.max(...columns.map(({ steps }) => steps.at(-1)?.iteration ?? 0));
  const width = Math.max(14, Math.floor((screen.width - 16) / columns.length) - 2);
  const line = (cells: readonly string[]) => cells.map((cell) => pad(shorten(cell, width), width)).join('  ');
  const rows = Array.from({ length: last }, (_, at) => {
    const iteration = at + 1;
    const cells = columns.map(({ steps }) => cellOf(steps.find((one) => one.iteration === iteration)));
    return `${String(iteration).padStart(3)}  ${pad(failing(history, iteration), 9)}  ${line(cells)}`.trimEnd();
  });
  const head = screen.colors.dim(
    `     ${pad('failing', 9)}  ${line(columns.map(({ name }) => name))}`.trimEnd(),
  );
  return [
    recordedText(recorded),
    '',
    head,
    ...rows,
    '',
    ...told.flatMap((one) => sentences(one, recorded, screen)),
  ];
}

function recordedText({ runId, strategy, status, code, spent }: RecordedRun): string {
  const ended = status === null ? 'not ended yet' : `${status} (${code})`;
  return `Run ${runId} was recorded under ${showStrategy(strategy)}: ${ended} after ${spentText(spent)}.`;
}

/** `base`, `fresh context, trial`, `ends: limit.iterations`. */
function cellOf(step: Step | undefined): string {
  if (!step) return '';
  const move = step.move === undefined ? '' : `${moveNames[step.move]}, `;
  if (step.kind === 'ended') return `${move}ends: ${step.code}`;
  return step.move === undefined ? step.code.replace(/^continue\./, '') : moveNames[step.move];
}

function failing(history: readonly IterationRecord[], iteration: number): string {
  const record = history.findLast((one) => one.iteration === iteration);
  if (!record?.judged) return record ? 'not judged' : '';
  return String(record.failures);
}

function sentences(one: Told, recorded: RecordedRun, { colors, width }: Screen): string[] {
  const paint = one.losesSolve ? colors.red : one.ends === 'earlier' ? colors.green : (text: string) => text;
  const [first = '', ...rest] = wrap(verdictText(one, recorded), Math.min(width, 100));
  const notes = one.assumptions.flatMap((text) =>
    wrap(`taken for granted: ${text}`, Math.min(width, 100) - 4),
  );
  return [paint(first), ...rest.map(paint), ...notes.map((text) => colors.dim(`    ${text}`))];
}

/** What another strategy would have come to, in one sentence. */
function verdictText(
  { name, ends, code, saved, spent, losesSolve, betterLater }: Told,
  recorded: RecordedRun,
): string {
  if (ends === 'beyond')
    return `${name} would have gone on after iteration ${spent.iterations}, where the record ends; nothing is known of that.`;
  if (ends === 'same') return `${name} would have ended where the run did: nothing saved, nothing lost.`;
  const where = `${name} would have stopped after ${plural(spent.iterations, 'iteration')} (${code}) and saved ${spentText(saved)}`;
  if (losesSolve) return `${where}, but lost the solve of iteration ${recorded.spent.iterations}.`;
  if (betterLater)
    return `${where}, but never seen the better tree of iteration ${betterLater.iteration} (${plural(betterLater.failures, 'failure')}).`;
  return `${where}, and lost nothing.`;
}

function spentText({ iterations, activeMs, tokens, costUsd }: Spent): string {
  const parts = [
    plural(iterations, 'iteration'),
    showDuration(activeMs),
    ...(tokens === null ? [] : [`${showCount(tokens)} tokens`]),
    ...(costUsd === null ? [] : [showMoney(costUsd)]),
  ];
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}
