/** The same thing in a row of iterations, both ends included. */
export interface Span<T> {
  from: number;
  to: number;
  value: T;
}

/** Says what holds in one iteration, which is newer than all before it. */
export function mark<T>(spans: Span<T>[], iteration: number, value: T): void {
  const last = spans.at(-1);
  if (last && last.to === iteration - 1 && last.value === value) last.to = iteration;
  else spans.push({ from: iteration, to: iteration, value });
}

/** Forgets everything from this iteration on. */
export function cut<T>(spans: Span<T>[], from: number): void {
  while ((spans.at(-1)?.from ?? -1) >= from) spans.pop();
  const last = spans.at(-1);
  if (last) last.to = Math.min(last.to, from - 1);
}

/** What holds in one iteration; null where nothing was said. */
export function valueAt<T>(spans: readonly Span<T>[], iteration: number): T | null {
  let low = 0;
  let high = spans.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const span = spans[middle]!;
    if (iteration < span.from) high = middle - 1;
    else if (iteration > span.to) low = middle + 1;
    else return span.value;
  }
  return null;
}
