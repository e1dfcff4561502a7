import { describe, expect, it } from 'vitest';
import type { Event } from '../event.ts';
import { fault } from '../fault.ts';
import { failed, green, play, specOf, type World } from '../testing/play.ts';
import { reportJunit } from './junit.ts';
import { reportMarkdown } from './markdown.ts';

const mends: World = {
  turn: (iteration) => ({ tree: `tree${iteration}`, tokens: 1000, costUsd: 0.25, claim: iteration === 1 }),
  judge: (gate, _, iteration) => {
    if (gate === 'style') return failed(['lint:semi:src/a.js:0a1b2c3d'], { passed: 0 });
    if (iteration > 1) return green;
    return iteration === 0 ? failed(['a', 'b'], { passed: 1 }) : failed(['b', 'c'], { passed: 2 });
  },
};
const stuck: World = {
  turn: (iteration) => ({ tree: `tree${iteration % 2}` }),
  judge: (_, __, iteration) => failed(iteration === 0 ? ['a', 'b'] : ['a', 'c']),
};

const gates = { tests: 'npm test', style: { run: 'npm run lint', severity: 'soft' } };
const fields = { gates, task: 'mend the sum\nwith care', limits: { cost: '5usd', tokens: '20k' } };

function granted(): Event[] {
  const changed = [
    { path: 'test/a.js', status: 'modified' as const, what: 'test' as const, oid: 'o', diff: '-1\n+2' },
  ];
  const world: World = {
    turn: (iteration) => ({ tree: `tree${iteration}` }),
    judge: () => failed(['a']),
    tampers: (_, iteration) => (iteration === 0 ? undefined : { changed }),
    unsealed: () => 'passed',
  };
  const first = play(specOf({ gates: { tests: 'x' }, integrity: 'guarded' }), world);
  let said = 0;
  const happens: World['happens'] = () => {
    said += 1;
    return said === 1
      ? { kind: 'grant.given', files: [{ path: 'test/a.js', oid: 'o' }], by: 'ann', note: 'it was wrong' }
      : undefined;
  };
  const judge: World['judge'] = () => green;
  return play(first.state.spec!, { ...world, judge, happens }, first.events, 'r2', { iterations: 2 }).events;
}

function withPeople(): Event[] {
  const spec = specOf({
    gates: { tests: 'x', look: { kind: 'approval', message: 'is it good?' } },
    strategy: 'manual',
  });
  let told = 0;
  const world: World = {
    turn: (iteration) => ({ tree: `tree${iteration}` }),
    judge: (gate, _, iteration) =>
      gate === 'look' ? { kind: 'pending', retryAfterMs: 60_000 } : iteration > 2 ? green : failed(['a']),
    answers: (iteration) =>
      iteration === 1 ? { answer: 'redirect', text: 'use the other table' } : { answer: 'continue' },
    happens: (state) => {
      if (state.iteration !== 3 || told > 1) return undefined;
      told += 1;
      return told === 1
        ? { kind: 'approval.given', gate: 'look', tree: 'tree3', by: 'bob', approved: true }
        : { kind: 'stop.requested', by: 'command', note: 'enough for today' };
    },
  };
  return play(spec, world).events;
}

function unable(): Event[] {
  const verdict = {
    kind: 'unable' as const,
    fault: fault('gate.missing', 'jest is not there; install it'),
    excerpt: 'sh: jest: not found',
  };
  return play(specOf({ gates: { tests: 'jest' } }), { turn: () => ({}), judge: () => verdict }).events;
}

const runs: Record<string, () => Event[]> = {
  'mended with a soft gate left': () => play(specOf(fields), mends).events,
  'stuck to the end of the ladder': () =>
    play(specOf({ gates: { tests: 'x' }, strategy: 'hybrid', limits: { iterations: 30 } }), stuck).events,
  'granted and judged again': granted,
  'decided by people': withPeople,
  'not able to judge': unable,
  'cut short': () => play(specOf(fields), mends).events.slice(0, -6),
};

describe('the whole report', () => {
  for (const [name, events] of Object.entries(runs)) {
    const file = name.replaceAll(' ', '-');
    it(`as a page: ${name}`, async () => {
      await expect(reportMarkdown(events())).toMatchFileSnapshot(`../golden/reports/${file}.md`);
    });
    it(`as JUnit: ${name}`, async () => {
      await expect(reportJunit(events())).toMatchFileSnapshot(`../golden/reports/${file}.xml`);
    });
  }
});
