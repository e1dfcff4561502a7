import type { Waiting } from '@agentgate/core';
import { useState } from 'preact/hooks';
import { whyOf } from '../parts/use-loaded.ts';
import { ask, type RunKey, runRoute } from './api.ts';
import { said } from './dialog.tsx';

const kept = 'Nobody drives the run now: the answer is kept until it is resumed.';

/** What a run asks of a person, with the answers beside it. */
export function Asking({ run, asks, onTold }: { run: RunKey; asks: Waiting; onTold(words: string): void }) {
  const [note, setNote] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  // What was answered stays until the run has heard it; a second answer would be one too many.
  const [answered, setAnswered] = useState<string | null>(null);
  const names = asks.kind === 'approval' ? asks.approvers : [];
  const [by, setBy] = useState(names.length === 1 ? names[0]! : '');
  const params = { workspace: run.workspace, run: run.run };
  const words = note.trim() === '' ? undefined : note.trim();
  const answer = (tell: () => Promise<object>, told: string) => async () => {
    setBusy(true);
    try {
      const heard = await tell();
      const words = 'heard' in heard && heard.heard === false ? `${told} ${kept}` : told;
      setProblem(null);
      setAnswered(words);
      onTold(words);
    } catch (error) {
      setProblem(whyOf(error));
    }
    setBusy(false);
  };
  const field = (label: string) => (
    <input
      aria-label={label}
      placeholder={label}
      value={note}
      maxLength={2_000}
      onInput={(event) => setNote(event.currentTarget.value)}
    />
  );
  const button = (label: string, tell: () => Promise<object>, told: string, look = '') => (
    <button
      type="button"
      class={look}
      disabled={isBusy || (label === 'Redirect' && words === undefined) || (names.length > 0 && by === '')}
      onClick={() => void answer(tell, told)()}
    >
      {label}
    </button>
  );
  if (answered !== null)
    return (
      <p class="asking" role="status">
        {answered}
      </p>
    );
  return (
    <div class="asking" role="group" aria-label="A person is asked">
      <Question asks={asks} />
      <div class="row answers">
        {asks.kind === 'approval' && (
          <>
            {names.length > 0 && (
              <select
                aria-label="Who answers"
                value={by}
                onChange={(event) => setBy(event.currentTarget.value)}
              >
                {names.length > 1 && <option value="">Who answers?</option>}
                {names.map((name) => (
                  <option key={name}>{name}</option>
                ))}
              </select>
            )}
            {field('A note, told to the agent when you reject')}
            {button(
              'Reject',
              () =>
                ask(`POST ${runRoute}/reject`, {
                  params,
                  body: said({
                    gate: asks.gate,
                    tree: asks.tree,
                    note: words,
                    as: by === '' ? undefined : by,
                  }),
                }),
              `You rejected ${asks.gate}.`,
              'danger',
            )}
            {button(
              'Approve',
              () =>
                ask(`POST ${runRoute}/approve`, {
                  params,
                  body: said({
                    gate: asks.gate,
                    tree: asks.tree,
                    note: words,
                    as: by === '' ? undefined : by,
                  }),
                }),
              `You approved ${asks.gate}.`,
              'primary',
            )}
          </>
        )}
        {asks.kind === 'question' && (
          <>
            {field('New words, to redirect')}
            {button(
              'Redirect',
              () =>
                ask(`POST ${runRoute}/answer`, { params, body: { answer: 'redirect', text: words ?? '' } }),
              'The run goes on with your words.',
            )}
            {(['stop', 'accept', 'continue'] as const).map((one) =>
              button(
                { stop: 'Stop', accept: 'Accept the tree', continue: 'Continue' }[one],
                () => ask(`POST ${runRoute}/answer`, { params, body: { answer: one } }),
                `You answered: ${one}.`,
                one === 'continue' ? 'primary' : one === 'stop' ? 'danger' : '',
              ),
            )}
          </>
        )}
        {asks.kind === 'words' && (
          <>
            {field('Your answer')}
            {button(
              'Redirect',
              () => ask(`POST ${runRoute}/resume`, { params, body: said({ redirect: words }) }),
              'The run goes on with your words.',
              'primary',
            )}
          </>
        )}
        {asks.kind === 'grant' && (
          <>
            {field('Why they may be so')}
            {button(
              'Grant',
              () => ask(`POST ${runRoute}/grant`, { params, body: said({ note: words }) }),
              'You granted the changes; the gates are judged again.',
              'primary',
            )}
          </>
        )}
      </div>
      {problem !== null && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

function Question({ asks }: { asks: Waiting }) {
  switch (asks.kind) {
    case 'approval':
      return (
        <p>
          <b>{asks.gate}</b> waits for {asks.approvers.length > 0 ? asks.approvers.join(', ') : 'a person'} on
          tree <code>{asks.tree.slice(0, 6)}</code>
          {asks.message !== null && <>: {asks.message}</>}
        </p>
      );
    case 'question':
      return (
        <p>
          <b>After iteration {asks.iteration}</b>: {asks.reason}. Without an answer it would {asks.default}.
        </p>
      );
    case 'words':
      return <p>{asks.reason}</p>;
    case 'grant':
      return (
        <>
          <p>Protected files were changed, and only a person can allow that:</p>
          <ul class="plain mono">
            {asks.files.map((file) => (
              <li key={file}>{file}</li>
            ))}
          </ul>
        </>
      );
  }
}
