import { useMemo, useState } from 'preact/hooks';
import { type FileDiff, parseDiff } from '../model/diff.ts';
import type { RunSource } from '../source.ts';
import { useLoaded } from './use-loaded.ts';

/** What differs between two trees of a run. */
export function DiffView({ source, from, to }: { source: RunSource; from: string; to: string }) {
  const loaded = useLoaded(() => source.diff(from, to), [source, from, to]);
  const files = useMemo(
    () => (loaded.kind === 'there' && loaded.value ? parseDiff(loaded.value.diff) : []),
    [loaded],
  );
  if (loaded.kind === 'loading') return <p class="muted">Comparing …</p>;
  if (loaded.kind === 'failed') return <p class="problem">{loaded.why}</p>;
  if (loaded.value === null) return <p class="muted">These two trees are not in this file.</p>;
  if (files.length === 0) return <p class="muted">No difference.</p>;
  const added = files.reduce((sum, one) => sum + one.added, 0);
  const removed = files.reduce((sum, one) => sum + one.removed, 0);
  return (
    <div class="diff">
      <p class="muted">
        {files.length} {files.length === 1 ? 'file' : 'files'}, <span class="good">+{added}</span>{' '}
        <span class="bad">−{removed}</span>
        {loaded.value.truncated && '; the rest is too long to be shown'}
      </p>
      {files.map((file, index) => (
        <OneFile key={file.path} file={file} open={index < 5 && file.lines.length < 400} />
      ))}
    </div>
  );
}

const shownAtFirst = 400;

function OneFile({ file, open: openAtFirst }: { file: FileDiff; open: boolean }) {
  const [open, setOpen] = useState(openAtFirst);
  const [most, setMost] = useState(shownAtFirst);
  const lines = file.lines.slice(0, most);
  return (
    <section class="file-diff">
      <button type="button" class="file-name" aria-expanded={open} onClick={() => setOpen(!open)}>
        <code>{file.path}</code>
        {file.kind !== 'changed' && <span class="tag">{file.kind}</span>}
        <span class="counts">
          <span class="good">+{file.added}</span> <span class="bad">−{file.removed}</span>
        </span>
      </button>
      {open && (
        <pre class="lines" tabIndex={0} aria-label={`Changes of ${file.path}`}>
          {lines.map((line, index) => (
            <span key={index} class={`line ${line.kind}`}>
              {line.text}
              {'\n'}
            </span>
          ))}
        </pre>
      )}
      {open && file.lines.length > most && (
        <button type="button" class="quiet" onClick={() => setMost(most * 4)}>
          {file.lines.length - most} more lines
        </button>
      )}
    </section>
  );
}
