import { ago } from '../model/ago.ts';
import { folderOf } from '../model/title.ts';
import { Pill } from '../parts/pill.tsx';
import type { Answered } from './api.ts';
import { Asking } from './asking.tsx';
import { Criterion } from './criterion.tsx';
import { planHref, runHref } from './route.ts';

/** Everything that waits for a person, the longest waiting first. */
export function InboxPage({
  inbox,
  onTold,
}: {
  inbox: Answered<'GET /api/inbox'> | null;
  onTold(words: string): void;
}) {
  const now = Date.now();
  if (!inbox) return <p class="card muted">Loading …</p>;
  return (
    <>
      <h1>Approvals</h1>
      {inbox.waiting.length + inbox.criteria.length === 0 && <p class="card muted">Nothing waits for you.</p>}
      {inbox.waiting.map(({ run, asks, since }) => (
        <section
          key={`${run.workspace}/${run.runId}/${JSON.stringify(asks)}`}
          class="card"
          aria-label={`Run ${run.runId}`}
        >
          <p class="eyebrow">
            <Pill status={run.standing} />
            <a href={runHref(run.workspace, run.runId)}>{run.task === '' ? run.runId : run.task}</a>
            <span>
              <code>{run.runId}</code> · {folderOf(run.root)} · asked {ago(since, now)}
            </span>
          </p>
          <Asking run={{ workspace: run.workspace, run: run.runId }} asks={asks} onTold={onTold} />
        </section>
      ))}
      {inbox.criteria.map((asked) => (
        <section
          key={`${asked.plan.workspace}/${asked.plan.planId}/${asked.item}/${asked.criterion}`}
          class="card"
          aria-label={`Plan ${asked.plan.planId}, ${asked.item}, criterion ${asked.criterion}`}
        >
          <p class="eyebrow">
            <Pill status="done-with-caveats" />
            <a href={planHref(asked.plan.workspace, asked.plan.planId)}>
              {asked.plan.title || asked.plan.planId}
            </a>
            <span>
              plan <code>{asked.plan.planId}</code> · {folderOf(asked.plan.root)} · done{' '}
              {ago(asked.since, now)}
            </span>
          </p>
          <Criterion asked={asked} onTold={onTold} />
        </section>
      ))}
    </>
  );
}
