import { describe, expect, it } from 'vitest';
import { makeChance } from '../sim/chance.ts';
import type { Trace } from '../traces/trace.ts';
import { controlRisk } from './control-risk.ts';

const solved = { solved: true } as Trace;
const controlled = (needs: readonly number[], target: number, weights = needs.map(() => 1)) =>
  controlRisk(
    needs.map(() => solved),
    needs.map((need) => Float64Array.of(need)),
    target,
    Float64Array.from(weights),
  );
/** 100, 99 and so on down to 1, as often as asked. */
const down = (count: number) => Array.from({ length: count }, (_, at) => count - at);

describe('the dial that keeps a promised share of solves', () => {
  it('loses no more of the recorded ones than the promise leaves, one counted for what was not seen', () => {
    // Of 299 solves and one more, two per cent are six; one of them is set aside.
    expect(controlled(down(299), 0.98)).toEqual({ dial: 294, finer: 294 });
  });

  it('stands between two needs when what may be lost is no whole number', () => {
    // Three and a half may be lost: the fourth need is 296, the fifth 295.
    const { dial, finer } = controlled(down(299), 0.985);
    expect(dial).toBe(296);
    expect(finer).toBeCloseTo(Math.sqrt(296 * 295), 6);
  });

  it('loses none while there are too few for a promise', () => {
    expect(controlled(down(50), 0.99)).toEqual({ dial: 50, finer: 50 });
    expect(controlled([], 0.99)).toEqual({ dial: 0, finer: 0 });
  });

  it('lets one that stands for many be lost only whole', () => {
    expect(controlled([9, 8, 7], 0.5, [1, 20, 1]).dial).toBe(8);
    expect(controlled([9, 8, 7], 0.5, [1, 20, 1]).finer).toBeGreaterThan(7);
  });

  it('never stands below the needs of those that passed at once', () => {
    expect(controlled([4, ...Array.from({ length: 199 }, () => 0)], 0.99)).toEqual({ dial: 0, finer: 0 });
    expect(controlled([4, ...Array.from({ length: 149 }, () => 0)], 0.99)).toEqual({ dial: 4, finer: 4 });
  });

  it('keeps the promise on runs to come, neither more nor less, where the needs have no steps', () => {
    const chance = makeChance(4);
    const draws = 3000;
    let lost = { dial: 0, finer: 0 };
    for (let draw = 0; draw < draws; draw++) {
      // Needs from 1 to e, each ratio as likely as the other: what lies above a dial is one less its logarithm.
      const found = controlled(
        Array.from({ length: 150 }, () => Math.exp(chance.next())),
        0.99,
      );
      lost = {
        dial: lost.dial + 1 - Math.log(found.dial),
        finer: lost.finer + 1 - Math.log(found.finer),
      };
    }
    expect(lost.finer / draws).toBeGreaterThan(0.0095);
    expect(lost.finer / draws).toBeLessThan(0.0105);
    expect(lost.dial / draws).toBeLessThan(0.007);
  });

  it('promises less of what only a few that ignored their stop have shown (docs/lab.md)', () => {
    const chance = makeChance(9);
    const draws = 400;
    let lost = 0;
    for (let draw = 0; draw < draws; draw++) {
      const needs: number[] = [];
      const weights: number[] = [];
      // Of a thousand solves fifty lie behind the stop, and one run in twenty ignores it.
      for (let at = 0; at < 1000; at++) {
        const isBehind = at < 50;
        if (isBehind && !chance.happens(0.05)) continue;
        needs.push(isBehind ? 2 + 8 * chance.next() : 1 + 5 * chance.next());
        weights.push(isBehind ? 20 : 1);
      }
      const { finer } = controlled(needs, 0.99, weights);
      lost += 0.05 * Math.min(1, Math.max(0, (10 - finer) / 8)) + 0.95 * Math.max(0, (6 - finer) / 5);
    }
    expect(lost / draws).toBeGreaterThan(0.015);
    expect(lost / draws).toBeLessThan(0.025);
  });
});
