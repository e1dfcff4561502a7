import { moveNames, type Watch, watches } from '@agentgate/core';
import { useMemo } from 'preact/hooks';
import type { Chronicle } from '../model/chronicle.ts';

/** What watches over the run, and what was changed when it got nowhere. */
export function Watching({ chronicle, version }: { chronicle: Chronicle; version: number }) {
  const { state } = chronicle;
  const moves = state.ended?.moves ?? state.moves;
  const all = useMemo(() => {
    const { spec, judged, windowStart } = state;
    const series = judged.filter((one) => one.iteration > windowStart && one.build === 'finished');
    return spec ? watches(spec, series) : [];
  }, [chronicle, version]);
  return (
    <section class="card" aria-labelledby="detectors">
      <h2 id="detectors">Detectors</h2>
      <ul class="watches">
        {all.map((watch) => (
          <li key={watch.name} class={watch.saw !== null ? 'saw' : watch.isOn ? '' : 'off'}>
            <span>{watch.name.replaceAll('-', ' ')}</span>
            <Beads watch={watch} />
            <span class="muted">{words(watch)}</span>
          </li>
        ))}
      </ul>
      {moves.length > 0 && (
        <>
          <h3>Moves</h3>
          <ol class="plain">
            {moves.map((move, index) => (
              <li key={index}>
                after {move.after}: {moveNames[move.move]} <code class="muted">{move.because}</code>{' '}
                <b class={move.effect === 'progress' ? 'good' : ''}>
                  {move.effect === null
                    ? 'effect not known yet'
                    : move.effect === 'none'
                      ? 'no effect'
                      : 'progress'}
                </b>
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  );
}

function Beads({ watch }: { watch: Watch }) {
  const many = Math.min(watch.window, 8);
  const full = Math.round((watch.near / watch.window) * many);
  return (
    <svg class="beads" width={many * 9} height="9" aria-hidden="true">
      {Array.from({ length: many }, (_, at) => (
        <circle key={at} cx={at * 9 + 4.5} cy="4.5" r="3.2" class={at < full ? 'full' : ''} />
      ))}
    </svg>
  );
}

function words({ isOn, saw, near, window }: Watch): string {
  if (!isOn) return 'off';
  if (saw !== null) return saw;
  return near > 0 ? `${near} of ${window}` : 'quiet';
}
