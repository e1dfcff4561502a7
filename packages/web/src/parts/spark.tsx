const width = 96;
const height = 24;

/** The failures over the iterations in a word's space. */
export function Spark({ values }: { values: readonly number[] }) {
  if (values.length === 0) return <span class="muted">–</span>;
  const peak = Math.max(1, ...values);
  const step = values.length === 1 ? 0 : (width - 6) / (values.length - 1);
  const at = (value: number, index: number) =>
    `${(3 + index * step).toFixed(1)},${(3 + (1 - value / peak) * (height - 6)).toFixed(1)}`;
  const points = values.map(at);
  const last = values.at(-1)!;
  const [x, y] = points.at(-1)!.split(',');
  return (
    <span class="spark">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        height={height}
        role="img"
        aria-label={`failures: ${values[0]} at first, ${last} now`}
      >
        <polyline points={points.join(' ')} />
        <circle cx={x} cy={y} r="2.4" class={last === 0 ? 'good' : 'bad'} />
      </svg>
    </span>
  );
}
