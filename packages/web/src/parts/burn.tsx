import type { Amount } from '../model/budget.ts';
import { useWidth } from './use-width.ts';

const height = 84;

/** What was used over the iterations, with the limit drawn. */
export function Burn({ amount }: { amount: Amount }) {
  const [ref, width] = useWidth<HTMLDivElement>(320);
  const { name, used, limit, show, curve } = amount;
  // A limit that is far away would flatten the curve, so it is drawn at the edge then.
  const isFar = limit !== null && limit > used * 4;
  const top = Math.max(1e-9, limit === null || isFar ? used * 1.25 : Math.max(limit * 1.08, used * 1.08));
  const newest = curve.at(-1)!;
  // The baseline alone is a point, and no curve.
  const isCurve = newest.iteration > 0;
  const last = Math.max(1, newest.iteration);
  const x = (iteration: number) => (iteration / last) * (width - 8) + 4;
  const y = (value: number) => 8 + (1 - value / top) * (height - 12);
  const line = [{ iteration: 0, used: 0 }, ...curve.filter((one) => one.iteration > 0)]
    .map((one, index) => `${index === 0 ? 'M' : 'L'}${x(one.iteration).toFixed(1)} ${y(one.used).toFixed(1)}`)
    .join('');
  const limitY = limit === null ? null : isFar ? 6 : y(limit);
  return (
    <figure class="burn">
      <figcaption>
        <span>{name}</span>
        <span>
          <b>{show(used)}</b>
          <span class="muted">{limit === null ? ', no limit' : ` of ${show(limit)}`}</span>
        </span>
      </figcaption>
      <div ref={ref} hidden={!isCurve}>
        <svg
          width={width}
          height={height}
          role="img"
          aria-label={`${name}: ${show(used)} after ${last} iterations${limit === null ? '' : `, limit ${show(limit)}`}`}
        >
          <path class="area" d={`${line}L${x(last)} ${height}L${x(0)} ${height}z`} />
          <path class="line" d={line} />
          {limitY !== null && (
            <line class={isFar ? 'limit far' : 'limit'} x1="0" x2={width} y1={limitY} y2={limitY} />
          )}
          <circle cx={x(last)} cy={y(newest.used)} r="2.6" />
        </svg>
      </div>
    </figure>
  );
}
