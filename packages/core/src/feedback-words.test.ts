import { describe, expect, it } from 'vitest';
import { fold } from './evolve.ts';
import { composeFeedback } from './feedback.ts';
import { failed, green, type Played, play, specOf, type Turn, type World } from './testing/play.ts';
import type { ProtectedChange, Ratchet } from './tampering.ts';
import type { Verdict } from './verdict.ts';

const tests = (n: number) => Array.from({ length: n }, (_, at) => `test ${at}`);
const moving = (n: number): Turn => ({ tree: `t${n}` });
const story = (verdict: (n: number) => Verdict, turn: (n: number) => Turn = moving): World => ({
  turn,
  judge: (_, __, n) => verdict(n),
});

/** What the agent is told when the iteration begins that a decision with this code starts. */
function toldAt({ events }: Played, starts: (code: string, iteration: number) => boolean): string {
  const at = events.findIndex(
    (one) =>
      one.kind === 'decided' &&
      one.decision.kind === 'start-iteration' &&
      starts(one.decision.because.code, one.decision.iteration),
  );
  return composeFeedback(fold(events.slice(0, at + 1)));
}
const toldBefore = (played: Played, iteration: number) => toldAt(played, (_, n) => n === iteration);
const toldAfterMove = (world: World, move: string, fields: Record<string, unknown> = {}) =>
  toldAt(play(specOf({ stuck: { moves: [move] }, ...fields }), world), (code) => code === `move.${move}`);

const idle = story(
  () => failed(tests(3)),
  () => ({}),
);
const worse = story((n) => failed(tests(2 + n)));

describe('a stuck run says what it sees', () => {
  const ralph = { strategy: { kind: 'ralph', max: 20 } };
  it.each<[string, World, Record<string, unknown>?]>([
    ['nothing changes any more', idle],
    [
      'it comes back to the same files',
      story(
        () => failed(tests(3)),
        () => ({ tree: 'same' }),
      ),
    ],
    [
      'the same failures come again and again',
      story(
        () => failed(tests(3)),
        (n) => ({ tree: `t${n}`, substance: 'one' }),
      ),
    ],
    [
      'it goes round in a circle',
      story(
        () => failed(tests(3)),
        (n) => ({ tree: `w${n % 2}` }),
      ),
      ralph,
    ],
    [
      'it says the same each time',
      story(
        (n) => failed(tests(3), { text: `w${n}` }),
        (n) => ({ tree: `t${n}`, similar: [0.97, 0.96] }),
      ),
    ],
    ['it gets worse with each iteration', worse],
    [
      'the last iterations brought no progress',
      story(
        (n) => failed(tests(n === 1 ? 2 : 4)),
        (n) => ({ tree: n === 1 ? 'best' : 'worse' }),
      ),
    ],
  ])('%s', (words, world, fields = {}) => {
    expect(toldAfterMove(world, 'differently', fields)).toContain(
      `The run is stuck: ${words}. The approach of the earlier iterations below does not work. Do not repeat it: question its assumption, find the cause first, and take another way.`,
    );
  });
});

describe('each move says what it asks of the agent:', () => {
  it('a fresh start leaves earlier attempts out', () => {
    const told = toldAfterMove(idle, 'fresh');
    expect(told).toContain(
      'Begin anew: earlier attempts did not get further and are left out here. Read the code and the failures below as if for the first time.',
    );
    expect(told).not.toContain('The run is stuck');
  });
  it('a way back says where to, and shows what fails there', () => {
    const told = toldAfterMove(worse, 'revert');
    expect(told).toContain(
      'The run is stuck: it gets worse with each iteration. The workspace was brought back to its best tree, the one from before you began; what came after it until iteration 3 was taken back. Below is what fails on that tree.',
    );
    expect(told).toContain('test 1');
    expect(told).not.toContain('- test 4');
    const later = story(
      (n) => failed(tests(n === 1 ? 1 : 2 + n)),
      (n) => ({ tree: `t${n}` }),
    );
    expect(toldAfterMove(later, 'revert')).toContain('its best tree, that of iteration 1;');
  });
  it('another agent is told that one was there before', () => {
    const failing = story(
      () => failed(tests(3)),
      () => ({ end: { kind: 'failed', detail: 'x' } }),
    );
    const agent = { run: ['a'], escalate: [['b']] };
    expect(toldAfterMove(failing, 'escalate', { agent })).toContain(
      'The run is stuck: the agent fails each time. Another agent worked on this before you; what it tried is listed below.',
    );
  });
  it('a person who was asked wants it to go on', () => {
    expect(toldAfterMove({ ...idle, answers: () => ({ answer: 'continue' }) }, 'ask')).toContain(
      'The run is stuck: nothing changes any more. A person was asked and wants you to go on.',
    );
  });
});

describe('what the agent said and did', () => {
  it('a claim is set against the gates that fail', () => {
    const gates = { tests: 'x', lint: { run: 'y', severity: 'soft' }, ok: 'z' };
    const told = (judge: World['judge']) =>
      toldBefore(play(specOf({ gates }), { turn: (n) => ({ ...moving(n), claim: true }), judge }), 2);
    expect(told((gate) => (gate === 'ok' ? green : failed(['a'])))).toContain(
      'You said the work was done (DONE). The gates do not confirm it: tests, lint.',
    );
    expect(told((gate) => (gate === 'lint' ? failed(['a']) : green))).toContain(
      'You said the work was done (DONE). Only soft gates still fail: lint.',
    );
  });
  it.each([
    ['better', (n: number) => 9 - n, ' The trend is improving.'],
    ['worse', (n: number) => 2 + n, ' The trend is regressing.'],
    ['the same', () => 3, ''],
  ])('the trend is told when it is %s', (_, left, words) => {
    const world = story((n) => failed(tests(left(n)), { passed: 20 - left(n) }));
    expect(toldBefore(play(specOf(), world), 3).split('\n')[0]).toBe(
      `Iteration 2: 1 of 1 gates fail.${words}`,
    );
  });
  it('builds without a judgement are followed by what was seen before', () => {
    const world = (turn: Turn) =>
      story(
        () => failed(['a']),
        (n) => (n === 2 ? turn : moving(n)),
      );
    const told = (turn: Turn, n = 3) => toldBefore(play(specOf(), world(turn)), n).split('\n')[0];
    expect(told({ end: { kind: 'failed', detail: 'it exited with 2' } })).toBe(
      'Iteration 2: your run failed (it exited with 2), so the gates were not judged. What they saw after iteration 1:',
    );
    expect(told({ tree: 'cut', end: { kind: 'interrupted' } })).toBe(
      'Iteration 2: 1 of 1 gates fail. It was interrupted; what it left was judged.',
    );
  });
  it('a gate that is held out is not told of', () => {
    const gates = { tests: 'x', hidden: { run: 'y', heldOut: true } };
    const world: World = {
      turn: moving,
      judge: (gate, _, n) =>
        failed(gate === 'hidden' ? [`secret ${n}`, 'secret'] : [`open ${n}`, 'open'], { passed: n }),
    };
    const told = toldBefore(play(specOf({ gates }), world), 3);
    expect(told).toContain('Fixed just now: tests: open 1');
    expect(told).toContain('Newly failing: tests: open 2');
    expect(told).not.toContain('secret');
  });
});

describe('files that the gates judge by', () => {
  const change = (path: string, status: ProtectedChange['status']): ProtectedChange => ({
    path,
    status,
    what: 'test',
    oid: 'o',
    diff: '',
  });
  const told = (changed: ProtectedChange[], sealed: boolean, ratchets: Ratchet[] = []) =>
    toldBefore(
      play(specOf({ integrity: 'strict' }), {
        turn: moving,
        judge: () => failed(['a', 'b']),
        tampers: (_, n) => (n === 0 ? undefined : { changed, sealed, ratchets }),
      }),
      2,
    );
  const closing =
    'If such a change belongs to the task, say why in your last words; a person can grant it. If not, bring them back.';

  it('are named with what became of them, without blame', () => {
    const all = told(
      [
        change('a.test.js', 'modified'),
        change('b.test.js', 'added'),
        change('c.test.js', 'deleted'),
        change('d.sh', 'mode'),
        change('e.test.js', 'renamed'),
      ],
      true,
    );
    expect(all).toContain(
      [
        'The gates judge by these files, so they were judged in the form they had before you began:',
        '- a.test.js was changed',
        '- b.test.js was added',
        '- c.test.js was deleted',
        '- d.sh was given another mode',
        '- e.test.js was renamed',
        closing,
      ].join('\n'),
    );
  });
  it('need a grant where they could not be sealed', () => {
    expect(told([change('a.test.js', 'modified')], false)).toContain(
      'The gates judge by these files, so a change of them needs the grant of a person:\n- a.test.js was changed\n',
    );
  });
  it('are ten at most', () => {
    const names = Array.from({ length: 12 }, (_, at) => change(`${at}.test.js`, 'modified'));
    expect(told(names, true).match(/was changed/g)).toHaveLength(10);
  });
  it('are not spoken of where none was changed, and what else blocks is named', () => {
    const skip: Ratchet = {
      id: 'skip:src/a.ts',
      title: 'one skipped test more in src/a.ts',
      file: 'src/a.ts',
      kind: 'skip',
      before: 0,
      after: 1,
      message: '',
    };
    expect(told([], true)).not.toContain('The gates judge by these files');
    expect(told([], true)).not.toContain('taken for done');
    expect(told([], true, [skip])).toContain(
      'These keep the work from being taken for done:\n- one skipped test more in src/a.ts [src/a.ts]',
    );
  });
});
