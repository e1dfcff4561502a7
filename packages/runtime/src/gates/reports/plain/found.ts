import type { Finding } from '@agentgate/core';
import { placeId, tell, testId } from '../identity.ts';
import type { Project } from '../project.ts';

export interface Found {
  finding: Finding;
  /** Warnings count only when there is no error: they did not turn the gate red. */
  level: 'error' | 'warning';
  /** Line and column, to tell a repetition from a second complaint of the same words. */
  at?: string;
}

export type Recogniser = (lines: readonly string[], project: Project) => Found[];

interface Test {
  file?: string | undefined;
  names: readonly string[];
  message?: string | undefined;
  line?: number | undefined;
  load?: boolean;
}

/** A failed test, or the file of one when it has no names. */
export function foundTest({ file, names, message, line, load }: Test): Found {
  const finding: Finding = {
    id: testId(file, names),
    title: names.length > 0 ? names.join(' > ') : (file ?? ''),
  };
  if (file !== undefined) finding.file = file;
  if (line !== undefined) finding.line = line;
  const told = tell(message);
  if (told !== undefined) finding.message = told;
  if (load === true) finding.load = true;
  return { finding, level: 'error' };
}

interface Complaint {
  kind: 'lint' | 'type';
  rule: string;
  file?: string | undefined;
  line?: number | undefined;
  column?: number | undefined;
  message: string;
  level?: 'error' | 'warning';
  load?: boolean;
}

/** A complaint of a compiler or linter. */
export function foundComplaint(
  { kind, rule, file, line, column, message, level, load }: Complaint,
  project: Project,
): Found {
  const path = file?.replace(/^\.\//, '');
  const source = path === undefined || line === undefined ? undefined : project.lineOf(path, line);
  const finding: Finding = {
    id: placeId({ kind, rule, file: path, message, source }),
    title: (message.split('\n')[0] ?? '').slice(0, 200),
  };
  if (path !== undefined) finding.file = path;
  if (line !== undefined) finding.line = line;
  const told = tell(`${rule}: ${message}`);
  if (told !== undefined) finding.message = told;
  if (load === true) finding.load = true;
  return { finding, level: level ?? 'error', at: `${line}:${column}` };
}

/**
 * Without repetitions: runners print a failure where it happens and again in their summary. The same complaint at
 * another place is another one.
 */
export function once(found: readonly Found[]): Found[] {
  const seen = new Set<string>();
  return found.filter(({ finding, at }) => {
    const key = `${finding.id}\n${at ?? ''}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** The lines after `from` up to one that `ends`, at most `max`. */
export function block(lines: readonly string[], from: number, ends: RegExp, max = 12): string[] {
  const rest = lines.slice(from, from + max);
  const end = rest.findIndex((line) => ends.test(line));
  return end === -1 ? rest : rest.slice(0, end);
}
