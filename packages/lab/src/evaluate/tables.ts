import type { Evaluation, Row, SourceTable } from './evaluate.ts';
import type { Interval } from './bootstrap.ts';

/** The whole evaluation as Markdown: the means first, then every source. */
export const tablesOf = (evaluation: Evaluation): string =>
  [meansOf(evaluation), ...evaluation.sources.map(sourceText)].join('\n\n');

/** The means over sources. */
export function meansOf({ macro }: Evaluation): string {
  const texts = macro.map(({ over, sources, rows }) =>
    [
      `**${over === 'all' ? 'All sources' : 'Sources with ten attempts'}** (mean of ${sources.join(', ')})`,
      '',
      ...macroTable(rows),
    ].join('\n'),
  );
  return texts.join('\n\n');
}

/** What was chosen for each source, beside the plain default and the tuned number. */
export function briefTable({ sources }: Evaluation): string {
  const shown = ['adaptive', 'hybrid', 'tuned fixed-N', 'from other projects'];
  const rows = sources.flatMap(({ source, rows: all }) =>
    all
      .filter(({ strategy }) => shown.includes(strategy))
      .map((row) => `| ${[source, ...figures(row)].join(' | ')} |`),
  );
  return [
    '| source | strategy | retained % | iterations | saved % | of the oracle % |',
    '|---|---|---:|---:|---:|---:|',
    ...rows,
  ].join('\n');
}

/** The figures of one mean. The dearest source beside its own tuned fixed-N stands in the last column. */
function macroTable(rows: Evaluation['macro'][number]['rows']): string[] {
  return [
    '| strategy | retained % | iterations | saved % | of the oracle % | dearest beside tuned fixed-N |',
    '|---|---:|---:|---:|---:|---:|',
    ...rows.map((row) => `| ${[...figures(row), row.besideTunedFixed.toFixed(2)].join(' | ')} |`),
  ];
}

/** One source: what was learned, its rows, and how true its chances were. */
export function sourceText(table: SourceTable): string {
  const { source, runs, tasks, solved, learned, missing, rows, calibration } = table;
  const rules = Object.entries(learned).map(([kind, times]) => `${kind} ${times}`);
  const isPriced = rows.some((row) => row.costUsd !== null);
  const priced = (row: Row) => (isPriced ? [row.costUsd?.toFixed(2) ?? ''] : []);
  return [
    `**${source}**: ${runs} runs of ${tasks} tasks, ${solved} solved at the horizon; learned: ${rules.join(', ')}`,
    '',
    ...missing.flatMap((one) => [`Too little: ${one}.`, '']),
    `| strategy | retained % | iterations | saved % | of the oracle % | beside tuned fixed-N |${isPriced ? ' dollars |' : ''}`,
    `|---|---:|---:|---:|---:|---:|${isPriced ? '---:|' : ''}`,
    ...rows.map(
      (row) => `| ${[...figures(row), row.besideTunedFixed.toFixed(2), ...priced(row)].join(' | ')} |`,
    ),
    ...(calibration
      ? [
          '',
          `Chances: ECE ${calibration.ece.toFixed(4)}, Brier ${calibration.brier.toFixed(4)} (always the mean: ${calibration.brierOfMean.toFixed(4)}), ${calibration.decisions} decisions.`,
          '',
          '| foretold | decisions | mean foretold % | came true % |',
          '|---|---:|---:|---:|',
          ...calibration.bins.map(
            (bin) =>
              `| ${percent(bin.from)} to ${percent(bin.to)} | ${bin.decisions} | ${percent(bin.foretold)} | ${percent(bin.came)} |`,
          ),
        ]
      : []),
  ].join('\n');
}

const figures = (row: Omit<Row, 'costUsd' | 'tokens' | 'solved'>): string[] => [
  row.strategy,
  `${percent(row.retained)} (${range(row.intervals.retained)})`,
  row.iterationsPerRun.toFixed(2),
  `${percent(row.saved)} (${range(row.intervals.saved)})`,
  percent(row.oracleShare),
];

const range = ({ low, high }: Interval): string => `${percent(low)} to ${percent(high)}`;
const percent = (share: number): string => (100 * share).toFixed(1);
