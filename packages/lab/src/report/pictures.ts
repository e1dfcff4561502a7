import type { CurvePoint, HistoryReport } from './history-report.ts';
import { barChart, colours, lineChart } from './svg.ts';

/** The pictures of a report by the name of their file. */
export function picturesOf({ rows, curve, calibration, runs }: HistoryReport): Record<string, string> {
  const share = (over: number, under: number) => (under === 0 ? 1 : over / under);
  const judged = curve.filter((one) => one.judgedOn > 0);
  const line = (name: string, colour: string, y: (one: CurvePoint) => number) => ({
    name,
    colour,
    points: judged.map((one) => ({ x: one.learnedFrom, y: y(one) })),
  });
  const diagonal = [0, 1].map((at) => ({ x: at, y: at }));
  return {
    'savings.svg': barChart(
      'Iterations saved',
      'share of the recorded iterations, with 95 % intervals over tasks',
      rows.map(({ name, saved: { iterations } }) => ({ name, ...iterations })),
    ),
    'learning.svg': lineChart({
      title: 'What was learned, judged on the runs that followed',
      xName: 'runs learned from',
      yName: 'share',
      xMost: runs,
      lines: [
        line('solves kept', colours.kept, (one) => share(one.kept, one.solved)),
        line('iterations saved', colours.saved, (one) =>
          one.iterations === 0 ? 0 : one.saved / one.iterations,
        ),
      ],
    }),
    ...(calibration
      ? {
          'calibration.svg': lineChart({
            title: 'The foretold chance of the next iteration',
            xName: 'foretold',
            yName: 'came true',
            xMost: 1,
            lines: [
              { name: 'as foretold', colour: colours.grey, points: diagonal },
              {
                name: 'came true',
                colour: colours.saved,
                points: calibration.bins.map((bin) => ({ x: bin.foretold, y: bin.came })),
              },
            ],
          }),
        }
      : {}),
  };
}
