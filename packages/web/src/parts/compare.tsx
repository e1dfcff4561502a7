import { useState } from 'preact/hooks';
import type { Chronicle } from '../model/chronicle.ts';
import type { RunSource } from '../source.ts';
import { DiffView } from './diff-view.tsx';

/** Any two snapshots of the run beside each other. */
export function Compare({ chronicle, source }: { chronicle: Chronicle; source: RunSource }) {
  const trees = chronicle.chapters.filter((one) => one.tree !== null);
  const best = chronicle.state.ended?.best ?? chronicle.state.best;
  const [from, setFrom] = useState<number | null>(null);
  const [to, setTo] = useState<number | null>(null);
  const [isShown, setShown] = useState(false);
  const first = trees[0];
  const last = trees.at(-1);
  if (!first || !last || first === last) return null;
  const chosen = (iteration: number | null, usual: number) =>
    trees.find((one) => one.iteration === (iteration ?? usual)) ?? first;
  const a = chosen(from, first.iteration);
  const b = chosen(to, last.iteration);
  const choice = (name: string, value: number, onChange: (iteration: number) => void) => (
    <label>
      {name}{' '}
      <select value={value} onChange={(event) => onChange(Number(event.currentTarget.value))}>
        {trees.map(({ iteration, tree, failures, wasJudged }) => (
          <option key={iteration} value={iteration}>
            {iteration === 0 ? 'before the run' : `iteration ${iteration}`}
            {iteration === best?.iteration ? ', best' : ''} · {tree?.slice(0, 6)}
            {wasJudged ? ` · ${failures} failing` : ''}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <section class="card" aria-labelledby="snapshots">
      <header class="row">
        <h2 id="snapshots">Snapshots</h2>
        <div class="row controls">
          {choice('From', a.iteration, setFrom)}
          {choice('to', b.iteration, setTo)}
          <button type="button" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
            {isShown ? 'Hide the difference' : 'Show the difference'}
          </button>
        </div>
      </header>
      {isShown && <DiffView source={source} from={a.tree!} to={b.tree!} />}
    </section>
  );
}
