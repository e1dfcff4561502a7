import type { Assessment, Because } from '@agentgate/core';
import { showMoney } from '@agentgate/core';
import type { Terminal } from '../terminal.ts';
import { gateCell, pad, shorten, shortTree, visible } from './words.ts';

/** What an iteration's row says at its end: why it went on, or how it ended. */
export type Verdict = { kind: 'went-on'; because: Because } | { kind: 'ended'; status: string; code: string };

/** One iteration in one line, or in two where the terminal is narrow. */
export function iterationRow(
  now: Assessment,
  cost: number | null,
  verdict: Verdict,
  terminal: Pick<Terminal, 'colors' | 'width'>,
): string {
  const { colors, width } = terminal;
  const number = String(now.current.iteration).padStart(3);
  const gates = gatesText(now, terminal);
  const tree = colors.dim(shortTree(now.current.tree));
  const money = cost === null ? '' : `${showMoney(cost)}   `;
  const refuted = now.current.claim !== null && now.judged && !now.hardGreen;
  const why = whyText(verdict, refuted, colors) + deniedText(now, colors);
  const line = `${number}  ${pad(gates, 36)}  ${tree}   ${money}${why}`;
  if (visible(line).length <= width) return line;
  const rest = shorten(visible(`${tree}   ${money}${why}`), Math.max(10, width - 5));
  return `${number}  ${narrow(now, gates, width - 5, terminal)}\n     ${colors.dim(rest)}`;
}

/** The baseline in one line. */
export function baselineRow(now: Assessment, terminal: Pick<Terminal, 'colors' | 'width'>): string {
  const note = now.allGreen ? 'every gate is green already' : 'before the agent began';
  const line = `  0  ${pad(gatesText(now, terminal), 36)}  ${terminal.colors.dim(shortTree(now.current.tree))}   ${terminal.colors.dim(note)}`;
  return visible(line).length <= terminal.width
    ? line
    : `  0  ${narrow(now, gatesText(now, terminal), terminal.width - 5, terminal)}`;
}

const aborted = { stop: 'stopped', redirect: 'redirected', 'wall-clock': 'cut by the time limit' } as const;

function gatesText(now: Assessment, terminal: Pick<Terminal, 'colors'>): string {
  const build = now.current.build;
  if (build?.kind === 'failed' && !now.judged) return terminal.colors.red(`agent failed: ${build.detail}`);
  if (build?.kind === 'aborted') return terminal.colors.yellow(aborted[build.by]);
  const cells = now.standings.map((one) => pad(gateCell(one, terminal), one.gate.name.length + 5));
  return cells.join('  ').trimEnd();
}

/** A tool that was refused is often why nothing came of an iteration. */
function deniedText({ current: { denied } }: Assessment, colors: Terminal['colors']): string {
  if (!denied) return '';
  const { tool, what } = denied.first[0] ?? { tool: 'a tool', what: '' };
  const more = denied.times > 1 ? ` and ${denied.times - 1} more` : '';
  return colors.yellow(`, not allowed: ${shorten(`${tool} ${what}`.trim(), 60)}${more}`);
}

function whyText(verdict: Verdict, refuted: boolean, colors: Terminal['colors']): string {
  if (verdict.kind === 'went-on')
    return `went on: ${verdict.because.reason}${refuted ? ', claim refuted' : ''}`;
  return verdict.status === 'converged'
    ? colors.green(verdict.status)
    : colors.yellow(`${verdict.status}: ${verdict.code}`);
}

/** Where not everything fits, the red gates come first and names are shortened, never marks. */
function narrow(now: Assessment, gates: string, width: number, terminal: Pick<Terminal, 'colors'>): string {
  if (visible(gates).length <= width || now.standings.length === 0)
    return shorten(gates, Math.max(width, visible(gates).length));
  const room = Math.max(3, Math.floor(width / now.standings.length) - 8);
  const cells = now.standings
    .toSorted((a, b) => Number(a.passed) - Number(b.passed))
    .map((one) => gateCell({ ...one, gate: { ...one.gate, name: shorten(one.gate.name, room) } }, terminal));
  let line = '';
  for (const cell of cells) {
    if (visible(line).length + visible(cell).length + 2 > width) break;
    line = line === '' ? cell : `${line}  ${cell}`;
  }
  return line;
}
