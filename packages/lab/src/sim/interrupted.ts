import type { Event } from '@agentgate/core';
import { drawPlan, type Plan } from './plan.ts';
import { type Report, simulate } from './simulate.ts';

/** A world in which nothing goes wrong, and nothing depends on how long things take. */
export function calmPlan(seed: number): Plan {
  const plan = drawPlan(seed);
  const limits = { ...(plan.spec['limits'] as object), wallClock: '10h', maxWait: '10h' };
  const turns = plan.turns.map((turn) => ({ ...turn, orphan: false, end: 'finished' as const }));
  const gates = Object.fromEntries(
    Object.entries(plan.gates).map(([name, manners]) => [name, { ...manners, writes: false }]),
  );
  return { ...plan, spec: { ...plan.spec, limits }, turns, gates, faults: [], grants: 0, noticeMs: 0 };
}

/** The same world, in which the controller is killed once, at this dealing with it. */
export const killedAt = (plan: Plan, step: number): Plan => ({
  ...plan,
  faults: [{ kind: 'crash', step, power: false, share: 0.5, downMs: 5_000 }],
});

/**
 * Everything that was recorded, apart from the interruption itself and from what tells of time. What the agent had
 * begun is over after a kill, so a story is only the same where no agent was at work.
 */
export function storyOf({ logs }: Report): unknown[] {
  return Object.values(logs)
    .flatMap((text) => text.split('\n').filter(Boolean))
    .map((line) => JSON.parse(line) as Event & { hash?: string })
    .filter((event) => event.kind !== 'run.resumed')
    .map((event) => JSON.parse(JSON.stringify(event, withoutTime)));
}

/** The words for the agent tell of the time that is left. */
const told = new Set(['seq', 'at', 'hash', 'tookMs', 'activeMs', 'runId', 'marker', 'prompt', 'feedback']);

const withoutTime = (key: string, value: unknown): unknown => (told.has(key) ? undefined : value);

/** Kills the run at every dealing with the world in turn; returns the steps at which it came out otherwise. */
export async function unlikeSteps(seed: number): Promise<{ tried: number; unlike: number[] }> {
  const plan = calmPlan(seed);
  const whole = await simulate(plan);
  const story = JSON.stringify(storyOf(whole));
  const unlike: number[] = [];
  let tried = 0;
  for (let step = 1; step <= whole.steps; step++) {
    const killed = await simulate(killedAt(plan, step));
    if (killed.cutAgents > 0) continue;
    tried += 1;
    if (killed.violations.length > 0 || JSON.stringify(storyOf(killed)) !== story) unlike.push(step);
  }
  return { tried, unlike };
}
