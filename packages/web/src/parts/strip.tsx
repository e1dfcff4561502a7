import type { Span } from '../model/span.ts';

/** Which iterations are drawn, and how wide each is. */
export interface Scale {
  from: number;
  to: number;
  step: number;
  width: number;
}

/** The middle of an iteration's column. */
export const middleOf = ({ from, step }: Scale, iteration: number): number => (iteration - from + 0.5) * step;

export interface Shape {
  /** Above and below the middle of the row. */
  half: number;
  /** One for each iteration instead of one for the whole span. */
  dot?: true;
}

/** A row of the matrix. However many iterations there are, it is one path for each kind of value. */
export function Strip<T extends string>({
  spans,
  scale,
  height,
  shapes,
}: {
  spans: readonly Span<T>[];
  scale: Scale;
  height: number;
  shapes: Record<T, Shape>;
}) {
  const paths = new Map<T, string>();
  for (const { from, to, value } of spans) {
    if (to < scale.from || from > scale.to) continue;
    const shape = shapes[value];
    const piece = shape.dot
      ? dots(Math.max(from, scale.from), Math.min(to, scale.to), scale, height, shape)
      : bar(Math.max(from, scale.from), Math.min(to, scale.to), scale, height, shape);
    paths.set(value, (paths.get(value) ?? '') + piece);
  }
  return (
    <svg class="strip" width={scale.width} height={height} aria-hidden="true">
      {[...paths].map(([value, d]) => (
        <path key={value} class={`v-${value}`} d={d} />
      ))}
    </svg>
  );
}

/** Columns that are wide enough stand apart, so that iterations can be counted. */
const gapOf = (step: number): number => (step >= 8 ? 2 : step >= 4 ? 1 : 0);

function bar(from: number, to: number, scale: Scale, height: number, { half }: Shape): string {
  const gap = gapOf(scale.step);
  const top = height / 2 - half;
  if (gap === 0) return rectangle((from - scale.from) * scale.step, top, (to - from + 1) * scale.step, half);
  let path = '';
  for (let at = from; at <= to; at++)
    path += rectangle((at - scale.from) * scale.step + gap / 2, top, scale.step - gap, half);
  return path;
}

const rectangle = (x: number, top: number, width: number, half: number): string =>
  `M${x.toFixed(1)} ${top}h${Math.max(0.6, width).toFixed(1)}v${half * 2}h${(-Math.max(0.6, width)).toFixed(1)}z`;

function dots(from: number, to: number, scale: Scale, height: number, { half }: Shape): string {
  const r = Math.max(1, Math.min(half, scale.step / 2));
  let path = '';
  for (let at = from; at <= to; at++)
    path += `M${(middleOf(scale, at) - r).toFixed(1)} ${height / 2}a${r} ${r} 0 1 0 ${r * 2} 0a${r} ${r} 0 1 0 ${-r * 2} 0z`;
  return path;
}
