import type { PlanNode } from '@agentgate/core';
import type { PlanFrames } from '@agentgate/server/contract';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { itemWord } from '../model/item-word.ts';
import { flatten } from '../model/plan-layout.ts';
import { folderOf, sentence } from '../model/title.ts';
import { Meter } from '../parts/meter.tsx';
import { Pill } from '../parts/pill.tsx';
import { PlanGraph } from '../parts/plan-graph.tsx';
import { addressOf, type Answered, ask, planRoute } from './api.ts';
import { Dialog, said, textIn } from './dialog.tsx';
import { runHref } from './route.ts';
import { ShutOut } from './shut-out.tsx';
import { useKept } from './use-lists.ts';
import { useStream } from './use-stream.ts';

type Detail = Answered<`GET ${typeof planRoute}`>;
const restMs = 300;

/** A plan as a graph, with what each item came to and what it may still use. */
export function PlanPage({
  workspace,
  plan,
  onTold,
}: {
  workspace: string;
  plan: string;
  onTold(words: string): void;
}) {
  const params = useMemo(() => ({ workspace, plan }), [workspace, plan]);
  const [changes, setChanges] = useState(0);
  const [chosen, setChosen] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const note = () => {
    timer.current ??= setTimeout(() => {
      timer.current = null;
      setChanges((before) => before + 1);
    }, restMs);
  };
  useEffect(
    () => () => {
      if (timer.current) clearTimeout(timer.current);
    },
    [],
  );
  useStream<PlanFrames>(
    (after) => addressOf(`GET ${planRoute}/stream`, params, after === null ? {} : { after }),
    () => ({ events: note, standing: note, restart: note, problem: note }),
    [params],
  );
  const { value, problem, isShutOut } = useKept(() => ask(`GET ${planRoute}`, { params }), [params, changes]);
  if (isShutOut) return <ShutOut />;
  if (!value)
    return (
      <p class="card" role="status">
        {problem ?? 'Loading the plan …'}
      </p>
    );
  const item = flatten(value.items).find((one) => one.id === chosen) ?? null;
  const told = (words: string) => {
    onTold(words);
    note();
  };
  return (
    <>
      <PlanHead detail={value} params={params} onTold={told} />
      {problem !== null && (
        <p class="card problem" role="alert">
          {problem}
        </p>
      )}
      <section class="card" aria-label="Work items">
        <PlanGraph
          items={value.items}
          selected={chosen}
          onSelect={(id) => setChosen(id === chosen ? null : id)}
        />
      </section>
      {item && <ItemCard item={item} params={params} onTold={told} />}
      <div class="columns">
        <Items detail={value} onSelect={setChosen} />
        <SessionCard detail={value} />
      </div>
    </>
  );
}

interface Params {
  workspace: string;
  plan: string;
}

function PlanHead({
  detail: { plan, session, health },
  params,
  onTold,
}: {
  detail: Detail;
  params: Params;
  onTold(words: string): void;
}) {
  const [asking, setAsking] = useState<'stop' | 'redirect' | null>(null);
  return (
    <header class="run-head">
      <div class="row">
        <p class="eyebrow">
          <Pill status={plan.driven ? 'running' : (plan.status ?? 'cut-short')} />
          <span>
            plan <code>{plan.planId}</code>
          </span>
          <span>
            {folderOf(plan.root)} · {plan.file}
          </span>
        </p>
        <div class="actions">
          <button type="button" onClick={() => setAsking('redirect')}>
            Redirect
          </button>
          {plan.driven && (
            <button type="button" class="danger" onClick={() => setAsking('stop')}>
              Stop
            </button>
          )}
        </div>
      </div>
      <h1>{plan.title}</h1>
      {session.reason !== null && (
        <p class="verdict">
          {sentence(session.reason)}. <code class="muted">{session.code}</code>
        </p>
      )}
      {!health.healthy && <p class="problem">{health.reasons.join('; ')}</p>}
      <div class="tiles">
        <div class="tile">
          <span class="meter-name">items settled</span>
          <span class="big">
            {plan.resolved}
            <span class="muted"> of {plan.resolved + plan.pending}</span>
          </span>
        </div>
        <div class="tile">
          <Meter
            amount={{
              name: 'iterations',
              used: session.budget.used,
              limit: session.budget.max,
              show: String,
            }}
          />
        </div>
        <div class="tile">
          <span class="meter-name">this session</span>
          <span class="big">
            {session.done}
            <span class="muted">
              {' '}
              done, {session.stuck} stuck, {session.tests} tests
            </span>
          </span>
        </div>
      </div>
      {asking === 'stop' && (
        <Dialog
          title="Stop this session"
          verb="Stop it"
          danger
          onClose={() => setAsking(null)}
          onDo={async (form) => {
            await ask(`POST ${planRoute}/stop`, {
              params: { ...params },
              body: said({ note: textIn(form, 'note') }),
            });
            onTold('The session was asked to stop.');
          }}
        >
          <label>
            Why
            <input name="note" maxLength={2_000} />
          </label>
        </Dialog>
      )}
      {asking === 'redirect' && (
        <Dialog
          title="Redirect this plan"
          verb="Redirect"
          onClose={() => setAsking(null)}
          onDo={async (form) => {
            const text = textIn(form, 'text') ?? '';
            const body =
              form.get('kind') === 'objective'
                ? { kind: 'objective' as const, goal: text }
                : { kind: 'constraint' as const, text };
            const { how } = await ask(`POST ${planRoute}/redirect`, { params: { ...params }, body });
            onTold(`The plan follows your words${whenOf(how)}`);
          }}
        >
          <label>
            What changes
            <select name="kind">
              <option value="constraint">something every agent must keep to</option>
              <option value="objective">the goal of the whole</option>
            </select>
          </label>
          <label>
            Words
            <textarea name="text" required maxLength={20_000} />
          </label>
        </Dialog>
      )}
    </header>
  );
}

/** A plan that nobody works on follows what it was told when it goes on. */
const whenOf = (how: 'heard' | 'recorded'): string =>
  how === 'heard' ? '.' : ' in its next session: agentgate plan run.';

function ItemCard({ item, params, onTold }: { item: PlanNode; params: Params; onTold(words: string): void }) {
  const change = async (how: 'defer' | 'retry') => {
    const body = { kind: 'graph' as const, remove: [], defer: [], retry: [], [how]: [item.id] };
    try {
      const { how: heard } = await ask(`POST ${planRoute}/redirect`, { params: { ...params }, body });
      onTold(`${how === 'defer' ? `${item.id} is put off` : `${item.id} is tried again`}${whenOf(heard)}`);
    } catch (error) {
      onTold(error instanceof Error ? error.message : String(error));
    }
  };
  const tick = async (criterion: number) => {
    try {
      await ask(`POST ${planRoute}/tick`, { params: { ...params }, body: { item: item.id, criterion } });
      onTold('Ticked.');
    } catch (error) {
      onTold(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <section class="card" aria-label={`Item ${item.id}`}>
      <header class="row">
        <h2>{item.title}</h2>
        <div class="actions">
          {item.status === 'stuck' && (
            <button type="button" onClick={() => void change('retry')}>
              Try again
            </button>
          )}
          {['not-started', 'in-progress', 'stuck'].includes(item.status) && (
            <button type="button" onClick={() => void change('defer')}>
              Put off
            </button>
          )}
        </div>
      </header>
      <p class="eyebrow">
        <Pill status={itemWord(item)} />
        <code>{item.id}</code>
        <span>
          {item.used} of {item.limit} iterations
          {item.moved !== 0 &&
            `, ${item.moved > 0 ? `${item.moved} more` : `${-item.moved} fewer`} than planned`}
        </span>
        {item.dependsOn.length > 0 && <span>waits for {item.dependsOn.join(', ')}</span>}
      </p>
      {item.reason !== null && <p>{item.reason}</p>}
      {item.unticked.map(({ criterion, text }) => (
        <p key={criterion} class="row">
          <span>{text}</span>
          <button type="button" onClick={() => void tick(criterion)}>
            It is so
          </button>
        </p>
      ))}
      {item.runs.length > 0 && (
        <p>
          Runs:{' '}
          {item.runs.map((run) => (
            <a key={run} href={runHref(params.workspace, run)}>
              <code>{run}</code>{' '}
            </a>
          ))}
        </p>
      )}
    </section>
  );
}

/** The same in words, in the order of the plan. */
function Items({ detail, onSelect }: { detail: Detail; onSelect(id: string): void }) {
  return (
    <section class="card flush" aria-label="Items in words">
      <table class="list">
        <thead>
          <tr>
            <th scope="col">Item</th>
            <th scope="col">Status</th>
            <th scope="col">Iterations</th>
            <th scope="col">Runs</th>
          </tr>
        </thead>
        <tbody>
          {flatten(detail.items).map((item) => (
            <tr key={item.id}>
              <td class="main-cell">
                <button type="button" class="link" onClick={() => onSelect(item.id)}>
                  {item.title}
                </button>
                {item.reason !== null && <span class="muted sub">{item.reason}</span>}
              </td>
              <td>
                <Pill status={itemWord(item)} />
              </td>
              <td>
                {item.used}
                <span class="muted"> of {item.limit}</span>
              </td>
              <td>
                {item.runs.slice(-3).map((run) => (
                  <a key={run} href={runHref(detail.plan.workspace, run)}>
                    <code>{run}</code>{' '}
                  </a>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function SessionCard({ detail: { session, trail, corrections } }: { detail: Detail }) {
  return (
    <section class="card" aria-labelledby="session">
      <h2 id="session">Session {session.session}</h2>
      {session.moves.length > 0 && <h3>Budget moved</h3>}
      <ul class="plain">
        {session.moves.map((move, index) => (
          <li key={index}>
            {move.iterations} from {move.from ?? 'the session'} to {move.to}:{' '}
            <span class="muted">{move.reason}</span>
          </li>
        ))}
      </ul>
      {trail.length > 0 && <h3>Alternatives given up</h3>}
      <ul class="plain">
        {trail.map((entry, index) => (
          <li key={index}>
            {entry.from} → {entry.to ?? 'none'}: <span class="muted">{entry.reason}</span>
          </li>
        ))}
      </ul>
      {corrections.length > 0 && <h3>What people said</h3>}
      <ul class="plain">
        {corrections.map((one, index) => (
          <li key={index}>
            {one.kind}: {one.text}
          </li>
        ))}
      </ul>
      {session.moves.length + trail.length + corrections.length === 0 && (
        <p class="muted">No budget was moved, nothing given up, nobody has said anything.</p>
      )}
    </section>
  );
}
