import { useState } from 'preact/hooks';
import { whyOf } from '../parts/use-loaded.ts';
import { type Answered, ask, planRoute } from './api.ts';

type Asked = Answered<'GET /api/inbox'>['criteria'][number];

/** A criterion of a plan that only a person can judge, with the tick beside it. */
export function Criterion({ asked, onTold }: { asked: Asked; onTold(words: string): void }) {
  const [problem, setProblem] = useState<string | null>(null);
  // What was ticked stays until the plan has heard it.
  const [isTicked, setTicked] = useState(false);
  const { plan, item, criterion, text } = asked;
  const tick = async () => {
    setTicked(true);
    try {
      const params = { workspace: plan.workspace, plan: plan.planId };
      await ask(`POST ${planRoute}/tick`, { params, body: { item, criterion } });
      setProblem(null);
      onTold(`You ticked a criterion of ${item}.`);
    } catch (error) {
      setProblem(whyOf(error));
      setTicked(false);
    }
  };
  return (
    <div class="asking" role="group" aria-label="A person is asked">
      <p>
        <b>{item}</b> is done but for your word: {text}
      </p>
      <div class="row answers">
        <button type="button" class="primary" disabled={isTicked} onClick={() => void tick()}>
          It is so
        </button>
      </div>
      {problem !== null && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
