import { describe, expect, it } from 'vitest';
import { fold } from '../evolve.ts';
import { green, play, specOf } from '../testing/play.ts';
import { summariseRun } from './run-summary.ts';

describe('a run that waits for a person for hours', () => {
  const note = 'Ship it? 0 of 1 approval; answer with: agentgate approve review, or reject';
  const { events } = play(
    specOf({ gates: { tests: 'x', review: { kind: 'approval' } }, limits: { maxWait: '5m' } }),
    {
      turn: (n) => ({ tree: `t${n}` }),
      judge: (gate) => (gate === 'tests' ? green : { kind: 'pending', retryAfterMs: 60_000, note }),
    },
  );
  const waits = events.flatMap((one, at) =>
    one.kind === 'decided' && one.decision.kind === 'wait' ? [at] : [],
  );
  const summaryAt = (at: number) => summariseRun(fold(events.slice(0, at + 1)), '');

  it('is asked since the first time, however often it asks again', () => {
    expect(waits.length).toBeGreaterThan(3);
    const first = Date.parse(events[waits[0]!]!.at);
    // Suspended at last, it still asks, and has done so all the time.
    for (const at of [...waits, events.length - 1]) {
      const { askedAt, waiting } = summaryAt(at);
      expect(waiting).toMatchObject([{ gate: 'review' }]);
      // Every step takes a second in this world; every wait a minute.
      expect(Math.abs(Date.parse(askedAt!) - first)).toBeLessThan(40_000);
    }
  });
  it('tells what is asked, and not with which command a terminal answers it', () => {
    expect(summaryAt(waits[0]!).waiting).toMatchObject([{ message: 'Ship it? 0 of 1 approval' }]);
  });
  it('is asked nothing before', () => {
    expect(summaryAt(3)).toMatchObject({ waiting: [], askedAt: null });
  });
});
