import type { FindingClass } from '../finding-class.ts';
import { code, line } from './escape.ts';
import type { Red, RunReport } from './report.ts';

/** So many names are shown of each list. */
const most = 20;

/** What was fixed, what was broken, and what still fails. */
export function findingLines(report: RunReport): string[] {
  const { fixed, fixedCount, broken, brokenCount, failing, judgedIn } = report;
  return [
    ...listOf(`Fixed by the run: ${fixedCount}`, fixed, fixedCount),
    ...listOf(`Failing now and not before the run: ${brokenCount}`, broken, brokenCount),
    ...failing.flatMap((red) => redLines(red, judgedIn)),
  ];
}

function listOf(title: string, names: readonly string[], count: number): string[] {
  if (count === 0) return [];
  const shown = names.slice(0, most);
  const more = count > shown.length ? [`- … and ${count - shown.length} more`] : [];
  return [`**${title}**`, '', ...shown.map((name) => `- ${code(name)}`), ...more, ''];
}

function redLines({ gate, severity, verdict, detail, findings }: Red, judgedIn: number | null): string[] {
  const when = judgedIn === null ? '' : judgedIn === 0 ? ' before the run' : ` after iteration ${judgedIn}`;
  const soft = severity === 'soft' ? ', soft' : '';
  const what = verdict === 'failed' ? `${findings.length} failing` : verdict;
  const title = `**Gate ${code(gate)}${soft}: ${what}${when}**${detail === '' ? '' : ` ${code(detail, 300)}`}`;
  const shown = findings.slice(0, most).map(findingLine);
  const more = findings.length > shown.length ? [`- … and ${findings.length - shown.length} more`] : [];
  return [title, '', ...shown, ...more, ...(shown.length > 0 ? [''] : [])];
}

function findingLine({ title, file, line: at, message, class: known }: Red['findings'][number]): string {
  const place = file === undefined ? '' : ` at ${code(at === undefined ? file : `${file}:${at}`)}`;
  const first = line((message ?? '').trim().split('\n')[0] ?? '', 200);
  const told = first === '' || first === title ? '' : `: ${code(first)}`;
  return `- ${code(title)}${place}${classWords[known]}${told}`;
}

const classWords: Record<FindingClass, string> = {
  fixed: '',
  still: '',
  new: ' (new)',
  unmasked: ' (hidden before)',
  'pre-existing': ' (red before the run)',
  flaky: ' (flaky)',
};
