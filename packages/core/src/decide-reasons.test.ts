import { describe, expect, it } from 'vitest';
import type { EventBody } from './event.ts';
import { failed, green, type Played, play, specOf, type Turn, type World } from './testing/play.ts';
import type { Verdict } from './verdict.ts';

/** Every decision of a run as a person reads it: what is done, and why. */
const told = ({ decisions }: Played) =>
  decisions.map((one) => {
    const gates = 'gates' in one ? ` ${one.gates.join('+')}` : '';
    return `${one.kind}${gates}: ${one.because.reason}`;
  });
/** The same without what every run begins with. */
const after = (played: Played) => told(played).slice(2);

const tests = (n: number) => Array.from({ length: n }, (_, at) => `t${at}`);
const moving: World = { turn: (n) => ({ tree: `t${n}` }), judge: () => failed(['a', 'b']) };
const green1: World = { ...moving, judge: (_, __, n) => (n === 0 ? failed(['a']) : green) };
const fails: Turn = { end: { kind: 'failed', detail: 'it exited with 1' } };
const [built, confirmed] = [
  'the build is done',
  'confirm: the gates passed; the tree must still be the one they judged',
];
const used = (n: number) => `end-run: ${n} of ${n} iterations are used`;
const limits = (iterations: number, rest = {}) => ({ limits: { iterations }, ...rest });

describe('a run tells each of its steps:', () => {
  it('from the baseline to the goal', () => {
    const judge: World['judge'] = (_, __, n) => (n >= 3 ? green : failed(tests(3 - n)));
    expect(told(play(specOf(), { ...moving, judge }))).toEqual([
      'measure-baseline: the gates are judged before any token is spent',
      'start-iteration: the baseline is measured',
      `judge tests: ${built}`,
      'start-iteration: base 1 of 3, 1 fixed',
      `judge tests: ${built}`,
      'start-iteration: base 2 of 3, 1 fixed',
      `judge tests: ${built}`,
      confirmed,
      'end-run: every gate passed: tests',
    ]);
  });

  const unable: Verdict = {
    kind: 'unable',
    fault: { code: 'gate.missing', message: 'vitest was not found', retry: 'never' },
  };
  const pending: Verdict = { kind: 'pending', retryAfterMs: 2_000 };
  const waits =
    (gate: string): World['judge'] =>
    (name) =>
      name === gate ? pending : green;

  it.each<[string, Record<string, unknown>, World, string[]]>([
    [
      'an agent that fails again and again is paused, and what it leaves is judged',
      limits(3),
      { ...moving, turn: (n) => ({ tree: `t${n}`, ...(n > 1 ? fails : {}) }) },
      [
        `judge tests: ${built}`,
        'start-iteration: base 1 of 3',
        'wait: the agent failed; a pause before it is tried again',
        'start-iteration: base 2 of 3',
        'judge tests: the agent fails every time; what it leaves is judged',
        used(3),
      ],
    ],
    [
      'what a failed build left is looked at before the end',
      limits(1),
      { ...moving, turn: () => ({ tree: 'half', ...fails }) },
      ['judge tests: the run is about to end and this tree was never judged', used(1)],
    ],
    [
      'a move is made, tried and given up',
      { stuck: { moves: ['differently'] } },
      { ...moving, turn: () => ({}) },
      [
        `judge tests: ${built}`,
        'start-iteration: base 1 of 3',
        `judge tests: ${built}`,
        'make-move: the agent changed nothing in iterations 1 to 2',
        'start-iteration: try differently, because of no-progress.no-changes',
        `judge tests: ${built}`,
        'start-iteration: try differently: 1 of 2 without progress',
        `judge tests: ${built}`,
        'end-run: still no-progress.no-changes after "try differently": 2 iterations without progress; tried: try differently after iteration 2: no effect',
      ],
    ],
    [
      'a strategy outside of the core that is not there',
      { strategy: { kind: 'custom', module: 's.mjs', max: 2 } },
      moving,
      [
        `judge tests: ${built}`,
        'consult: the strategy in s.mjs is asked',
        'start-iteration: base 1 of 3 (hybrid decides for custom: there is no module)',
        `judge tests: ${built}`,
        used(2),
      ],
    ],
    [
      'a person is asked about what fails, and nobody answers',
      limits(2, {
        strategy: { kind: 'manual', timeout: '1m', default: 'continue' },
        gates: { tests: 'x', lint: 'y', ok: 'z' },
      }),
      { ...moving, judge: (gate) => (gate === 'ok' ? green : failed(['a'])) },
      [
        `judge tests+lint+ok: ${built}`,
        'notify tests+lint: a person decides after iteration 1: tests, lint still fail',
        'ask: a person decides after iteration 1: tests, lint still fail',
        'start-iteration: nobody answered in time; the default is to go on',
        `judge tests+lint+ok: ${built}`,
        used(2),
      ],
    ],
    [
      'a person is told of gates that escalate',
      limits(1, {
        gates: { tests: { run: 'x', onFailure: 'escalate' }, lint: { run: 'y', onFailure: 'escalate' } },
      }),
      moving,
      [`judge tests+lint: ${built}`, 'notify tests+lint: tests, lint failed, and a person is told', used(1)],
    ],
    [
      'what was spared is judged before the end',
      { gates: { tests: 'x', slow: { run: 'y', skipIf: 'iteration < 9' } } },
      green1,
      [
        `judge tests+slow: ${built}`,
        'judge slow: before the run may converge, what was spared is judged',
        confirmed,
        'end-run: every gate passed: tests, slow',
      ],
    ],
    [
      'a strict run proves its green twice',
      { integrity: 'strict' },
      { ...green1, tampers: () => ({}) },
      [
        `judge tests: ${built}`,
        'judge tests: the gates are judged a second time on the same tree',
        'control tests: without the change these gates must still be red',
        confirmed,
        'end-run: every gate passed: tests',
      ],
    ],
    [
      'gates without a verdict are asked once more',
      { gates: { tests: 'x', lint: 'y' } },
      { ...moving, judge: (_, __, n) => (n === 0 ? green : { kind: 'skipped', why: 'no reason' }) },
      [
        `judge tests+lint: ${built}`,
        'judge tests+lint: tests, lint was cut off',
        'end-run: gate tests, lint gave no verdict, though nobody stopped the run',
      ],
    ],
    [
      'a gate that is not ready is waited for',
      { gates: { tests: 'x', slow: 'y' }, limits: { maxWait: '2s' } },
      { ...moving, judge: waits('slow') },
      [
        `judge tests+slow: ${built}`,
        'wait: waiting for slow',
        `judge slow: ${built}`,
        'end-run: slow is still pending after the longest wait allowed',
      ],
    ],
    [
      'a person is asked before one is waited for',
      { gates: { tests: 'x', review: { kind: 'approval' } }, limits: { maxWait: '2s' } },
      { ...moving, judge: waits('review') },
      [
        `judge tests+review: ${built}`,
        'notify review: a person is asked about review',
        'wait: waiting for review',
        `judge review: ${built}`,
        'end-run: review is still pending after the longest wait allowed',
      ],
    ],
    [
      'a failing gate asks for a pause',
      limits(2, { gates: { tests: { run: 'x', backoff: {} } } }),
      moving,
      [
        `judge tests: ${built}`,
        'wait: a failing gate asks for a pause',
        'start-iteration: base 1 of 3',
        `judge tests: ${built}`,
        used(2),
      ],
    ],
    [
      'an agent that is away is waited for',
      { limits: { maxWait: '30s' } },
      { ...moving, turn: () => ({ end: { kind: 'unavailable', why: 'usage-limit', detail: '429' } }) },
      [
        'wait: the agent is not available (429); no iteration is used',
        'start-iteration: the agent was not available (429); it is tried again',
        'end-run: the agent is not available (429), and the longest wait is over',
      ],
    ],
  ])('%s', (_, spec, world, expected) => {
    expect(after(play(specOf(spec), world))).toEqual(expected);
  });

  it('gates that cannot run, before an agent is started', () => {
    const played = play(specOf({ gates: { ok: 'w', tests: 'x', lint: 'y' } }), {
      ...moving,
      judge: (gate) => (gate === 'ok' ? green : unable),
    });
    expect(told(played).slice(1)).toEqual(['end-run: gate tests could not run: vitest was not found']);
    expect(played.decisions.at(-1)?.because).toMatchObject({
      code: 'error.gate',
      evidence: { gates: 'tests, lint', fault: 'gate.missing' },
    });
  });

  it('a tree that never rests', () => {
    const played = play(specOf(), { ...green1, movedTo: (tree, attempt) => `${tree}+${attempt}` });
    expect(after(played)).toHaveLength(11);
    expect(played.decisions.at(-1)?.because).toMatchObject({
      reason:
        'the tree changed during each of 5 judgements: moved.txt; if the gates write these, leave them out with workspace.exclude',
      evidence: { moved: ['moved.txt'], attempts: 5 },
    });
  });
});

describe('a person', () => {
  it('who gives new words reads their first line, cut short', () => {
    let sent = false;
    const redirect = (text: string) => {
      sent = false;
      return play(specOf(limits(2)), {
        ...moving,
        happens: ({ iteration, current }): EventBody | undefined => {
          if (sent || iteration !== 1 || !current?.build) return undefined;
          sent = true;
          return { kind: 'redirect.requested', by: 'command', text };
        },
      });
    };
    expect(after(redirect('\n Leave the parser alone. \nIt is fine.'))[0]).toBe(
      'start-iteration: a person redirected the run: Leave the parser alone. ',
    );
    expect(after(redirect('x'.repeat(200)))[0]).toHaveLength(
      'start-iteration: a person redirected the run: '.length + 120,
    );
  });

  const first = play(specOf({ strategy: 'fixed' }), moving);
  it('who goes on reads that the run does, and how far it was granted', () => {
    const played = play(specOf({ strategy: 'fixed' }), moving, first.events, 'r2', { iterations: 2 });
    expect(told(played)).toEqual([
      'start-iteration: the run goes on',
      `judge tests: ${built}`,
      'start-iteration: granted up to iteration 5',
      `judge tests: ${built}`,
      used(5),
    ]);
  });
  it('who goes on without granting anything reads the limit at once', () => {
    const { decisions } = play(specOf({ strategy: 'fixed' }), moving, first.events, 'r2');
    expect(decisions).toMatchObject([
      { kind: 'end-run', status: 'diverged', because: { code: 'limit.iterations', action: 'timeout' } },
    ]);
  });
});
