import type { ComponentChildren } from 'preact';
import { useCallback, useMemo, useState } from 'preact/hooks';
import { amountsOf } from '../model/budget.ts';
import type { Chronicle } from '../model/chronicle.ts';
import type { RunSource } from '../source.ts';
import { Burn } from './burn.tsx';
import { Compare } from './compare.tsx';
import { Decisions } from './decisions.tsx';
import { IterationPanel } from './iteration-panel.tsx';
import { FlagLegend, Timeline } from './timeline.tsx';
import { useWorkedMs } from './use-worked.ts';
import { Watching } from './watching.tsx';

/** A run from its events alone: live, old, or in a file. */
export function RunView({
  chronicle,
  version,
  source,
  isDriven = false,
  beside,
}: {
  chronicle: Chronicle;
  version: number;
  source: RunSource;
  /** A process works on it now. */
  isDriven?: boolean;
  beside?: ComponentChildren;
}) {
  // Until somebody chooses, the page follows the newest iteration that has something to show.
  const [chosen, setChosen] = useState<number | null>(null);
  const newest =
    chronicle.chapters.findLast((one) => one.closed || one.wasJudged)?.iteration ?? chronicle.newest;
  const selected = chosen ?? newest;
  const select = useCallback(
    (iteration: number) => setChosen(iteration === newest ? null : iteration),
    [newest],
  );
  // What does not change with the chosen iteration is not drawn again when another one is chosen.
  const decisions = useMemo(
    () => <Decisions chronicle={chronicle} version={version} onSelect={select} />,
    [chronicle, version, select],
  );
  const side = useMemo(
    () => <Side chronicle={chronicle} version={version} isDriven={isDriven} />,
    [chronicle, version, isDriven],
  );
  const compare = useMemo(
    () => <Compare chronicle={chronicle} source={source} />,
    [chronicle, version, source],
  );
  const chapter = chronicle.chapter(selected);
  if (chronicle.chapters.length === 0)
    return <p class="card muted">The run has not begun its baseline yet.</p>;
  return (
    <>
      <section class="card" aria-label="Convergence">
        <Timeline chronicle={chronicle} version={version} selected={selected} onSelect={select} />
        <FlagLegend chronicle={chronicle} />
      </section>
      <div class="columns">
        <div class="stack">
          {chapter && <IterationPanel chronicle={chronicle} chapter={chapter} source={source} />}
          {decisions}
        </div>
        {side}
      </div>
      {beside}
      {compare}
    </>
  );
}

function Side({
  chronicle,
  version,
  isDriven,
}: {
  chronicle: Chronicle;
  version: number;
  isDriven: boolean;
}) {
  const amounts = amountsOf(chronicle, useWorkedMs(chronicle, isDriven)).filter(
    (one) => one.curve.length > 0,
  );
  return (
    <div class="stack">
      <section class="card" aria-labelledby="spending">
        <h2 id="spending">Spending</h2>
        {amounts.map((amount) => (
          <Burn key={amount.name} amount={amount} />
        ))}
        {amounts.length === 0 && <p class="muted">Nothing is spent yet.</p>}
      </section>
      <Watching chronicle={chronicle} version={version} />
    </div>
  );
}
