import { useState } from 'preact/hooks';
import type { TextRef } from '../model/chronicle.ts';
import type { RunSource } from '../source.ts';
import { useLoaded } from './use-loaded.ts';

const shownAtFirst = 60_000;

/** A text of an agent or a gate, as text and nothing else. */
export function TextView({
  source,
  text: ref,
  empty,
}: {
  source: RunSource;
  text: TextRef | null;
  empty: string;
}) {
  const [all, setAll] = useState(false);
  const loaded = useLoaded(() => (ref === null ? Promise.resolve('') : source.text(ref)), [ref?.ref, source]);
  if (ref === null) return <p class="muted">{empty}</p>;
  if (loaded.kind === 'loading') return <p class="muted">Loading …</p>;
  if (loaded.kind === 'failed') return <p class="problem">{loaded.why}</p>;
  const { value } = loaded;
  if (value === null) return <p class="muted">This text is not kept here.</p>;
  if (value === '') return <p class="muted">{empty}</p>;
  const isCut = !all && value.length > shownAtFirst;
  return (
    <>
      {isCut && (
        <button type="button" class="quiet" onClick={() => setAll(true)}>
          Show all {Math.round(value.length / 1_000)} kB; the newest part is below
        </button>
      )}
      <pre class="output" tabIndex={0}>
        {isCut ? value.slice(-shownAtFirst) : value}
      </pre>
    </>
  );
}
