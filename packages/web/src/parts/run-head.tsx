import type { ComponentChildren } from 'preact';
import { showDuration } from '@agentgate/core';
import { useEffect, useState } from 'preact/hooks';
import { amountsOf } from '../model/budget.ts';
import type { Chronicle } from '../model/chronicle.ts';
import { doingOf, sayDoing } from '../model/doing.ts';
import { folderOf, sentence, titleOf } from '../model/title.ts';
import { Meter } from './meter.tsx';
import { Pill, runWord } from './pill.tsx';
import { useWorkedMs } from './use-worked.ts';

/** What a person who looks once needs to know. */
export function RunHead({
  chronicle,
  standing,
  children,
}: {
  chronicle: Chronicle;
  standing: string;
  children?: ComponentChildren;
}) {
  const { state } = chronicle;
  const { spec, ended } = state;
  const doing = doingOf(chronicle);
  const passed = latestMarks(chronicle);
  const green = passed.filter((one) => one === 'passed' || one === 'cached').length;
  const { title, isWhole } = titleOf(spec?.task ?? '');
  const amounts = amountsOf(chronicle, useWorkedMs(chronicle, standing === 'running'));
  return (
    <header class="run-head">
      <div class="row">
        <p class="eyebrow">
          <Pill status={runWord(standing, ended?.caveats.length ?? 0)} />
          <span>
            run <code>{state.runId}</code>
          </span>
          <span>
            {spec?.agent.kind} · {spec?.strategy.kind}
          </span>
          <span class="path" title={state.root}>
            {folderOf(state.root)}
          </span>
        </p>
        <div class="actions">{children}</div>
      </div>
      <h1>{title}</h1>
      {!isWhole && (
        <details>
          <summary>The whole task</summary>
          <pre class="output">{spec?.task}</pre>
        </details>
      )}
      <p class="verdict" role="status">
        {ended ? (
          <>
            {sentence(ended.reason)}. <code class="muted">{ended.code}</code>
          </>
        ) : (
          doing && (
            <>
              {sayDoing(doing, standing)}
              {standing === 'running' && <Clock since={doing.since} />}
            </>
          )
        )}
      </p>
      {ended && ended.caveats.length > 0 && (
        <ul class="caveats">
          {ended.caveats.map((caveat, index) => (
            <li key={index}>{caveat}</li>
          ))}
        </ul>
      )}
      <div class="tiles">
        <Failures chronicle={chronicle} />
        <div class="tile">
          <span class="meter-name">gates passed</span>
          <span class="big">
            {green}
            <span class="muted"> of {spec?.gates.length ?? 0}</span>
          </span>
        </div>
        {amounts.map((amount) => (
          <div key={amount.name} class="tile">
            <Meter amount={amount} />
          </div>
        ))}
      </div>
    </header>
  );
}

function Failures({ chronicle }: { chronicle: Chronicle }) {
  const judged = chronicle.chapters.filter((one) => one.wasJudged);
  const last = judged.at(-1);
  const first = judged[0];
  return (
    <div class="tile">
      <span class="meter-name">failing</span>
      <span class={`big ${last?.failures === 0 ? 'good' : ''}`}>
        {last ? last.failures : '–'}
        {first && first !== last && <span class="muted"> from {first.failures}</span>}
      </span>
    </div>
  );
}

const latestMarks = ({ chapters, state }: Chronicle): string[] => {
  const last = chapters.findLast((one) => one.wasJudged);
  return (state.spec?.gates ?? []).map(({ name }) => last?.marks.get(name)?.mark ?? '');
};

function Clock({ since }: { since: string }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const ticking = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(ticking);
  }, []);
  const ms = now - Date.parse(since);
  return Number.isFinite(ms) && ms >= 1_000 ? (
    <span class="muted"> · {showDuration(Math.floor(ms / 1_000) * 1_000)}</span>
  ) : null;
}
