import { useState } from 'preact/hooks';
import type { Chronicle } from '../model/chronicle.ts';
import { ask, type RunKey, runRoute } from './api.ts';
import { Dialog, numberIn, said, textIn } from './dialog.tsx';
import { runHref } from './route.ts';
import type { LiveRun } from './use-run.ts';

type Kind = 'stop' | 'redirect' | 'resume' | 'restore';

/** What can be done with a run now. */
export function Actions({ run, live, onTold }: { run: RunKey; live: LiveRun; onTold(words: string): void }) {
  const [asking, setAsking] = useState<Kind | null>(null);
  const controls = live.detail?.controls;
  if (!controls) return null;
  const close = () => setAsking(null);
  const params = { workspace: run.workspace, run: run.run };
  const done = (words: string) => {
    onTold(words);
    live.refresh();
  };
  return (
    <>
      {controls.redirect && (
        <button type="button" onClick={() => setAsking('redirect')}>
          Redirect
        </button>
      )}
      {controls.restore && (
        <button type="button" onClick={() => setAsking('restore')}>
          Restore
        </button>
      )}
      {controls.resume && (
        <button type="button" class="primary" onClick={() => setAsking('resume')}>
          Resume
        </button>
      )}
      {controls.stop && (
        <button type="button" class="danger" onClick={() => setAsking('stop')}>
          Stop
        </button>
      )}
      {asking === 'stop' && (
        <Dialog
          title="Stop this run"
          verb="Stop it"
          danger
          onClose={close}
          onDo={async (form) => {
            const body = said({
              note: textIn(form, 'note'),
              now: form.has('now') ? (true as const) : undefined,
            });
            await ask(`POST ${runRoute}/stop`, { params, body });
            done('The run was asked to stop.');
          }}
        >
          <p class="muted">What it has done stays, and it can be resumed later.</p>
          <label>
            Why
            <input name="note" maxLength={2_000} />
          </label>
          <label class="check">
            <input type="checkbox" name="now" /> at once, without letting the step end
          </label>
        </Dialog>
      )}
      {asking === 'redirect' && (
        <Dialog
          title="Redirect this run"
          verb="Redirect"
          onClose={close}
          onDo={async (form) => {
            const text = textIn(form, 'text') ?? '';
            const { heard } = await ask(`POST ${runRoute}/redirect`, { params, body: { text } });
            done(heard ? 'The run goes on with your words.' : 'Your words are kept for the next resume.');
          }}
        >
          <p class="muted">An iteration under way is ended; the next one begins with your words.</p>
          <label>
            New words for the agent
            <textarea name="text" required maxLength={20_000} />
          </label>
        </Dialog>
      )}
      {asking === 'resume' && (
        <Resume
          onClose={close}
          onDo={async (body) => {
            const answer = await ask(`POST ${runRoute}/resume`, { params, body });
            done('The run goes on.');
            if (answer.runId !== run.run) location.hash = runHref(run.workspace, answer.runId);
          }}
        />
      )}
      {asking === 'restore' && (
        <Restore
          chronicle={live.chronicle}
          onClose={close}
          onDo={async (to) => {
            const answer = await ask(`POST ${runRoute}/restore`, { params, body: { to } });
            done(
              `Tree ${answer.tree.slice(0, 6)} is back; what was there is kept as ${answer.before.slice(0, 6)}.`,
            );
          }}
        />
      )}
    </>
  );
}

interface ResumeBody {
  addIterations?: number;
  addWallClockMs?: number;
  addCostUsd?: number;
  redirect?: string;
}

function Resume({ onClose, onDo }: { onClose(): void; onDo(body: ResumeBody): Promise<void> }) {
  return (
    <Dialog
      title="Resume this run"
      verb="Resume"
      onClose={onClose}
      onDo={async (form) => {
        const minutes = numberIn(form, 'minutes');
        await onDo(
          said({
            addIterations: numberIn(form, 'iterations'),
            addWallClockMs: minutes === undefined ? undefined : minutes * 60_000,
            addCostUsd: numberIn(form, 'cost'),
            redirect: textIn(form, 'redirect'),
          }),
        );
      }}
    >
      <p class="muted">It goes on with its history and counts. No limit is raised by itself.</p>
      <div class="fields">
        <label>
          More iterations
          <input type="number" name="iterations" min="1" max="10000" step="1" />
        </label>
        <label>
          More minutes
          <input type="number" name="minutes" min="1" step="1" />
        </label>
        <label>
          More dollars
          <input type="number" name="cost" min="0.01" step="0.01" />
        </label>
      </div>
      <label>
        New words for the agent
        <textarea name="redirect" maxLength={20_000} />
      </label>
    </Dialog>
  );
}

function Restore({
  chronicle,
  onClose,
  onDo,
}: {
  chronicle: Chronicle;
  onClose(): void;
  onDo(to: 'best' | 'last' | number): Promise<void>;
}) {
  const trees = chronicle.chapters.filter((one) => one.tree !== null && one.closed);
  return (
    <Dialog
      title="Restore a tree into the workspace"
      verb="Restore"
      onClose={onClose}
      onDo={(form) => {
        const to = String(form.get('to'));
        return onDo(to === 'best' || to === 'last' ? to : Number(to));
      }}
    >
      <p class="muted">What lies in the workspace now is kept as a snapshot first.</p>
      <label>
        Tree
        <select name="to">
          <option value="best">the best one</option>
          <option value="last">the last one</option>
          {trees.toReversed().map(({ iteration, tree, failures, wasJudged }) => (
            <option key={iteration} value={iteration}>
              {iteration === 0 ? 'before the run' : `iteration ${iteration}`} · {tree?.slice(0, 6)}
              {wasJudged ? ` · ${failures} failing` : ''}
            </option>
          ))}
        </select>
      </label>
    </Dialog>
  );
}
