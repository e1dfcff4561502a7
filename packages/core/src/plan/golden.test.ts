import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { decidePlan } from './decide-plan.ts';
import { evolvePlan } from './evolve-plan.ts';
import { type PlanEvent, PlanEventBody } from './plan-event.ts';
import type { PlanState } from './plan-state.ts';

const folder = fileURLToPath(new URL('../golden/plans/', import.meta.url));

/** Logs that were written once and are never made anew: every later version reads them and decides the same. */
describe.each(readdirSync(folder))('the recorded plan %s', (name) => {
  const events = readFileSync(`${folder}${name}`, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as PlanEvent);
  it('has the recorded shape', () => {
    for (const event of events) expect(PlanEventBody.safeParse(event).error).toBeUndefined();
  });
  it('is decided the same again', () => {
    let state: PlanState | undefined;
    for (const event of events) {
      if (state && event.kind === 'plan.decided') {
        const { decision } = event;
        const runId = 'runId' in decision ? decision.runId : 'unused';
        expect(decidePlan(state, runId), `event ${event.seq}`).toEqual(decision);
      }
      state = evolvePlan(state, event);
    }
    expect(state?.session?.ended).toMatchObject({ status: 'complete-with-caveats' });
  });
});
