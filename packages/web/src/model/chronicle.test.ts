import { readdirSync, readFileSync } from 'node:fs';
import { type Event, reportJson } from '@agentgate/core';
import { failed, green, play, specOf, type World } from '@agentgate/core/testing';
import { describe, expect, it } from 'vitest';
import { amountsOf } from './budget.ts';
import { Chronicle } from './chronicle.ts';
import { doingOf, sayDoing } from './doing.ts';
import { byUrgency, standingAt } from './findings.ts';
import { besideEachOther, type Flag } from './flags.ts';

/** The chronicle of a run whose gate answers so, one iteration after the other, the last answer for good. */
function follow(answers: ReturnType<typeof failed>[], fields: Record<string, unknown> = {}) {
  const judge: World['judge'] = (_, __, iteration) => answers[iteration] ?? answers.at(-1)!;
  const spec = specOf({ strategy: 'fixed', limits: { iterations: 9, cost: '5usd' }, ...fields });
  const turn = (at: number) => ({ tree: `t${at}`, costUsd: 0.5, tokens: 1_000 });
  const { events } = play(spec, { turn, judge });
  return { events, chronicle: take(events) };
}

function take(events: readonly Event[]): Chronicle {
  const chronicle = new Chronicle();
  for (const event of events) chronicle.take(event);
  return chronicle;
}

const load = failed(['cannot load'], { load: true });

describe('a run followed event by event', () => {
  const { chronicle, events } = follow([failed(['a', 'b']), failed(['b', 'c']), failed(['b']), green]);

  it('has a chapter for the baseline and each iteration, with what failed', () => {
    expect(chronicle.chapters.map((one) => [one.iteration, one.failures, one.closed])).toEqual([
      [0, 2, true],
      [1, 2, true],
      [2, 1, true],
      [3, 0, true],
    ]);
  });

  it('knows of every finding how it stood in every iteration', () => {
    const at = (id: string) => {
      const track = [...chronicle.findings.tracks.values()].find((one) => one.title === id)!;
      return [0, 1, 2, 3].map((iteration) => standingAt(track, iteration));
    };
    expect(at('a')).toEqual(['pre-existing', 'fixed', null, null]);
    expect(at('b')).toEqual(['pre-existing', 'pre-existing', 'pre-existing', 'fixed']);
    expect(at('c')).toEqual([null, 'new', 'fixed', null]);
  });

  it('counts the classes of each iteration', () => {
    expect(chronicle.chapter(1)!.counts).toMatchObject({ fixed: 1, new: 1, 'pre-existing': 1 });
  });

  it('tells why each iteration went on, as explain does', () => {
    expect(chronicle.chapter(1)!.told[0]).toContain('Iteration 1 went on');
    expect(chronicle.chapter(3)!.told[0]).toContain('converged');
  });

  it('keeps every decision with its reason', () => {
    expect(chronicle.decided.length).toBe(events.filter(({ kind }) => kind === 'decided').length);
    expect(chronicle.decided.at(-1)!.because.code).toBe('goal.met');
  });

  it('shows the gates over the iterations', () => {
    expect(chronicle.gates.get('tests')).toEqual([
      { from: 0, to: 2, value: 'failed' },
      { from: 3, to: 3, value: 'passed' },
    ]);
  });

  it('counts what was used after each iteration', () => {
    const cost = amountsOf(chronicle).find(({ name }) => name === 'cost')!;
    expect(cost).toMatchObject({ used: 1.5, limit: 5 });
    expect(cost.curve).toEqual([
      { iteration: 1, used: 0.5 },
      { iteration: 2, used: 1 },
      { iteration: 3, used: 1.5 },
    ]);
  });
});

describe('findings', () => {
  it('that something hid are neither fixed nor there, and are unmasked afterwards', () => {
    const { chronicle } = follow([failed(['a']), load, failed(['a', 'b'])], { limits: { iterations: 2 } });
    const rows = [...chronicle.findings.tracks.values()].map((one) => [
      one.title,
      one.spans.map(({ value }) => value).join(' '),
    ]);
    expect(Object.fromEntries(rows)).toMatchObject({
      a: 'pre-existing hidden pre-existing',
      b: 'unmasked',
      'cannot load': 'new fixed',
    });
  });

  it('that are open come first', () => {
    const { chronicle } = follow([failed(['x']), failed(['a']), failed(['b', 'a'])], {
      limits: { iterations: 2 },
    });
    const rows = [...chronicle.findings.tracks.values()].sort(byUrgency(chronicle.newest));
    expect(rows.map(({ title }) => title)).toEqual(['a', 'b', 'x']);
  });
});

describe('what a run does now', () => {
  const { events } = follow([failed(['a']), green]);
  const upTo = (kind: Event['kind']) => {
    const at = events.findIndex((one) => one.kind === kind && (!('iteration' in one) || one.iteration === 1));
    return doingOf(take(events.slice(0, at + 1)))?.what ?? null;
  };
  it.each<[Event['kind'], string | null]>([
    ['run.started', 'about to begin'],
    ['agent.started', 'iteration 1: the agent works'],
    ['agent.ended', 'iteration 1: taking the snapshot'],
    ['run.ended', null],
  ])('after %s', (kind, what) => {
    expect(upTo(kind)).toBe(what);
  });
});

describe('a run that waits for a person', () => {
  it('does so since the first time it asked, however often it asks again', () => {
    const { events } = play(
      specOf({ gates: { tests: 'x', review: { kind: 'approval' } }, limits: { maxWait: '5m' } }),
      {
        turn: (at) => ({ tree: `t${at}` }),
        judge: (gate) => (gate === 'tests' ? green : { kind: 'pending', retryAfterMs: 60_000 }),
      },
    );
    const waits = events.filter((one) => one.kind === 'decided' && one.decision.kind === 'wait');
    expect(waits.length).toBeGreaterThan(3);
    for (const { seq } of waits) {
      const doing = doingOf(take(events.slice(0, seq)))!;
      expect(doing.isWork).toBe(false);
      // Every step takes a second in this world; every wait a minute.
      expect(Math.abs(Date.parse(doing.since) - Date.parse(waits[0]!.at))).toBeLessThan(40_000);
    }
  });
});

describe('a run under way', () => {
  const { events } = follow([failed(['a']), green]);
  const at = events.findIndex(({ kind }) => kind === 'agent.started');
  const chronicle = take(events.slice(0, at + 1));
  it('has used the time of the step that is not over, too', () => {
    const timeOf = (workedMs: number) => amountsOf(chronicle, workedMs).find(({ name }) => name === 'time')!;
    const { used, curve } = timeOf(0);
    expect(timeOf(60_000).used).toBe(used + 60_000);
    expect(timeOf(60_000).curve).toEqual([...curve, { iteration: 1, used: used + 60_000 }]);
  });
  it('is not said to work once it was cut short', () => {
    const doing = doingOf(chronicle)!;
    expect(sayDoing(doing, 'running')).toBe('Iteration 1: the agent works');
    expect(sayDoing(doing, 'cut-short')).toMatch(/^Cut short, and nobody drives it now.*iteration 1/);
    expect(sayDoing(doing, 'damaged')).toMatch(/^Its log is damaged; .* iteration 1/);
  });
});

describe('marks of one iteration', () => {
  const flag = (kind: Flag['kind'], iteration = 4): Flag => ({ kind, iteration, text: '' });
  it('stand beside each other, and nowhere over each other', () => {
    const placed = besideEachOther([flag('claim'), flag('move'), flag('person', 5), flag('fault')], 72);
    const shifts = placed.filter(({ flag: { iteration } }) => iteration === 4).map(({ shift }) => shift);
    expect(shifts).toEqual([-12, 0, 12]);
    expect(placed.find(({ flag: { iteration } }) => iteration === 5)?.shift).toBe(0);
  });
  it('are the weightiest where a column has no room for all', () => {
    const placed = besideEachOther([flag('claim'), flag('fault'), flag('move')], 3);
    expect(placed.map(({ flag: { kind }, shift }) => [kind, shift])).toEqual([['fault', 0]]);
  });
});

describe('recorded runs, linked ones among them', () => {
  const folder = new URL('../../../core/src/golden/histories/', import.meta.url);
  it.each(readdirSync(folder))('%s reads as its report does', (name) => {
    const events = readEvents(new URL(name, folder));
    const chronicle = take(events);
    const report = reportJson(events);
    const closed = chronicle.chapters.filter((one) => one.closed);
    expect(closed.map(({ iteration, failures }) => [iteration, failures])).toEqual(
      report.iterations.map(({ iteration, failures }) => [iteration, failures]),
    );
    expect(chronicle.state.ended?.code).toBe(report.outcome?.code);
  });
});

/** The events of all runs of a file; those of a parent end where the next run goes on from it. */
function readEvents(file: URL): Event[] {
  const events: Event[] = [];
  let before = 0;
  for (const line of readFileSync(file, 'utf8').trimEnd().split('\n')) {
    const event = JSON.parse(line) as Event;
    if (event.kind === 'run.started' && event.parent) events.length = before + event.parent.seq;
    if (event.kind === 'run.started') before = events.length;
    events.push(event);
  }
  return events;
}

describe('the iteration under way', () => {
  const { events } = follow([failed(['a', 'b']), failed(['b'])]);
  const judged = events.findIndex((one) => one.kind === 'gate.judged' && one.iteration === 1);
  it('shows what its gates said before it is over, and is counted once', () => {
    const chronicle = take(events.slice(0, judged + 1));
    chronicle.settle();
    chronicle.settle();
    expect(chronicle.chapter(1)).toMatchObject({ closed: false, wasJudged: true, failures: 1 });
    expect(chronicle.gates.get('tests')).toEqual([{ from: 0, to: 1, value: 'failed' }]);
    for (const event of events.slice(judged + 1)) chronicle.take(event);
    const whole = take(events);
    expect([...chronicle.findings.tracks.values()]).toEqual([...whole.findings.tracks.values()]);
    expect(chronicle.chapters).toEqual(whole.chapters);
  });
  it('is told as under way until all of them have answered', () => {
    const chronicle = take(events.slice(0, judged));
    chronicle.settle();
    expect(chronicle.chapter(1)).toMatchObject({ closed: false, wasJudged: false });
  });
});
