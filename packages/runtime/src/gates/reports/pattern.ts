import { boundedCall } from '../bounded-call.ts';
import { reportPlaces } from './complaints.ts';
import { type Found, foundComplaint, foundTest } from './plain/found.ts';
import { noProject, type Project } from './project.ts';
import type { Report } from './report.ts';

const maxLine = 2_000;
const maxLines = 100_000;
const maxMs = 2_000;

/**
 * Reads lines by a pattern of the user's. Some patterns take for ever on some lines, so all of them together get two
 * seconds; undefined when that was not enough.
 */
export function readPattern(source: string, text: string, project: Project = noProject): Report | undefined {
  const lines = text.split(/\r?\n/);
  const looked = lines.slice(0, maxLines).map((line) => line.slice(0, maxLine));
  const matches = matchLines(source, looked);
  if (matches === 'too-long') return undefined;
  const more = lines.length > maxLines ? `the output has more than ${maxLines} lines` : undefined;
  return reportPlaces(
    matches.map((groups) => foundBy(groups, project)),
    more,
  );
}

type Groups = Readonly<Record<string, string | undefined>>;

function matchLines(source: string, lines: readonly string[]): readonly Groups[] | 'too-long' {
  const pattern = new RegExp(source, 'u');
  return boundedCall(() => lines.flatMap<Groups>((line) => pattern.exec(line)?.groups ?? []), maxMs);
}

function foundBy(groups: Groups, project: Project): Found {
  const { file, line, column, rule, message, test, level } = groups;
  const number = (text: string | undefined) => (/^\d{1,9}$/.test(text ?? '') ? Number(text) : undefined);
  if (test !== undefined)
    return { ...foundTest({ file, names: [test], message, line: number(line) }), at: line ?? '' };
  return foundComplaint(
    {
      kind: 'lint',
      rule: rule ?? 'match',
      file,
      line: number(line),
      column: number(column),
      message: message ?? rule ?? '',
      level: /^(?:warn|info|note|hint)/i.test(level ?? '') ? 'warning' : 'error',
    },
    project,
  );
}
