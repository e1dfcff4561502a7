import type { Project } from '../project.ts';
import { block, type Found, foundComplaint, type Recogniser } from './found.ts';

const tsc =
  /^(?<file>[^\s(][^(]*)\((?<line>\d+),(?<column>\d+)\): (?<level>error|warning) (?<code>[A-Z]+\d+): (?<message>.+)$/;
const tscPretty =
  /^(?<file>\S+):(?<line>\d+):(?<column>\d+) - (?<level>error|warning) (?<code>TS\d+): (?<message>.+)$/;
const tscOptions = /^(?<level>error) (?<code>TS\d+): (?<message>.+)$/;
const located =
  /^(?<file>[^\s:()[\]]+\.\w+):(?<line>\d+)(?::(?<column>\d+))?:? +(?<level>fatal error|error|warning)\b[: ]+(?<message>.+)$/i;
const bare =
  /^(?<file>[^\s:()[\]]+\.\w+):(?<line>\d+):(?<column>\d+): +(?!note\b|info\b|hint\b)(?<message>\S.+)$/;

/** `src/a.ts(3,5): error TS2322: …`, and `file:line:col: error: …` as gcc, ruff, go vet and many others print it. */
export const readCompilers: Recogniser = (lines, project) =>
  lines.flatMap((line, index): Found[] => {
    const typed = readTscLine(lines, index, project);
    if (typed !== undefined) return [typed];
    const placed = (located.exec(line) ?? bare.exec(line))?.groups;
    // Mypy's lines have a reader of their own.
    return placed === undefined || /^[^\s:]+\.pyi?:.* {2}\[[a-z][\w-]*\]$/.test(line)
      ? []
      : [complaint(placed, project)];
  });

export const readTscLines: Recogniser = (lines, project) =>
  lines.flatMap((_line, index) => readTscLine(lines, index, project) ?? []);

function readTscLine(lines: readonly string[], index: number, project: Project): Found | undefined {
  const line = lines[index] ?? '';
  const typed = (tsc.exec(line) ?? tscPretty.exec(line) ?? tscOptions.exec(line))?.groups;
  return typed === undefined ? undefined : typeError(typed, block(lines, index + 1, /^(?! {2})/), project);
}

type Groups = Record<string, string | undefined>;

function typeError(groups: Groups, more: readonly string[], project: Project): Found {
  const code = groups['code'] ?? '';
  const message = [groups['message'], ...more].join('\n');
  // TS1xxx are syntax errors: the compiler says nothing of types until they are gone.
  const load = /^TS1\d{3}$/.test(code);
  return foundComplaint({ kind: 'type', rule: code, ...place(groups), message, load }, project);
}

function complaint(groups: Groups, project: Project): Found {
  const whole = groups['message'] ?? '';
  const trailing = /^(?<message>.*?)\s*\[(?:(?<level>\w+)\/)?(?<rule>[\w@/().=,+-]+)\]$/.exec(whole)?.groups;
  const leading = /^(?<rule>[A-Z]+\d+):? (?:\[\*\] )?(?<message>.+)$/.exec(whole)?.groups;
  const { rule = 'error', message = whole } = { ...leading, ...trailing };
  const at = place({ ...groups, level: trailing?.['level'] ?? groups['level'] });
  return foundComplaint({ kind: 'lint', rule, ...at, message }, project);
}

function place(groups: Groups): {
  file: string | undefined;
  line: number | undefined;
  column: number | undefined;
  level: 'error' | 'warning';
} {
  return {
    file: groups['file'],
    line: number(groups['line']),
    column: number(groups['column']),
    level: /^warning$/i.test(groups['level'] ?? '') ? 'warning' : 'error',
  };
}

function number(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}
