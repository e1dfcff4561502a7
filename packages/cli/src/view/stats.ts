import { showCount, showDuration, showMoney, type Stats, type Tally } from '@agentgate/core';
import type { Terminal } from '../terminal.ts';
import { plural, shorten } from './words.ts';

const heads = ['runs', 'solved', 'iterations', 'time', 'tokens', 'money', 'per solve'];

/** The stats as tables with right-aligned figures. */
export function statsLines(stats: Stats, { colors, width }: Pick<Terminal, 'colors' | 'width'>): string[] {
  const groups: [string, Record<string, Tally>][] = [
    ['by agent', stats.byAgent],
    ['by strategy', stats.byStrategy],
    ...(Object.keys(stats.byProject).length > 1
      ? [['by project', stats.byProject] as [string, Record<string, Tally>]]
      : []),
    ['by ending', stats.byEnding],
  ];
  const rows = groups.flatMap(([, group]) => Object.values(group).map((tally) => cellsOf(tally)));
  const widths = heads.map((head, at) => Math.max(head.length, ...rows.map((cells) => cells[at]!.length)));
  const figures = widths.reduce((a, b) => a + b + 2, 0);
  const longest = Math.max(
    ...groups.flatMap(([title, group]) => [title, ...Object.keys(group)]).map((one) => one.length),
  );
  const first = Math.max(12, Math.min(longest + 2, width - figures - 1));
  const line = (label: string, cells: readonly string[]): string =>
    `${labelOf(label, first)}${cells.map((cell, at) => `  ${cell.padStart(widths[at]!)}`).join('')}`.trimEnd();
  return [
    summary(stats),
    ...groups.flatMap(([title, group]) => [
      '',
      colors.dim(line(title, heads)),
      ...Object.entries(group).map(([key, tally]) =>
        line(`  ${key}`, cellsOf(tally, group === stats.byEnding)),
      ),
    ]),
  ];
}

/** Of a long path the end tells more. */
const labelOf = (label: string, width: number): string =>
  (label.length > width && label.includes('/')
    ? `  …${label.slice(3 - width)}`
    : shorten(label, width)
  ).padEnd(width);

function summary({ all, byProject }: Stats): string {
  const projects = Object.keys(byProject).length;
  const where = projects > 1 ? ` in ${projects} projects` : '';
  const used = [
    plural(all.iterations, 'iteration'),
    showDuration(all.activeMs),
    ...(all.tokens === null ? [] : [`${showCount(all.tokens)} tokens`]),
    ...(all.costUsd === null ? [] : [showMoney(all.costUsd)]),
  ];
  return `${plural(all.runs, 'run')} for ${plural(all.works, 'piece')} of work${where}, ${all.solved} solved: ${used.join(', ')}.`;
}

function cellsOf(
  { runs, works, solved, iterations, activeMs, tokens, costUsd, costPerSolveUsd }: Tally,
  isEnding = false,
): string[] {
  return [
    String(runs),
    isEnding ? '' : `${solved} of ${works}`,
    String(iterations),
    showDuration(activeMs),
    tokens === null ? '-' : showCount(tokens),
    costUsd === null ? '-' : showMoney(costUsd),
    isEnding ? '' : costPerSolveUsd === null ? '-' : showMoney(costPerSolveUsd),
  ];
}
