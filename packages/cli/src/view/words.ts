import {
  agentLabel,
  effectiveLimit,
  showCount,
  showDuration,
  showMoney,
  type RunState,
  type Standing,
  taskLine,
} from '@agentgate/core';
import type { Terminal } from '../terminal.ts';

/** How a gate stands, in one short cell: `tests ✗ 14`. */
export function gateCell(
  { gate, verdict, passed, findings }: Standing,
  { colors }: Pick<Terminal, 'colors'>,
): string {
  const soft = gate.severity === 'soft';
  if (passed) return `${gate.name} ${colors.green('✓')}`;
  switch (verdict.kind) {
    case 'failed': {
      const named = findings.some((one) => !one.synthetic);
      const mark = soft ? colors.yellow('~') : colors.red('✗');
      return `${gate.name} ${mark}${named ? ` ${findings.length}` : ''}`;
    }
    case 'unable':
      return `${gate.name} ${colors.red('!')} unable`;
    case 'timed-out':
      return `${gate.name} ${colors.red('⧖')} timed out`;
    case 'pending':
      return `${gate.name} ${colors.yellow('…')}`;
    default:
      return `${gate.name} ${colors.dim('-')}`;
  }
}

/** What is used of each limit, in words. */
export function usage(state: RunState): string[] {
  const limits = state.spec?.limits;
  if (!limits) return [];
  return [
    `${state.iteration} of ${plural(effectiveLimit(state).limit, 'iteration')}`,
    `${showDuration(state.activeMs)} of ${showDuration(limits.wallClock)}`,
    ...(state.tokens !== null || limits.tokens !== undefined
      ? [
          `${state.tokensAtLeast ? 'at least ' : ''}${showCount(state.tokens ?? 0)}${limits.tokens === undefined ? '' : ` of ${showCount(limits.tokens)}`} tokens`,
        ]
      : []),
    ...(state.costUsd !== null || limits.cost !== undefined
      ? [
          `${showMoney(state.costUsd ?? 0)}${limits.cost === undefined ? '' : ` of ${showMoney(limits.cost)}`}`,
        ]
      : []),
  ];
}

/** `18 ▇▄▂▁ 0`: the failures over the iterations, the baseline first. */
export function sparkline(counts: readonly number[]): string {
  if (counts.length < 2) return '';
  const bars = '▁▂▃▄▅▆▇█';
  const shown = counts.slice(-40);
  const peak = Math.max(1, ...shown);
  const line = shown.map((count) => bars[Math.round((count / peak) * (bars.length - 1))]).join('');
  return `${counts[0]} ${line} ${counts.at(-1)}`;
}

export const agentName = ({ spec }: RunState): string => (spec ? agentLabel(spec.agent) : 'agent');

export const taskTitle = (task: string, max: number): string => shorten(taskLine(task), max);

export const shorten = (text: string, max: number): string =>
  text.length > max ? `${text.slice(0, Math.max(0, max - 1))}…` : text;

export const shortTree = (tree: string | null): string => (tree ?? '').slice(0, 6);

/** A text without its colours, as wide as it is shown. */
export const visible = (text: string): string => text.replaceAll(/\u001b\[[\d;]*m/g, '');

export const pad = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - visible(text).length));

export const plural = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`;

/** The kind leads, so that a person skimming the lines sees at once what each is. */
export function kindFirst({ kind, ...rest }: { kind: string }): object {
  return { kind, ...rest };
}
