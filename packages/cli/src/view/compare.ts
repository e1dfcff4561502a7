import { showCount, showDuration, showMoney } from '@agentgate/core';
import type { Compared, Interval } from '@agentgate/lab';
import type { Terminal } from '../terminal.ts';
import { pad, plural } from './words.ts';
import { wrap } from './wrap.ts';

const heads = ['strategy', 'solves kept', 'iterations saved', 'time', 'tokens', 'money', 'beyond'];

/** The comparison as a table, and what it is worth in words. */
export function compareLines(
  rows: readonly Compared[],
  { colors, width }: Pick<Terminal, 'colors' | 'width'>,
): string[] {
  const cells = rows.map(cellsOf);
  const widths = heads.map((head, at) => Math.max(head.length, ...cells.map((row) => row[at]!.length)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, at) => pad(cell, widths[at]!))
      .join('  ')
      .trimEnd();
  const [first] = rows;
  const notes = [...(first ? notesOf(first) : []), ...rows.flatMap(lackOf)];
  return [
    colors.dim(line(heads)),
    ...cells.map(line),
    '',
    ...notes.flatMap((note) => wrap(note, Math.min(width, 100))),
  ];
}

function cellsOf({ name, kept, solved, retained, saved, savedInAll, beyond }: Compared): string[] {
  const { activeMs, tokens, costUsd } = savedInAll;
  return [
    name,
    `${kept} of ${solved} ${range(retained)}`,
    `${percent(saved.iterations.value)} ${range(saved.iterations)}`,
    showDuration(activeMs),
    tokens === null ? '-' : showCount(tokens),
    costUsd === null ? '-' : showMoney(costUsd),
    String(beyond),
  ];
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;
const range = ({ low, high }: Interval): string => `(${Math.round(low * 100)}–${Math.round(high * 100)} %)`;

function lackOf({ name, missing = 0 }: Compared): string[] {
  if (missing === 0) return [];
  const runs = missing === 1 ? 'one more run is' : `${missing} more runs are`;
  return [`${name} is hybrid until ${runs} solved after the first iteration.`];
}

function notesOf({ runs, tasks, solved }: Compared): string[] {
  const few = tasks < 10 ? ' So few tell little: read the intervals, not the figures.' : '';
  return [
    `${plural(runs, 'run')} of ${plural(tasks, 'task')}, ${solved} solved, each decided again until the strategy would have stopped. In brackets: 95 % intervals over tasks.${few}`,
    'Beyond: runs that the strategy would have let go on behind the record, of which nothing is known; they count as they ended.',
  ];
}
