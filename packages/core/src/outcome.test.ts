import { expect, it } from 'vitest';
import { mapOutcome, type Status } from './outcome.ts';

it.each<[Status, string, string]>([
  ['converged', 'goal.met', 'success complete DONE completed passed'],
  ['converged', 'goal.hard-only', 'success complete DONE_WITH_CAVEATS completed passed'],
  ['partial', 'accept.partial', 'strategy_stop complete STUCK stopped failed_verification'],
  ['diverged', 'limit.iterations', 'max_iterations timeout STUCK stopped failed_verification'],
  ['diverged', 'limit.wall-clock', 'timeout timeout STUCK stopped failed_timeout'],
  ['diverged', 'limit.cost', 'timeout timeout STUCK stopped failed_timeout'],
  ['diverged', 'loop.oscillation', 'strategy_stop fail STUCK stopped failed_verification'],
  ['stopped', 'user.stop', 'strategy_stop fail IN_PROGRESS stopped canceled'],
  ['suspended', 'awaiting-gate', 'null continue IN_PROGRESS running null'],
  ['error', 'error.build', 'error fail STUCK stopped failed_build'],
  ['error', 'error.gate', 'error fail STUCK stopped failed_error'],
])('%s by %s reads %s in the older words', (status, code, words) => {
  const { finalResult, action, task, graph, run } = mapOutcome(status, code);
  expect([finalResult, action, task, graph, run].map(String).join(' ')).toBe(words);
});
