import { ago } from '../model/ago.ts';
import { folderOf } from '../model/title.ts';
import { Bar } from '../parts/meter.tsx';
import { Pill } from '../parts/pill.tsx';
import { ask } from './api.ts';
import { planHref } from './route.ts';
import { ShutOut } from './shut-out.tsx';
import { useKept } from './use-lists.ts';

/** All plans of this machine, the newest first. */
export function PlansPage({ changes }: { changes: number }) {
  const { value, problem, isShutOut } = useKept(() => ask('GET /api/plans'), [changes]);
  const now = Date.now();
  if (isShutOut) return <ShutOut />;
  return (
    <>
      <h1>Plans</h1>
      {problem !== null && <p class="card problem">{problem}</p>}
      {value && value.plans.length === 0 && (
        <div class="card">
          <p>There are no plans yet. In a project, try:</p>
          <pre class="output">agentgate plan run plan.yaml</pre>
        </div>
      )}
      {value && value.plans.length > 0 && (
        <div class="card flush">
          <table class="list">
            <thead>
              <tr>
                <th scope="col">Status</th>
                <th scope="col">Plan</th>
                <th scope="col">Items settled</th>
                <th scope="col">Session budget</th>
                <th scope="col" class="end">
                  When
                </th>
              </tr>
            </thead>
            <tbody>
              {value.plans.map((plan) => (
                <tr key={`${plan.workspace}/${plan.planId}`}>
                  <td>
                    <Pill status={plan.driven ? 'running' : (plan.status ?? 'cut-short')} />
                    {plan.unticked.length > 0 && <span class="badge">waits for you</span>}
                  </td>
                  <td class="main-cell">
                    <a href={planHref(plan.workspace, plan.planId)}>{plan.title || plan.planId}</a>
                    <span class="muted sub">
                      <code>{plan.planId}</code> · {folderOf(plan.root)} · {plan.file}
                      {plan.damage !== null && <span class="bad"> · {plan.damage}</span>}
                    </span>
                  </td>
                  <td>
                    {plan.resolved}
                    <span class="muted"> of {plan.resolved + plan.pending}</span>
                  </td>
                  <td class="budget-cell">
                    {plan.budget.used} of {plan.budget.max} iterations
                    <Bar share={plan.budget.max > 0 ? Math.min(1, plan.budget.used / plan.budget.max) : 0} />
                  </td>
                  <td class="end muted">
                    <time dateTime={plan.lastAt} title={plan.lastAt}>
                      {ago(plan.lastAt, now)}
                    </time>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}
