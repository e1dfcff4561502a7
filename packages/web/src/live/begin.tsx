import { showDuration, showMoney } from '@agentgate/core';
import { useState } from 'preact/hooks';
import { type Answered, ask } from './api.ts';
import { Dialog } from './dialog.tsx';
import { runHref } from './route.ts';
import { useKept } from './use-lists.ts';

type Known = Answered<'GET /api/specs'>['specs'][number];

/** Begins a run by a spec that the server was started with; where there is none, nothing is shown. */
export function Begin({ onTold }: { onTold(words: string): void }) {
  const { value } = useKept(() => ask('GET /api/specs'), []);
  const [isAsking, setAsking] = useState(false);
  const [name, setName] = useState<string | null>(null);
  const specs = value?.specs ?? [];
  const chosen = specs.find((one) => one.name === name) ?? specs[0];
  if (!chosen) return null;
  return (
    <>
      <button type="button" class="primary" onClick={() => setAsking(true)}>
        Begin a run
      </button>
      {isAsking && (
        <Dialog
          title="Begin a run"
          verb="Begin"
          onClose={() => setAsking(false)}
          onDo={async () => {
            const { workspace, runId } = await ask('POST /api/runs', { body: { spec: chosen.name } });
            onTold('The run has begun.');
            location.hash = runHref(workspace, runId);
          }}
        >
          <label>
            Spec
            <select value={chosen.name} onChange={(event) => setName(event.currentTarget.value)}>
              {specs.map((one) => (
                <option key={one.name}>{one.name}</option>
              ))}
            </select>
          </label>
          <WhatBegins known={chosen} />
        </Dialog>
      )}
    </>
  );
}

/** What is about to be spent, on what, and where. */
function WhatBegins({ known: { root, spec } }: { known: Known }) {
  const { task, agent, gates, limits } = spec;
  const caps = [
    `${limits.iterations} iterations`,
    showDuration(limits.wallClock),
    ...(limits.tokens === undefined ? [] : [`${limits.tokens} tokens`]),
    ...(limits.cost === undefined ? [] : [showMoney(limits.cost)]),
  ];
  return (
    <>
      <pre class="output">{task}</pre>
      <p class="muted">
        {agent.kind} works in <code>{root}</code> until {gates.map((one) => one.name).join(', ')} pass, within{' '}
        {caps.join(', ')}.
      </p>
    </>
  );
}
