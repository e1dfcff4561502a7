import type { RefObject } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Chronicle } from '../model/chronicle.ts';
import { besideEachOther, flagSigns, flagsOf, flagWords } from '../model/flags.ts';
import { type Mark, markSigns, markWords } from '../model/gate-mark.ts';
import { Curve, CurveNumbers, within } from './curve.tsx';
import { FindingRows } from './finding-rows.tsx';
import { middleOf, type Scale, type Shape, Strip } from './strip.tsx';
import { useWidth } from './use-width.ts';

const gateShapes: Record<Mark, Shape> = {
  passed: { half: 8 },
  cached: { half: 8 },
  failed: { half: 8 },
  soft: { half: 8 },
  unable: { half: 8 },
  'timed-out': { half: 8 },
  pending: { half: 8 },
  skipped: { half: 1 },
};

const widest = 72;
const rowHeight = 24;

/** The whole run at a glance: one column for each iteration, from the curve down to the single finding. */
export function Timeline({
  chronicle,
  version,
  selected,
  onSelect,
}: {
  chronicle: Chronicle;
  version: number;
  selected: number;
  onSelect(iteration: number): void;
}) {
  const [ref, width] = useWidth<HTMLDivElement>(800);
  const [shown, setShown] = useState(0);
  const [hovered, setHovered] = useState<number | null>(null);
  const first = chronicle.chapters[0]?.iteration ?? 0;
  const last = chronicle.newest;
  const scale = useMemo(() => scaleOf(first, last, shown, width), [first, last, shown, width]);
  const at = hovered ?? selected;
  const chosen = chronicle.chapter(at);

  // Nothing of this depends on which iteration is looked at.
  const lanes = useMemo(
    () => <Lanes chronicle={chronicle} scale={scale} plot={ref} />,
    [chronicle, version, scale],
  );
  const findings = useMemo(
    () => <FindingRows chronicle={chronicle} version={version} scale={scale} />,
    [chronicle, version, scale],
  );

  const iterationAt = (event: PointerEvent): number | null => {
    const plot = ref.current?.getBoundingClientRect();
    if (!plot || event.clientX < plot.left || event.clientX > plot.right) return null;
    const iteration = scale.from + Math.floor((event.clientX - plot.left) / scale.step);
    return iteration > scale.to ? null : iteration;
  };
  const choose = (event: PointerEvent) => {
    if (event.target instanceof Element && event.target.closest('button, input, a')) return;
    const iteration = iterationAt(event);
    if (iteration !== null) onSelect(iteration);
  };
  const onKey = (event: KeyboardEvent) => {
    const to = keyTarget(event.key, selected, first, last);
    if (to === null) return;
    event.preventDefault();
    onSelect(to);
  };

  return (
    <div
      class="timeline"
      onPointerMove={(event) => setHovered(iterationAt(event))}
      onPointerLeave={() => setHovered(null)}
      onClick={choose as unknown as (event: MouseEvent) => void}
    >
      <div class="timeline-head">
        <p class="readout" aria-hidden="true">
          {chosen ? readout(chronicle, at) : ''}
        </p>
        <Zoom count={last - first + 1} shown={shown} onShow={setShown} />
      </div>
      {lanes}
      <div class="lane lane-axis">
        <div class="lane-name muted">Iteration</div>
        <div class="lane-plot">
          <div
            class="axis"
            role="slider"
            tabIndex={0}
            aria-label="Iteration"
            aria-valuemin={first}
            aria-valuemax={last}
            aria-valuenow={selected}
            aria-valuetext={readout(chronicle, selected)}
            onKeyDown={onKey}
          >
            <svg width={scale.width} height="20" aria-hidden="true">
              {axisTicks(scale).map((iteration) => (
                <text
                  key={iteration}
                  class={iteration === selected ? 'tick chosen' : 'tick'}
                  x={tickAt(scale, iteration)}
                  y="14"
                >
                  {iteration}
                </text>
              ))}
            </svg>
          </div>
        </div>
      </div>
      {findings}
      <Crosshair scale={scale} iteration={selected} kind="selected" />
      {hovered !== null && hovered !== selected && (
        <Crosshair scale={scale} iteration={hovered} kind="hovered" />
      )}
    </div>
  );
}

function Lanes({
  chronicle,
  scale,
  plot,
}: {
  chronicle: Chronicle;
  scale: Scale;
  plot: RefObject<HTMLDivElement | null>;
}) {
  const best = (chronicle.state.ended?.best ?? chronicle.state.best)?.iteration ?? null;
  const flags = flagsOf(chronicle);
  return (
    <>
      <div class="lane lane-curve">
        <div class="lane-name">
          Failures
          <CurveNumbers chapters={chronicle.chapters} scale={scale} />
        </div>
        <div class="lane-plot" ref={plot}>
          <Curve chapters={chronicle.chapters} scale={scale} best={best} />
        </div>
      </div>
      {flags.length > 0 && (
        <div class="lane lane-flags">
          <div class="lane-name muted">Marks</div>
          <div class="lane-plot">
            <svg width={scale.width} height="16" aria-hidden="true">
              {besideEachOther(
                flags.filter((flag) => within(scale, flag.iteration)),
                scale.step,
              ).map(({ flag, shift }, index) => (
                <text
                  key={index}
                  class={`flag f-${flag.kind}`}
                  x={middleOf(scale, flag.iteration) + shift}
                  y={flag.kind === 'claim' ? 18 : 12}
                >
                  <title>{flag.text}</title>
                  {flagSigns[flag.kind]}
                </text>
              ))}
            </svg>
          </div>
        </div>
      )}
      {(chronicle.state.spec?.gates ?? []).map((gate) => (
        <div key={gate.name} class="lane">
          <div class="lane-name" title={gate.name}>
            {gate.name}
            {gate.severity === 'soft' && <span class="tag">soft</span>}
          </div>
          <div class="lane-plot">
            <Strip
              spans={chronicle.gates.get(gate.name) ?? []}
              scale={scale}
              height={rowHeight}
              shapes={gateShapes}
            />
            <CellText chronicle={chronicle} gate={gate.name} scale={scale} />
          </div>
        </div>
      ))}
    </>
  );
}

/** What the signs of the marks mean, as far as there are any. */
export function FlagLegend({ chronicle }: { chronicle: Chronicle }) {
  const kinds = new Set(flagsOf(chronicle).map(({ kind }) => kind));
  if (kinds.size === 0) return null;
  return (
    <ul class="legend" aria-label="Marks">
      {[...kinds].map((kind) => (
        <li key={kind}>
          <b class={`sign f-${kind}`} aria-hidden="true">
            {flagSigns[kind]}
          </b>
          {flagWords[kind]}
        </li>
      ))}
    </ul>
  );
}

function Crosshair({ scale, iteration, kind }: { scale: Scale; iteration: number; kind: string }) {
  if (!within(scale, iteration)) return null;
  const width = Math.max(2, scale.step);
  const left = middleOf(scale, iteration) - width / 2;
  return (
    <div class="crosshair" aria-hidden="true">
      <div class={kind} style={{ left: `${left.toFixed(1)}px`, width: `${width.toFixed(1)}px` }} />
    </div>
  );
}

function Zoom({ count, shown, onShow }: { count: number; shown: number; onShow(count: number): void }) {
  if (count <= 60) return null;
  const choices = [0, 200, 50].filter((one) => one < count);
  return (
    <div class="segments" role="group" aria-label="Iterations shown">
      {choices.map((one) => (
        <button key={one} type="button" aria-pressed={one === shown} onClick={() => onShow(one)}>
          {one === 0 ? `all ${count}` : `last ${one}`}
        </button>
      ))}
    </div>
  );
}

/** How many findings failed, or a sign, where a column has room for it. */
function CellText({ chronicle, gate, scale }: { chronicle: Chronicle; gate: string; scale: Scale }) {
  if (scale.step < 17) return null;
  const chapters = chronicle.chapters.filter((one) => within(scale, one.iteration));
  return (
    <svg class="strip cell-text" width={scale.width} height={rowHeight} aria-hidden="true">
      {chapters.map(({ iteration, marks }) => {
        const known = marks.get(gate);
        if (!known) return null;
        const counted = known.mark === 'failed' || known.mark === 'soft';
        return (
          <text key={iteration} class={`t-${known.mark}`} x={middleOf(scale, iteration)} y="16">
            {counted && known.findings > 0 ? short(known.findings) : markSigns[known.mark]}
          </text>
        );
      })}
    </svg>
  );
}

const short = (n: number): string => (n < 1_000 ? String(n) : `${Math.round(n / 1_000)}k`);

function scaleOf(first: number, last: number, shown: number, width: number): Scale {
  const from = shown === 0 ? first : Math.max(first, last - shown + 1);
  const step = Math.min(widest, width / Math.max(1, last - from + 1));
  return { from, to: last, step, width };
}

function axisTicks({ from, to, step }: Scale): number[] {
  const every = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((one) => one * step >= 26) ?? 1_000;
  const ticks: number[] = [];
  for (let at = Math.ceil(from / every) * every; at <= to; at += every) ticks.push(at);
  return ticks;
}

/** In the middle of its column, and far enough from the edge for the whole number. */
function tickAt(scale: Scale, iteration: number): number {
  const half = String(iteration).length * 3.5;
  return Math.max(half, Math.min(scale.width - half, middleOf(scale, iteration)));
}

function keyTarget(key: string, selected: number, first: number, last: number): number | null {
  const within = (to: number) => Math.min(last, Math.max(first, to));
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return within(selected - 1);
    case 'ArrowRight':
    case 'ArrowUp':
      return within(selected + 1);
    case 'PageDown':
      return within(selected - 10);
    case 'PageUp':
      return within(selected + 10);
    case 'Home':
      return first;
    case 'End':
      return last;
    default:
      return null;
  }
}

/** One iteration in a line of text. */
function readout(chronicle: Chronicle, iteration: number): string {
  const chapter = chronicle.chapter(iteration);
  if (!chapter) return '';
  const name = iteration === 0 ? 'Baseline' : `Iteration ${iteration}`;
  if (!chapter.wasJudged) return `${name}: ${chapter.closed ? 'not judged' : 'under way'}`;
  const { fixed, new: fresh, unmasked, flaky } = chapter.counts;
  const gates = [...chapter.marks]
    .filter(([, one]) => one.mark !== 'passed' && one.mark !== 'cached')
    .map(([gate, one]) => `${gate} ${markWords[one.mark]}`);
  return [
    `${name}: ${chapter.failures} failing`,
    ...(fixed ? [`${fixed} fixed`] : []),
    ...(fresh ? [`${fresh} new`] : []),
    ...(unmasked ? [`${unmasked} unmasked`] : []),
    ...(flaky ? [`${flaky} flaky`] : []),
    gates.length === 0 ? 'every gate passed' : gates.slice(0, 4).join(', '),
  ].join(' · ');
}
