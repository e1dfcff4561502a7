import { waitingOf } from '@agentgate/core';
import { RunHead } from '../parts/run-head.tsx';
import { RunView } from '../parts/run-view.tsx';
import { Actions } from './actions.tsx';
import type { RunKey } from './api.ts';
import { Asking } from './asking.tsx';
import { runHref } from './route.ts';
import { ShutOut } from './shut-out.tsx';
import { useRun } from './use-run.ts';
import { WhatIf } from './what-if.tsx';

/** One run, live for as long as it is open. */
export function RunPage({ run, onTold }: { run: RunKey; onTold(words: string): void }) {
  const live = useRun(run);
  const { chronicle, version, standing, source, problem, detail } = live;
  const { state } = chronicle;
  if (live.isShutOut) return <ShutOut />;
  if (state.seq === 0)
    return (
      <p class="card" role="status">
        {problem ?? 'Loading the run …'}
      </p>
    );
  const next = detail?.run.wentOnAs ?? null;
  // Until it is known whether it went on, nobody is asked.
  const isAsking = detail !== null && next === null && (state.ended !== null || standing === 'running');
  const asks = isAsking ? waitingOf(state) : [];
  const before = detail?.lineage.slice(0, -1) ?? [];
  return (
    <>
      <RunHead chronicle={chronicle} standing={standing ?? state.ended?.status ?? 'open'}>
        <Actions run={run} live={live} onTold={onTold} />
      </RunHead>
      {problem !== null && (
        <p class="card problem" role="alert">
          {problem}
        </p>
      )}
      {!live.isConnected && (
        <p class="card muted" role="status">
          The server does not answer; the page goes on by itself as soon as it does.
        </p>
      )}
      {next !== null && (
        <p class="card" role="status">
          It went on as run{' '}
          <a href={runHref(run.workspace, next)}>
            <code>{next}</code>
          </a>
          . What is to be said now is said to that one.
        </p>
      )}
      {asks.map((one) => (
        <Asking key={JSON.stringify(one)} run={run} asks={one} onTold={onTold} />
      ))}
      {before.length > 0 && (
        <p class="muted">
          Goes on from{' '}
          {before.map((one) => (
            <a key={one} href={runHref(run.workspace, one)}>
              {one}{' '}
            </a>
          ))}
        </p>
      )}
      <RunView
        chronicle={chronicle}
        version={version}
        source={source}
        isDriven={standing === 'running'}
        beside={
          state.iteration > 0 ? (
            <WhatIf key={run.run} run={run} strategy={state.spec?.strategy.kind ?? ''} />
          ) : null
        }
      />
    </>
  );
}
