import {
  FaultError,
  fault,
  parseSpec,
  recordedRun,
  replay,
  type StrategySpec,
  whatIf,
  whyNoWhatIf,
} from '@agentgate/core';
import { redactAll } from '@agentgate/runtime';
import type { House } from '../house.ts';
import type { Handlers } from './handler.ts';

type Keys =
  | 'GET /api/workspaces/{workspace}/runs/{run}/replay'
  | 'POST /api/workspaces/{workspace}/runs/{run}/what-if';

/** A recorded run decided again: as it was, and under other strategies. */
export function replays(house: House): Handlers<Keys> {
  return {
    async 'GET /api/workspaces/{workspace}/runs/{run}/replay'({ params: { workspace, run } }) {
      const { events } = await house.open(workspace, run);
      const { decisions, endings, differences } = replay(events, { clean: redactAll });
      return { decisions, endings, differences };
    },
    async 'POST /api/workspaces/{workspace}/runs/{run}/what-if'({ params: { workspace, run }, body }) {
      const { events, state, runId } = await house.open(workspace, run);
      if (state.spec === null)
        throw new FaultError(
          fault('run.empty', `run ${runId} never started; there is nothing to decide again`),
        );
      const others = body.strategies.map((asked) => whatIf(events, readStrategy(asked)));
      return { recorded: recordedRun(events), others };
    },
  };
}

/** A strategy as in a spec; none that asks a person or runs a module. */
function readStrategy(asked: unknown): StrategySpec {
  const parsed = parseSpec({ task: 'any', agent: ['any'], gates: { any: 'any' }, strategy: asked });
  if (parsed.kind !== 'spec') {
    const why = parsed.problems.map((one) => `${one.path.join('.')}: ${one.message}`).join('; ');
    throw new FaultError(fault('request.invalid', `${JSON.stringify(asked)} is no strategy: ${why}`));
  }
  const { strategy } = parsed.spec;
  const why = whyNoWhatIf(strategy);
  if (why) throw new FaultError(fault('request.invalid', `${why}; name another strategy`));
  return strategy;
}
