import { showDuration, showMoney } from '@agentgate/core';
import type { RunRow, Standing } from '@agentgate/server/contract';
import { useState } from 'preact/hooks';
import { ago } from '../model/ago.ts';
import { folderOf } from '../model/title.ts';
import { Bar } from '../parts/meter.tsx';
import { Pill, runWord } from '../parts/pill.tsx';
import { Spark } from '../parts/spark.tsx';
import { type Answered, ask } from './api.ts';
import { Begin } from './begin.tsx';
import { runHref } from './route.ts';
import { ShutOut } from './shut-out.tsx';
import { useKept } from './use-lists.ts';

const groups: { name: string; standings: Standing[]; caveats?: 'true' | 'false' }[] = [
  { name: 'all', standings: [] },
  { name: 'live', standings: ['running', 'held'] },
  { name: 'waiting', standings: [] },
  { name: 'converged', standings: ['converged'], caveats: 'false' },
  { name: 'with caveats', standings: ['converged', 'partial'], caveats: 'true' },
  { name: 'not converged', standings: ['diverged', 'stopped', 'suspended', 'error'] },
  { name: 'cut short', standings: ['cut-short', 'paused', 'damaged'] },
];

/** All runs of this machine, the newest first. */
export function RunsPage({ changes, onTold }: { changes: number; onTold(words: string): void }) {
  const [group, setGroup] = useState('all');
  const [words, setWords] = useState('');
  const [pages, setPages] = useState<string[]>([]);
  const { standings, caveats } = groups.find((one) => one.name === group)!;
  const cursor = pages.at(-1);
  const { value, problem, isShutOut } = useKept(
    () =>
      ask('GET /api/runs', {
        query: {
          limit: 25,
          ...(standings.length > 0 ? { standing: standings.join(',') } : {}),
          ...(caveats === undefined ? {} : { caveats }),
          ...(group === 'waiting' ? { waiting: 'true' as const } : {}),
          ...(words.trim() === '' ? {} : { q: words.trim() }),
          ...(cursor === undefined ? {} : { cursor }),
        },
      }),
    [changes, group, words, cursor],
  );
  const choose = (name: string) => {
    setGroup(name);
    setPages([]);
  };
  if (isShutOut) return <ShutOut />;
  return (
    <>
      <div class="row">
        <h1>Runs</h1>
        <input
          type="search"
          value={words}
          placeholder="Task or id"
          aria-label="Find runs by task or id"
          onInput={(event) => {
            setWords(event.currentTarget.value);
            setPages([]);
          }}
        />
        <Begin onTold={onTold} />
      </div>
      <div class="segments" role="group" aria-label="Runs shown">
        {groups.map(({ name, standings: some, caveats: which }) => (
          <button key={name} type="button" aria-pressed={name === group} onClick={() => choose(name)}>
            {name}
            {value && some.length > 0 && <span class="count">{countOf(value, some, which)}</span>}
          </button>
        ))}
      </div>
      {problem !== null && <p class="card problem">{problem}</p>}
      {value && value.runs.length === 0 && <Nothing isFiltered={group !== 'all' || words !== ''} />}
      {value && value.runs.length > 0 && <RunTable runs={value.runs} />}
      {value && (value.next !== null || pages.length > 0) && (
        <div class="row">
          <button type="button" disabled={pages.length === 0} onClick={() => setPages(pages.slice(0, -1))}>
            Newer
          </button>
          <span class="muted">{value.total} runs</span>
          <button
            type="button"
            disabled={value.next === null}
            onClick={() => value.next !== null && setPages([...pages, value.next])}
          >
            Older
          </button>
        </div>
      )}
    </>
  );
}

function countOf(
  { counts, withCaveats }: Answered<'GET /api/runs'>,
  some: readonly Standing[],
  caveats: 'true' | 'false' | undefined,
): number {
  const all = some.reduce((sum, one) => sum + (counts[one] ?? 0), 0);
  if (caveats === 'false') return all - withCaveats;
  return caveats === 'true' ? (counts.partial ?? 0) + withCaveats : all;
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  return (
    <div class="card">
      {isFiltered ? (
        <p class="muted">No run is like that.</p>
      ) : (
        <>
          <p>There are no runs yet. In a project, try:</p>
          <pre class="output">agentgate run -p "what to do" --gate "npm test" --agent claude</pre>
        </>
      )}
    </div>
  );
}

export function RunTable({ runs }: { runs: readonly RunRow[] }) {
  const now = Date.now();
  return (
    <div class="card flush">
      <table class="list">
        <thead>
          <tr>
            <th scope="col">Status</th>
            <th scope="col">Run</th>
            <th scope="col">Trend</th>
            <th scope="col">Gates</th>
            <th scope="col">Budget used</th>
            <th scope="col" class="end">
              When
            </th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={`${run.workspace}/${run.runId}`}>
              <td>
                <Pill status={runWord(run.standing, run.ended?.caveats ?? 0)} />
                {run.waiting.length > 0 && <span class="badge">waits for you</span>}
              </td>
              <td class="main-cell">
                <a href={runHref(run.workspace, run.runId)}>{run.task === '' ? run.runId : run.task}</a>
                <span class="muted sub">
                  <code>{run.runId}</code> · {folderOf(run.root)} · {run.agent} · {run.strategy}
                  {run.ended && run.standing !== 'converged' && <> · {run.ended.code}</>}
                  {run.wentOnAs !== null && (
                    <>
                      {' '}
                      · went on as <a href={runHref(run.workspace, run.wentOnAs)}>{run.wentOnAs}</a>
                    </>
                  )}
                  {run.damage !== null && <span class="bad"> · {run.damage}</span>}
                </span>
              </td>
              <td>
                <Spark values={run.trend} />
              </td>
              <td>
                <GateDots gates={run.gates} />
              </td>
              <td class="budget-cell">
                <Budget run={run} />
              </td>
              <td class="end muted">
                <time dateTime={run.lastAt} title={run.lastAt}>
                  {ago(run.lastAt, now)}
                </time>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Each gate as a dot; a word beside it says how many passed. */
function GateDots({ gates }: { gates: RunRow['gates'] }) {
  const passed = gates.filter((one) => one.verdict === 'passed').length;
  return (
    <span
      class="gate-dots"
      title={gates.map((one) => `${one.name}: ${one.verdict ?? 'not judged'}`).join('\n')}
    >
      {gates.slice(0, 6).map((one) => (
        <i key={one.name} class={dotTone(one)} aria-hidden="true" />
      ))}
      <span>
        {passed}
        <span class="muted">/{gates.length}</span>
      </span>
    </span>
  );
}

function dotTone({ verdict, severity }: RunRow['gates'][number]): string {
  if (verdict === null) return '';
  if (verdict === 'passed') return 'good';
  if (verdict === 'failed') return severity === 'soft' ? 'warn' : 'bad';
  return 'warn';
}

function Budget({ run }: { run: RunRow }) {
  const shares = [
    {
      share: run.mostIterations > 0 ? run.iterations / run.mostIterations : 0,
      text: `${run.iterations} of ${run.mostIterations} iterations`,
    },
    {
      share: run.limits.activeMs > 0 ? run.used.activeMs / run.limits.activeMs : 0,
      text: `${showDuration(run.used.activeMs)} of ${showDuration(run.limits.activeMs)}`,
    },
    ...(run.limits.costUsd === null
      ? []
      : [
          {
            share: (run.used.costUsd ?? 0) / run.limits.costUsd,
            text: `${showMoney(run.used.costUsd ?? 0)} of ${showMoney(run.limits.costUsd)}`,
          },
        ]),
  ];
  const most = shares.reduce((a, b) => (b.share > a.share ? b : a));
  return (
    <>
      <span>{most.text}</span>
      {run.used.costUsd !== null && run.limits.costUsd === null && (
        <span class="muted"> · {showMoney(run.used.costUsd)}</span>
      )}
      <Bar share={Math.min(1, most.share)} tone={most.share >= 1 ? 'bad' : most.share >= 0.8 ? 'warn' : ''} />
    </>
  );
}
