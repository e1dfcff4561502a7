import type { Interval } from '../compare/intervals.ts';
import type { HistoryReport } from './history-report.ts';

/** The report as a page; its pictures lie beside it. */
export function historyMarkdown(report: HistoryReport, { pictures }: { pictures: boolean }): string {
  const { runs, tasks, solved } = report;
  const picture = (alt: string, file: string) => (pictures ? [`![${alt}](${file})`, ''] : []);
  return [
    '# What adaptive comes to here',
    '',
    `${runs} runs of ${tasks} tasks, ${solved} solved. Every figure is about runs that were not learned from. In brackets: 95 % intervals over tasks.`,
    '',
    ...(tasks < 20 ? ['So few runs tell little: read the intervals, not the figures.', ''] : []),
    '## Savings',
    '',
    ...picture('Iterations saved by strategy', 'savings.svg'),
    ...savings(report),
    '',
    '## Learning',
    '',
    ...picture('Solves kept and iterations saved by the number of runs learned from', 'learning.svg'),
    ...learning(report),
    '',
    '## Calibration',
    '',
    ...(report.calibration ? picture('Foretold and observed chances', 'calibration.svg') : []),
    ...calibration(report),
    '',
  ].join('\n');
}

const savings = ({ rows }: HistoryReport): string[] => [
  '| strategy | solves kept | iterations saved | would have gone on behind the record |',
  '|---|---|---|---:|',
  ...rows.map(
    ({ name, kept, solved, retained, saved, beyond }) =>
      `| ${name} | ${kept} of ${solved} (${range(retained)}) | ${percent(saved.iterations.value)} % (${range(saved.iterations)}) | ${beyond} |`,
  ),
];

function learning({ curve }: HistoryReport): string[] {
  if (curve.length === 0) return ['There are too few runs to learn from some and judge on others.'];
  return [
    '| learned from | rule | judged on the next | solves kept | iterations saved |',
    '|---:|---|---:|---|---|',
    ...curve.map(
      ({ learnedFrom, rule, judgedOn, kept, solved, saved, iterations }) =>
        `| ${learnedFrom} | ${rule} | ${judgedOn} | ${kept} of ${solved} | ${saved} of ${iterations} |`,
    ),
  ];
}

function calibration({ calibration, rows }: HistoryReport): string[] {
  if (!calibration) return [`Nothing is foretold yet: ${lackOf(rows[0]?.missing ?? 0)}, and hybrid decides.`];
  const { decisions, ece, brier, brierOfMean, bins } = calibration;
  return [
    `${decisions} decisions; they miss by ${percent(ece)} points on average. Brier score ${brier.toFixed(4)}; always foretelling the mean has ${brierOfMean.toFixed(4)}.`,
    '',
    '| foretold % | decisions | mean foretold % | came true % |',
    '|---|---:|---:|---:|',
    ...bins.map(
      ({ from, to, decisions, foretold, came }) =>
        `| ${percent(from)} to ${percent(to)} | ${decisions} | ${percent(foretold)} | ${percent(came)} |`,
    ),
  ];
}

function lackOf(missing: number): string {
  if (missing === 0) return 'too little was learned';
  const runs = missing === 1 ? 'one more run is' : `${missing} more runs are`;
  return `nothing is learned until ${runs} solved after the first iteration`;
}

const percent = (share: number): string => (share * 100).toFixed(1);
const range = ({ low, high }: Interval): string => `${percent(low)} to ${percent(high)}`;
