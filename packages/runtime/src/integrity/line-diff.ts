import { cleanText } from '../process/index.ts';

const mostLines = 120;
const mostLine = 300;
/** Beyond this the middle of two texts is shown as gone and come, without looking for what they share. */
const mostCells = 250_000;

/** The lines that went and came, with a few around them, for people and for the agent. */
export function lineDiff(before: string, after: string): string {
  const [a, b] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const inner = edits(a.slice(start, a.length - end), b.slice(start, b.length - end));
  const lines = [
    ...a.slice(Math.max(0, start - 2), start).map((line) => `  ${line}`),
    ...inner,
    ...a.slice(a.length - end, a.length - end + 2).map((line) => `  ${line}`),
  ];
  const shown = lines
    .slice(0, mostLines)
    .map((line) => (line.length > mostLine ? `${line.slice(0, mostLine)}…` : line));
  if (lines.length > mostLines) shown.push(`… and ${lines.length - mostLines} lines more`);
  return cleanText(shown.join('\n'));
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
}

function edits(a: readonly string[], b: readonly string[]): string[] {
  const gone = (line: string) => `- ${line}`;
  const come = (line: string) => `+ ${line}`;
  if (a.length * b.length > mostCells) return [...a.map(gone), ...b.map(come)];
  const common = lengths(a, b);
  const out: string[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      out.push(`  ${a[i]}`);
      i++;
      j++;
    } else if ((common[i + 1]?.[j] ?? 0) >= (common[i]?.[j + 1] ?? 0)) out.push(gone(a[i++] ?? ''));
    else out.push(come(b[j++] ?? ''));
  }
  return condensed([...out, ...a.slice(i).map(gone), ...b.slice(j).map(come)]);
}

/** How many lines the two have in common from each place on. */
function lengths(a: readonly string[], b: readonly string[]): Uint32Array[] {
  const rows = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const [row, below] = [rows[i]!, rows[i + 1]!];
      row[j] = a[i] === b[j] ? below[j + 1]! + 1 : Math.max(below[j]!, row[j + 1]!);
    }
  }
  return rows;
}

/** Of a long stretch that stayed only its ends. */
function condensed(lines: readonly string[]): string[] {
  const isNear = (at: number) =>
    lines.slice(Math.max(0, at - 2), at + 3).some((line) => !line.startsWith('  '));
  const out: string[] = [];
  for (const [at, line] of lines.entries()) {
    if (isNear(at)) out.push(line);
    else if (out.at(-1) !== '  …') out.push('  …');
  }
  return out;
}
