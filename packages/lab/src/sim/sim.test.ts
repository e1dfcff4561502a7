import { describe, expect, it } from 'vitest';
import { calmPlan, killedAt, storyOf, unlikeSteps } from './interrupted.ts';
import { drawPlan } from './plan.ts';
import { shrink } from './shrink.ts';
import { simulate } from './simulate.ts';

describe('the simulated world', () => {
  it('breaks no invariant, whatever goes wrong', async () => {
    for (let seed = 1; seed <= 250; seed++) {
      const { violations } = await simulate(drawPlan(seed));
      expect(violations, `npm run sim -- --seed ${seed} --shrink`).toEqual([]);
    }
  });

  it('tells the same story for the same seed', async () => {
    for (const seed of [3, 17, 40]) {
      const [first, second] = [await simulate(drawPlan(seed)), await simulate(drawPlan(seed))];
      expect(second).toEqual(first);
    }
  });

  it('goes on after a kill as if there had been none', async () => {
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const { tried, unlike } = await unlikeSteps(seed);
      expect([seed, unlike]).toEqual([seed, []]);
      expect(tried).toBeGreaterThan(30);
    }
  });

  it('takes what a gate wrote before a crash for no file of the user', async () => {
    const plan = calmPlan(6);
    const gates = Object.fromEntries(
      Object.entries(plan.gates).map(([name, manners]) => [name, { ...manners, writes: true }]),
    );
    const kinds = async (one: typeof plan) =>
      Object.values((await simulate({ ...one, gates })).logs).flatMap((log) =>
        log.split('\n').filter((line) => line.includes('"kind":"gate.judged"')),
      ).length;
    const { steps } = await simulate({ ...plan, gates });
    const whole = await kinds(plan);
    for (let step = 20; step < Math.min(steps, 60); step++)
      expect([step, (await kinds(killedAt(plan, step))) <= whole]).toEqual([step, true]);
  });

  it('knows an interruption from none', async () => {
    const plan = calmPlan(1);
    const { steps } = await simulate(plan);
    const kinds = await Promise.all(
      Array.from({ length: steps }, (_, at) => simulate(killedAt(plan, at + 1))),
    ).then((reports) => reports.flatMap(({ logs }) => Object.values(logs).join('')));
    expect(kinds.some((log) => log.includes('"run.resumed"'))).toBe(true);
    expect(storyOf(await simulate(plan)).length).toBeGreaterThan(10);
  });

  it('counts what nobody expected to be thrown among the violations, so that its seed is told', async () => {
    const fault = {
      kind: 'edit' as const,
      atMs: 1_000,
      text: 'good',
      get file(): string {
        throw new Error('nobody expected this');
      },
    };
    const { violations, outcome } = await simulate({ ...calmPlan(1), faults: [fault] });
    expect([outcome, violations.map(({ id }) => id)]).toEqual(['bug', ['bug']]);
    expect(violations[0]?.text).toContain('nobody expected this');
  });

  it('leaves out of a plan what does not matter', async () => {
    const plan = drawPlan(12);
    const wanted = plan.faults.at(-1)!;
    const small = await shrink(plan, async ({ faults }) => faults.includes(wanted));
    expect(small).toMatchObject({ faults: [wanted], grants: 0 });
    expect(small.turns).toHaveLength(1);
  });
});
