/** What happens later. Of two things at the same time, the one that was planned first comes first. */
export interface Timetable {
  /** Milliseconds since the world began; machine sleep does not count. */
  readonly nowMs: number;
  at(ms: number, call: () => void): { cancel(): void };
  /** Goes to the next thing that happens and lets it happen; false when nothing will. */
  advance(): boolean;
}

interface Entry {
  ms: number;
  order: number;
  call: (() => void) | null;
}

export function makeTimetable(): Timetable {
  const heap: Entry[] = [];
  let nowMs = 0;
  let orders = 0;
  return {
    get nowMs() {
      return nowMs;
    },
    at(ms, call) {
      const entry: Entry = { ms: Math.max(nowMs, ms), order: orders++, call };
      push(heap, entry);
      return {
        cancel: () => {
          entry.call = null;
        },
      };
    },
    advance() {
      for (let entry = pop(heap); entry; entry = pop(heap)) {
        if (!entry.call) continue;
        nowMs = entry.ms;
        entry.call();
        return true;
      }
      return false;
    },
  };
}

const before = (a: Entry, b: Entry): boolean => a.ms < b.ms || (a.ms === b.ms && a.order < b.order);

function push(heap: Entry[], entry: Entry): void {
  let at = heap.push(entry) - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!before(entry, heap[parent]!)) break;
    heap[at] = heap[parent]!;
    at = parent;
  }
  heap[at] = entry;
}

function pop(heap: Entry[]): Entry | null {
  const first = heap[0];
  const last = heap.pop();
  if (!first || !last) return null;
  if (heap.length === 0) return first;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && before(heap[child + 1]!, heap[child]!)) child += 1;
    if (!before(heap[child]!, last)) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = last;
  return first;
}
