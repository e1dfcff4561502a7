/** A part of a text: from `start` up to, not including, `end`. */
export interface Range {
  start: number;
  end: number;
}

/** Whether an offset lies in one of the ranges, which are in order and apart from each other. */
export function covers(ranges: readonly Range[], offset: number): boolean {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.end ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  const candidate = ranges[low];
  return candidate !== undefined && candidate.start <= offset;
}
