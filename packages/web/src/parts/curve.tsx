import type { Chapter } from '../model/chronicle.ts';
import { middleOf, type Scale } from './strip.tsx';

const height = 148;
const pad = { top: 14, bottom: 10 };

/** How many findings failed after each iteration. */
export function Curve({
  chapters,
  scale,
  best,
}: {
  chapters: readonly Chapter[];
  scale: Scale;
  best: number | null;
}) {
  const judged = judgedIn(chapters, scale);
  const peak = peakOf(judged);
  const y = (value: number) => heightOf(value, peak);
  const points = judged.map((one) => [middleOf(scale, one.iteration), y(one.failures)] as const);
  const line = points.map(([x, at], index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${at.toFixed(1)}`);
  const floor = y(0);
  const area =
    points.length > 1
      ? `${line.join('')}L${points.at(-1)![0].toFixed(1)} ${floor}L${points[0]![0].toFixed(1)} ${floor}z`
      : '';
  const shown = scale.step >= 5 ? judged : judged.filter((one) => one.iteration === best);
  const first = judged[0];
  const last = judged.at(-1);
  return (
    <svg
      class="curve"
      width={scale.width}
      height={height}
      role="img"
      aria-label={
        first && last
          ? `Failures over the iterations: ${first.failures} at iteration ${first.iteration}, at most ${peak}, ${last.failures} at iteration ${last.iteration}`
          : 'No iteration has been judged yet'
      }
    >
      {ticksOf(peak).map((value) => (
        <line key={value} class="grid" x1="0" x2={scale.width} y1={y(value)} y2={y(value)} />
      ))}
      <path class="area" d={area} />
      <path class="line" d={line.join('')} />
      {shown.map((one) => (
        <circle
          key={one.iteration}
          class={`dot${one.failures === 0 ? ' good' : ''}${one.isProgress ? ' progress' : ''}${one.iteration === best ? ' best' : ''}`}
          cx={middleOf(scale, one.iteration)}
          cy={y(one.failures)}
          r={one.iteration === best ? 4.5 : scale.step >= 10 ? 3.2 : 2}
        />
      ))}
    </svg>
  );
}

/** The numbers of the curve, left of it, where nothing is drawn. */
export function CurveNumbers({ chapters, scale }: { chapters: readonly Chapter[]; scale: Scale }) {
  const peak = peakOf(judgedIn(chapters, scale));
  return (
    <svg class="curve-numbers" width="48" height={height} aria-hidden="true">
      {ticksOf(peak).map((value) => (
        <text key={value} x="44" y={heightOf(value, peak) + 4}>
          {value}
        </text>
      ))}
    </svg>
  );
}

const judgedIn = (chapters: readonly Chapter[], scale: Scale) =>
  chapters.filter((one) => one.wasJudged && within(scale, one.iteration));

const peakOf = (judged: readonly Chapter[]): number => Math.max(1, ...judged.map((one) => one.failures));

const heightOf = (value: number, peak: number): number =>
  pad.top + (1 - value / peak) * (height - pad.top - pad.bottom);

export const within = ({ from, to }: Scale, iteration: number): boolean =>
  iteration >= from && iteration <= to;

const ticksOf = (peak: number): number[] => (peak < 2 ? [0, peak] : [0, Math.round(peak / 2), peak]);
