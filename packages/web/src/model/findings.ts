import {
  type Assessment,
  classesOf,
  type Finding,
  type FindingClass,
  failureKeyFor,
  failureLabel,
  failureName,
  gateOf,
  type RunState,
} from '@agentgate/core';
import { cut, mark, type Span, valueAt } from './span.ts';

/** How a finding stood in one iteration. `hidden`: something kept its gate from showing it. */
export type Standing = FindingClass | 'hidden';

/** One finding over all iterations in which it was seen. */
export interface Track {
  key: string;
  gate: string;
  title: string;
  file: string | null;
  line: number | null;
  message: string | null;
  spans: Span<Standing>[];
}

/** Follows every finding over the iterations of a run. Costs what changes, however many iterations there are. */
export class Findings {
  readonly tracks = new Map<string, Track>();

  /** Takes in one judgement. One that is judged again replaces what was known of it. */
  take(now: Assessment, state: Pick<RunState, 'baseline'>): Map<string, FindingClass> {
    const { iteration } = now.current;
    this.#forget(iteration);
    const classes = classesOf(now, state);
    const seen = new Map(
      now.standings.flatMap(({ gate, verdict }) =>
        verdict.kind === 'failed'
          ? verdict.findings.map((one) => [failureKeyFor(gate.name, one.id), one] as const)
          : [],
      ),
    );
    for (const [key, standing] of classes) this.#mark(key, iteration, standing, seen.get(key));
    for (const key of now.hidden) if (!classes.has(key)) this.#mark(key, iteration, 'hidden', undefined);
    return classes;
  }

  #mark(key: string, iteration: number, standing: Standing, finding: Finding | undefined): void {
    const track = this.tracks.get(key) ?? newTrack(key);
    this.tracks.set(key, track);
    if (finding) {
      track.title = finding.title;
      track.file = finding.file ?? track.file;
      track.line = finding.line ?? track.line;
      track.message = finding.message ?? track.message;
    }
    mark(track.spans, iteration, standing);
  }

  #newest = -1;

  #forget(iteration: number): void {
    if (iteration <= this.#newest) for (const { spans } of this.tracks.values()) cut(spans, iteration);
    this.#newest = iteration;
  }
}

const newTrack = (key: string): Track => ({
  key,
  gate: gateOf(key),
  title: failureLabel(key).slice(gateOf(key).length + 2) || failureName(key),
  file: null,
  line: null,
  message: null,
  spans: [],
});

/** Whether a finding is seen at the end of its track, at this iteration. */
export const isOpenAt = ({ spans }: Track, iteration: number): boolean => {
  const last = spans.at(-1);
  return last !== undefined && last.to >= iteration && last.value !== 'fixed';
};

/** How a finding stood in one iteration; null where it was not there. */
export const standingAt = ({ spans }: Track, iteration: number): Standing | null => valueAt(spans, iteration);

/** What is open comes first, then what was fixed last; within that, the longest known first. */
export function byUrgency(newest: number): (a: Track, b: Track) => number {
  const rank = (track: Track) => (isOpenAt(track, newest) ? 0 : 1);
  return (a, b) =>
    rank(a) - rank(b) ||
    (b.spans.at(-1)?.to ?? 0) - (a.spans.at(-1)?.to ?? 0) ||
    (a.spans[0]?.from ?? 0) - (b.spans[0]?.from ?? 0) ||
    (a.key < b.key ? -1 : 1);
}
