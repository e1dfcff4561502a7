import type { PlanNode } from '@agentgate/core';
import type { Terminal } from '../terminal.ts';
import { shorten } from './words.ts';

const marks: Record<string, string> = {
  done: '✓',
  'done-with-caveats': '~',
  stuck: '✗',
  'in-progress': '…',
  deferred: '-',
  'not-started': '·',
};

/** A plan as a tree: a mark, the id, the title, the budget, and why it stands where it stands. */
export function treeLines(nodes: readonly PlanNode[], terminal: Terminal, depth = 0): string[] {
  return nodes.flatMap((node) => [
    lineOf(node, terminal, depth),
    ...treeLines(node.children, terminal, depth + 1),
  ]);
}

function lineOf(node: PlanNode, { colors, width, live }: Terminal, depth: number): string {
  const isOther = node.chosen === false;
  const mark = isOther && node.status === 'not-started' ? '○' : (marks[node.status] ?? '?');
  const group = node.resolvedBy === 'any' ? ' (one of)' : node.resolvedBy === 'all' ? ' (all of)' : '';
  const budget =
    node.used > 0 || node.moved !== 0
      ? `  ${node.used}/${node.limit}${node.moved > 0 ? ` (+${node.moved})` : node.moved < 0 ? ` (${node.moved})` : ''}`
      : '';
  const ticks =
    node.unticked.length > 0 && node.status !== 'not-started'
      ? `  to tick: ${node.unticked.map(({ criterion, text }) => `${criterion} ${text}`).join('; ')}`
      : '';
  const notes = node.caveats.length > 0 ? `  note: ${node.caveats.join('; ')}` : '';
  const state =
    isOther && node.status === 'not-started' ? 'not chosen' : node.blocked ? 'blocked' : node.status;
  const line = `${'  '.repeat(depth)}${mark} ${node.id}  ${node.title}${group}  ${state}${budget}${node.reason === null ? '' : `  ${node.reason}`}${ticks}${notes}`;
  const shown = live ? shorten(line, width - 1) : line;
  if (node.status === 'done') return colors.green(shown);
  if (node.status === 'stuck') return colors.red(shown);
  if (node.status === 'done-with-caveats') return colors.yellow(shown);
  return isOther || node.blocked ? colors.dim(shown) : shown;
}
