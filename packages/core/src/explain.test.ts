import { describe, expect, it } from 'vitest';
import { explainRun } from './explain.ts';
import { failed, green, play, specOf, type Played, type World } from './testing/play.ts';

const told = ({ events }: Pick<Played, 'events'>) => explainRun(events);
const text = (played: Pick<Played, 'events'>) =>
  told(played)
    .map((one) => `${one.iteration} ${one.code}: ${one.sentences.join(' ')}`)
    .join('\n');
const steps = (left: (n: number) => number): World => ({
  turn: (n) => ({ tree: `t${n}`, costUsd: 0.25 }),
  judge: (_, __, n) =>
    left(n) <= 0
      ? green
      : failed(
          Array.from({ length: left(n) }, (_, at) => `test ${at}`),
          { passed: 10 - left(n) },
        ),
});

describe('a run told from its log', () => {
  it('says what was red before, what was fixed, what came of it, and why it ended', () => {
    const story = told(
      play(
        specOf(),
        steps((n) => 4 - 2 * n),
      ),
    );
    expect(story.map((one) => one.iteration)).toEqual([0, 1, 2]);
    expect(story[0]?.sentences).toEqual([
      'Before the agent began, tests was red with 4 findings; no tokens were spent to learn that.',
    ]);
    const [first, ...rest] = story[1]!.sentences;
    expect(first).toBe(
      'Iteration 1 went on, because hybrid had base iterations left: base 1 of 3, 2 fixed (continue.base).',
    );
    expect(rest.join(' ')).toContain('It changed 1 file (a.js) for $0.25.');
    expect(rest.join(' ')).toContain(
      'Gate tests failed with 2 findings, 2 findings were fixed; the score is 0.80, 0.20 above the best before.',
    );
    expect(story[2]?.sentences[0]).toBe(
      'Iteration 2 was the last: the run converged, because every gate passed: tests (goal.met).',
    );
    expect(story[2]?.sentences.join(' ')).toContain('The gate passed on tree t2.');
  });

  it('estimates from the recent pace, once there is one', () => {
    expect(
      text(
        play(
          specOf(),
          steps((n) => 9 - 2 * n),
        ),
      ),
    ).toContain('At this pace about ');
  });

  it('says when everything was green before, and how many gates passed', () => {
    const story = text(
      play(
        specOf({ gates: { a: 'x', b: 'y' } }),
        steps(() => 0),
      ),
    );
    expect(story).toContain('Before the agent began, every gate was green already.');
    expect(story).toContain('All 2 gates passed on tree t1.');
  });

  it('names several red gates, what is new, and what became visible', () => {
    const world: World = {
      turn: (n) => ({ tree: `t${n}` }),
      judge: (gate, _, n) => {
        if (gate === 'types') return n < 2 ? failed(['load'], { load: true }) : failed(['real 1', 'real 2']);
        return n === 1 ? failed(['a', 'b', 'c', 'd', 'e']) : failed(['a']);
      },
    };
    const story = text(play(specOf({ gates: { tests: 'x', types: 'y' }, limits: { iterations: 2 } }), world));
    expect(story).toContain('tests and types were red with 2 findings');
    expect(story).toContain('4 are new (tests: b; tests: c; tests: d; …)');
    expect(story).toContain('what could not load before showed its real failures');
    expect(story).toContain('Evidence: ');
    expect(story).toContain('bound limits.iterations');
  });

  it('tells the moves of the ladder, and what would end it', () => {
    const story = text(play(specOf(), { turn: () => ({}), judge: () => failed(['a', 'b']) }));
    expect(story).toContain('The run was stuck, because');
    expect(story).toContain('Before giving up it changed something: try differently.');
    expect(story).toContain(
      'It would make the next move, or end, if the iterations after this move brought nothing.',
    );
    expect(story).toMatch(/6 no-progress\.no-changes: Iteration 6 was the last: the run ended diverged/);
  });

  it('names the tree or the agent that a move goes to', () => {
    const worse = play(specOf({ stuck: { moves: ['revert'] } }), {
      turn: (n) => ({ tree: `w${n}` }),
      judge: (_, tree) =>
        failed(Array.from({ length: tree === 'base' ? 1 : 1 + Number(tree.slice(1)) }, (_, at) => `t${at}`)),
    });
    expect(text(worse)).toContain('back to the best tree, the one from before the agent began.');
    const agents = specOf({ agent: { run: ['a'], escalate: ['b'] }, stuck: { moves: ['escalate'] } });
    expect(text(play(agents, { turn: () => ({}), judge: () => failed(['a', 'b']) }))).toContain(
      'another agent, number 2 of the ladder.',
    );
  });

  it('tells failed and interrupted builds, claims and their worth', () => {
    const build = play(specOf({ limits: { iterations: 1 } }), {
      turn: () => ({ end: { kind: 'failed', detail: 'it exited with 3' } }),
      judge: () => failed(['a']),
    });
    expect(text(build)).toContain('The agent failed: it exited with 3');
    const cut = play(specOf({ limits: { iterations: 1 } }), {
      turn: () => ({ end: { kind: 'interrupted' }, tree: 't' }),
      judge: () => failed(['a']),
    });
    expect(text(cut)).toContain('what it left was judged');
    const claims = (world: Partial<World>, fields: Record<string, unknown> = {}) =>
      text(
        play(specOf({ limits: { iterations: 1 }, ...fields }), {
          turn: () => ({ tree: 't', claim: true }),
          judge: () => failed(['a']),
          ...world,
        }),
      );
    expect(claims({})).toContain('said it was done (DONE); the gates refute that.');
    expect(claims({ judge: () => green })).toContain('said it was done (DONE), and the gates agree.');
    const gates = { a: 'x', b: { run: 'y', severity: 'soft' } };
    expect(claims({ judge: (gate) => (gate === 'a' ? green : failed(['l'])) }, { gates })).toContain(
      'the hard gates agree, soft ones do not',
    );
    const unjudged: World['turn'] = () => ({ claim: true, end: { kind: 'failed', detail: 'x' } });
    expect(claims({ turn: unjudged })).toContain('no gate has judged that');
  });

  it('tells waits, questions, escalations and persons who went on', () => {
    const waits = play(specOf({ gates: { ci: 'x' } }), {
      turn: () => ({ tree: 't' }),
      judge: (_, __, n, attempt) =>
        n === 1 && attempt === 1 && !seen++ ? { kind: 'pending', retryAfterMs: 5_000 } : green,
    });
    expect(text(waits)).toContain('It waited 5.0s: waiting for ci. Waiting costs no iteration.');
    const asked = play(specOf({ strategy: { kind: 'manual', timeout: '2m' } }), {
      turn: (n) => ({ tree: `t${n}` }),
      judge: () => failed(['a']),
      answers: (n) => ({ answer: n === 1 ? 'continue' : 'stop' }),
    });
    expect(text(asked)).toContain(
      'It asked a person and waited at most 2m; without an answer it would stop.',
    );
    expect(text(asked)).toContain('It would have ended if the person had said so.');
    const gates = { tests: { run: 'x', onFailure: 'escalate' } };
    const escalated = play(
      specOf({ gates, limits: { iterations: 1 } }),
      steps(() => 1),
    );
    expect(text(escalated)).toContain('A person was told, because tests failed, and a person is told.');
    const first = play(
      specOf({ limits: { iterations: 2 } }),
      steps(() => 3),
    );
    const second = play(
      specOf({ limits: { iterations: 3 } }),
      steps(() => 3),
      first.events,
      'r2',
      { iterations: 1 },
    );
    expect(text(second)).toContain('A person went on with the run.');
  });

  it('tells endings before and between iterations', () => {
    const fault = { code: 'gate.missing', message: 'no npm', retry: 'never' } as const;
    const unable = play(specOf(), { turn: () => ({}), judge: () => ({ kind: 'unable', fault }) });
    expect(text(unable)).toContain(
      'The run ended error before an agent worked: gate tests could not run: no npm.',
    );
    const first = play(
      specOf({ limits: { iterations: 1 } }),
      steps(() => 3),
    );
    const again = play(
      specOf({ limits: { iterations: 1 } }),
      steps(() => 3),
      first.events,
      'r2',
    );
    expect(text(again)).toContain('without another iteration');
  });

  it('says what each kind of going on would have ended', () => {
    const outlook = (fields: Record<string, unknown>, world: World) => text(play(specOf(fields), world));
    expect(
      outlook(
        { strategy: { kind: 'hybrid', base: 1, bonus: 3 } },
        steps((n) => 6 - 2 * n),
      ),
    ).toContain('It would have stopped without sufficient progress, or with the last bonus used.');
    expect(
      outlook(
        { strategy: { kind: 'hybrid', base: 1 } },
        steps((n) => 6 - 2 * n),
      ),
    ).toContain('there was progress: 2 fixed');
    expect(
      outlook(
        { strategy: { kind: 'fixed', iterations: 2 } },
        steps(() => 2),
      ),
    ).toContain('the strategy had iterations left');
    const churn: World = {
      turn: (n) => ({ tree: `t${n}` }),
      judge: (_, __, n) => failed([`x${n}`], { passed: 3 }),
    };
    expect(outlook({ strategy: { kind: 'hybrid', base: 1 }, stuck: 'off' }, churn)).toContain(
      'It would stop if the next iteration brought no progress and nothing new.',
    );
  });
});

let seen = 0;
