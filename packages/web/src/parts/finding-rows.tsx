import { useMemo, useRef, useState } from 'preact/hooks';
import type { Chronicle } from '../model/chronicle.ts';
import { byUrgency, isOpenAt, type Standing, type Track } from '../model/findings.ts';
import { type Scale, type Shape, Strip } from './strip.tsx';

const shapes: Record<Standing, Shape> = {
  'pre-existing': { half: 5 },
  still: { half: 5 },
  new: { half: 8 },
  unmasked: { half: 7 },
  flaky: { half: 3 },
  hidden: { half: 1 },
  fixed: { half: 3, dot: true },
};

const words: [Standing, string][] = [
  ['pre-existing', 'from before the run'],
  ['new', 'new'],
  ['still', 'still there'],
  ['unmasked', 'unmasked'],
  ['flaky', 'flaky'],
  ['hidden', 'hidden from sight'],
  ['fixed', 'fixed'],
];

const rowHeight = 22;
const most = 16;
type Filter = 'all' | 'open' | Standing;

/** Findings by iterations. Only the rows in sight are drawn, so that ten thousand are as quick as ten. */
export function FindingRows({
  chronicle,
  version,
  scale,
}: {
  chronicle: Chronicle;
  version: number;
  scale: Scale;
}) {
  const [filter, setFilter] = useState<Filter>('all');
  const [text, setText] = useState('');
  const [top, setTop] = useState(0);
  const [opened, setOpened] = useState<string | null>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const { newest } = chronicle;
  const all = useMemo(
    () => [...chronicle.findings.tracks.values()].sort(byUrgency(lastJudged(chronicle))),
    [chronicle, version],
  );
  const rows = useMemo(
    () => all.filter((track) => matches(track, filter, text, lastJudged(chronicle))),
    [all, filter, text, newest],
  );
  if (all.length === 0) return null;
  const height = Math.min(most, rows.length) * rowHeight;
  const begin = Math.max(0, Math.floor(top / rowHeight) - 4);
  const end = Math.min(rows.length, begin + most + 9);
  const below = rows.length - Math.round(top / rowHeight) - most;
  const open = all.filter((track) => isOpenAt(track, lastJudged(chronicle))).length;
  const shownTrack = opened === null ? null : (chronicle.findings.tracks.get(opened) ?? null);
  const choose = (next: Filter) => {
    setFilter(next);
    setTop(0);
    if (scroller.current) scroller.current.scrollTop = 0;
  };

  return (
    <div class="findings">
      <div class="findings-head">
        <h2>
          {all.length} {all.length === 1 ? 'finding' : 'findings'}{' '}
          <span class="muted">{open === 0 ? 'none open' : `${open} open`}</span>
        </h2>
        <input
          type="search"
          value={text}
          placeholder="Find by name or file"
          aria-label="Find findings by name or file"
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <div class="segments" role="group" aria-label="Findings shown">
          {(['all', 'open', 'new', 'flaky', 'unmasked', 'fixed'] as const).map((one) => (
            <button key={one} type="button" aria-pressed={filter === one} onClick={() => choose(one)}>
              {one}
            </button>
          ))}
        </div>
      </div>
      <div
        class="finding-scroller"
        ref={scroller}
        style={{ height: `${height}px` }}
        onScroll={(event) => setTop(event.currentTarget.scrollTop)}
      >
        <ul
          class="finding-rows"
          style={{ height: `${rows.length * rowHeight}px` }}
          aria-label="Findings by iteration"
        >
          {rows.slice(begin, end).map((track, index) => (
            <li
              key={track.key}
              class="lane finding"
              style={{ top: `${(begin + index) * rowHeight}px` }}
              aria-setsize={rows.length}
              aria-posinset={begin + index + 1}
            >
              <button
                type="button"
                class="lane-name"
                title={`${track.gate}: ${track.title}`}
                aria-expanded={opened === track.key}
                onClick={() => setOpened(opened === track.key ? null : track.key)}
              >
                <span class="visually-hidden">{stateWords(track, newest)}: </span>
                {track.title}
              </button>
              <div class="lane-plot">
                <Strip spans={track.spans} scale={scale} height={rowHeight} shapes={shapes} />
              </div>
            </li>
          ))}
        </ul>
      </div>
      {rows.length === 0 && <p class="muted">No finding is like that.</p>}
      {shownTrack && <TrackDetail track={shownTrack} onClose={() => setOpened(null)} />}
      <ul class="legend" aria-label="Legend">
        {words
          .filter(([standing]) => all.some(({ spans }) => spans.some(({ value }) => value === standing)))
          .map(([standing, word]) => (
            <li key={standing}>
              <Strip
                spans={[{ from: 0, to: 0, value: standing }]}
                scale={{ from: 0, to: 0, step: 14, width: 14 }}
                height={18}
                shapes={shapes}
              />
              {word}
            </li>
          ))}
        {below > 0 && <li class="more">{below} more below</li>}
      </ul>
    </div>
  );
}

function TrackDetail({ track, onClose }: { track: Track; onClose(): void }) {
  return (
    <div class="card inset">
      <div class="row">
        <strong>{track.title}</strong>
        <button type="button" class="quiet" onClick={onClose}>
          Close
        </button>
      </div>
      <p class="muted">
        gate {track.gate}
        {track.file !== null && (
          <>
            {' · '}
            <code>
              {track.file}
              {track.line === null ? '' : `:${track.line}`}
            </code>
          </>
        )}
      </p>
      {track.message !== null && <pre class="output">{track.message}</pre>}
      <p class="muted">{track.spans.slice(-12).map(spanText).join(' → ')}</p>
    </div>
  );
}

const spanText = ({ from, to, value }: Track['spans'][number]): string =>
  `${value} ${from === to ? `in ${from}` : `${from}–${to}`}`;

const lastJudged = ({ chapters }: Chronicle): number =>
  chapters.findLast((one) => one.wasJudged)?.iteration ?? 0;

const stateWords = (track: Track, newest: number): string => {
  const last = track.spans.at(-1);
  return last === undefined ? '' : isOpenAt(track, newest) ? last.value : `gone, ${last.value}`;
};

function matches(track: Track, filter: Filter, text: string, newest: number): boolean {
  const words = text.trim().toLowerCase();
  if (words !== '' && !`${track.gate} ${track.title} ${track.file ?? ''}`.toLowerCase().includes(words))
    return false;
  if (filter === 'all') return true;
  if (filter === 'open') return isOpenAt(track, newest);
  return track.spans.some(({ value }) => value === filter);
}
