import { showDuration, showMoney } from '@agentgate/core';
import { useState } from 'preact/hooks';
import { type Scale, type Shape, Strip } from '../parts/strip.tsx';
import { useWidth } from '../parts/use-width.ts';
import { whyOf } from '../parts/use-loaded.ts';
import { type Answered, ask, type RunKey, runRoute } from './api.ts';

type Answer = Answered<`POST ${typeof runRoute}/what-if`>;
type Step = Answer['recorded']['steps'][number];

const choices = ['hybrid', 'ralph', 'fixed', 'adaptive'] as const;
const shapes: Record<'on' | 'end', Shape> = { on: { half: 4 }, end: { half: 8 } };

/** The same run under other strategies, beside what really happened, as far as its record tells. */
export function WhatIf({ run, strategy }: { run: RunKey; strategy: string }) {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [ref, width] = useWidth<HTMLDivElement>(500);
  const replay = async () => {
    setBusy(true);
    try {
      const body = { strategies: choices.filter((one) => one !== strategy) };
      setAnswer(await ask(`POST ${runRoute}/what-if`, { params: { ...run }, body }));
      setProblem(null);
    } catch (error) {
      setProblem(whyOf(error));
    }
    setBusy(false);
  };
  const last = Math.max(1, ...(answer?.recorded.steps ?? []).map((one) => one.iteration));
  const scale: Scale = { from: 0, to: last, step: Math.min(36, width / (last + 1)), width };
  return (
    <section class="card" aria-labelledby="what-if">
      <header class="row">
        <h2 id="what-if">What if</h2>
        <button type="button" disabled={isBusy} onClick={() => void replay()}>
          {answer ? 'Replay again' : 'Replay under the other strategies'}
        </button>
      </header>
      {!answer && !problem && (
        <p class="muted">The recorded iterations decided again, without running anything.</p>
      )}
      {problem !== null && <p class="problem">{problem}</p>}
      {answer && (
        <table class="what-if">
          <thead>
            <tr>
              <th scope="col">Strategy</th>
              <th scope="col" class="wide">
                Iterations
              </th>
              <th scope="col">Ends</th>
              <th scope="col">Used</th>
              <th scope="col">Gates met</th>
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">
                {answer.recorded.strategy.kind} <span class="tag">recorded</span>
              </th>
              <td class="wide">
                <div ref={ref}>
                  <Strip spans={spansOf(answer.recorded.steps)} scale={scale} height={22} shapes={shapes} />
                </div>
              </td>
              <td>
                {answer.recorded.status ?? 'open'} <code class="muted">{answer.recorded.code}</code>
              </td>
              <td>{spentText(answer.recorded.spent)}</td>
              <td>{answer.recorded.solved ? 'yes' : 'no'}</td>
            </tr>
            {answer.others.map((other, index) => (
              <tr key={index}>
                <th scope="row">{other.strategy.kind}</th>
                <td class="wide">
                  <Strip spans={spansOf(other.steps)} scale={scale} height={22} shapes={shapes} />
                </td>
                <td>
                  {endsWords[other.ends]} <code class="muted">{other.code}</code>
                </td>
                <td>
                  {spentText(other.spent)}
                  {other.saved.iterations > 0 && (
                    <span class="good"> saves {other.saved.iterations} iterations</span>
                  )}
                </td>
                <td class={other.losesSolve ? 'bad' : ''}>
                  {other.losesSolve
                    ? 'lost'
                    : other.ends === 'beyond'
                      ? 'not known'
                      : other.solved
                        ? 'yes'
                        : 'no'}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {answer?.others.some((one) => one.assumptions.length > 0) && (
        <details>
          <summary>What this takes for granted</summary>
          <ul>
            {[...new Set(answer.others.flatMap((one) => one.assumptions))].map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

const endsWords = {
  earlier: 'would have ended earlier',
  same: 'would have ended there too',
  beyond: 'would have gone on',
} as const;

const spansOf = (steps: readonly Step[]) =>
  steps.map(({ iteration, kind }) => ({
    from: iteration,
    to: iteration,
    value: kind === 'ended' ? ('end' as const) : ('on' as const),
  }));

const spentText = ({ iterations, activeMs, costUsd }: Answer['recorded']['spent']): string =>
  [`${iterations} it.`, showDuration(activeMs), ...(costUsd === null ? [] : [showMoney(costUsd)])].join(
    ' · ',
  );
