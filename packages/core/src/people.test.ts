import { describe, expect, it } from 'vitest';
import type { Event } from './event.ts';
import { fold } from './evolve.ts';
import { composeFeedback } from './feedback.ts';
import { composePrompt } from './prompt.ts';
import { failed, green, play, specOf, type Played, type World } from './testing/play.ts';

const stuck: World = { turn: (n) => ({ tree: `t${n}` }), judge: () => failed(['a']) };
const ended = ({ state }: Played) =>
  `${state.ended?.status} ${state.ended?.code} after ${state.ended?.iterations}`;
const kinds = ({ decisions }: Played) => decisions.map((one) => one.kind);

describe('manual: a person decides after each failed iteration', () => {
  const manual = (fields: Record<string, unknown> = {}) =>
    specOf({ strategy: { kind: 'manual', ...fields } });

  it('goes on as long as the person says so, and ends when they do', () => {
    const played = play(manual(), { ...stuck, answers: (n) => ({ answer: n < 4 ? 'continue' : 'stop' }) });
    expect(ended(played)).toBe('stopped user.stop after 4');
    expect(kinds(played).filter((one) => one === 'ask')).toHaveLength(4);
  });
  it('asks nobody when the gates are met or a limit is reached', () => {
    const met = play(manual(), { ...stuck, judge: () => green, answers: () => ({ answer: 'continue' }) });
    expect(kinds(met)).not.toContain('ask');
    const limited = play(specOf({ strategy: 'manual', limits: { iterations: 2 } }), {
      ...stuck,
      answers: () => ({ answer: 'continue' }),
    });
    expect(ended(limited)).toBe('diverged limit.iterations after 2');
  });
  it('takes the default when nobody answers in time', () => {
    expect(ended(play(manual({ timeout: '5m' }), stuck))).toBe('stopped user.no-answer after 1');
    const accepted = play(manual({ timeout: '5m', default: 'accept' }), stuck);
    expect(ended(accepted)).toBe('partial accept.partial after 1');
    const ask = accepted.decisions.find((one) => one.kind === 'ask');
    expect(ask).toMatchObject({ forMs: 300_000, default: 'accept' });
  });
  it('goes on with other words when redirected', () => {
    const played = play(manual(), {
      ...stuck,
      answers: (n) => (n === 1 ? { answer: 'redirect', text: 'Only the parser.' } : { answer: 'stop' }),
    });
    expect(ended(played)).toBe('stopped user.stop after 2');
    expect(composePrompt(played.state, '')).toContain('Only the parser.');
  });
  it('accepts unfinished work as partial, and finished but for soft gates as converged', () => {
    const accept: World = { ...stuck, answers: () => ({ answer: 'accept' }) };
    const partial = play(manual(), accept);
    expect(ended(partial)).toBe('partial accept.partial after 1');
    expect(partial.state.ended?.caveats).toContain('gate tests still fails (1)');
    const gates = { tests: 'x', lint: { run: 'y', severity: 'soft' } };
    const soft = play(specOf({ gates, strategy: 'manual' }), {
      ...accept,
      judge: (gate) => (gate === 'tests' ? green : failed(['l'])),
    });
    expect(ended(soft)).toBe('converged goal.hard-only after 1');
  });
});

describe('an agent asks a person', () => {
  const asking: World = { ...stuck, turn: (n) => (n === 1 ? { asks: 'May I?' } : { tree: 'right' }) };
  it('and the run is suspended until they answer, without another build', () => {
    const asked = play(specOf({}), asking);
    expect(ended(asked)).toBe('suspended awaiting-answer after 1');
    expect(asked.state.ended?.reason).toContain('May I?');
  });
  it('in vain when the gates are met, or beside giving up', () => {
    expect(ended(play(specOf({}), { ...asking, judge: () => green }))).toBe('converged goal.met after 1');
    const both: World = { ...asking, turn: () => ({ asks: 'May I?', giveUp: 'No.' }) };
    expect(ended(play(specOf({}), both))).toBe('diverged agent.gave-up after 1');
  });
});

describe('the ladder asks a person when told to', () => {
  const spec = specOf({ stuck: { moves: ['ask'] } });
  const idle: World = { ...stuck, turn: () => ({}) };
  it('and goes on, stops or accepts as they say', () => {
    expect(ended(play(spec, { ...idle, answers: () => ({ answer: 'continue' }) }))).toMatch(
      /^diverged no-progress.no-changes after 4/,
    );
    expect(ended(play(spec, { ...idle, answers: () => ({ answer: 'accept' }) }))).toBe(
      'partial accept.partial after 2',
    );
  });
  it('and stops when nobody answers', () => {
    expect(ended(play(spec, idle))).toBe('stopped user.no-answer after 2');
  });
});

describe('redirect', () => {
  const once = (when: (state: Played['state']) => boolean): World['happens'] => {
    let sent = false;
    return (state) => {
      if (sent || !when(state)) return undefined;
      sent = true;
      return { kind: 'redirect.requested', by: 'command', text: 'Leave the parser alone.' };
    };
  };
  it('goes on with the new text, keeps the count, and judges nothing of what it cut short', () => {
    const played = play(specOf({ limits: { iterations: 4 } }), {
      judge: (_, tree) => (tree === 't3' ? green : failed(['a'])),
      turn: (n) => (n === 2 ? { end: { kind: 'aborted', by: 'redirect' } } : { tree: `t${n}` }),
      happens: once((state) => state.iteration === 2 && state.current?.build !== null),
    });
    expect(ended(played)).toBe('converged goal.met after 3');
    const judged = played.events.flatMap((one) => (one.kind === 'gate.judged' ? [one.iteration] : []));
    expect(judged).toEqual([0, 1, 3]);
    expect(composePrompt(played.state, '')).toContain('Leave the parser alone.');
  });
  it('is told as the reason why what was done before it was not judged', () => {
    const played = play(specOf({ limits: { iterations: 4 } }), {
      judge: () => failed(['a']),
      turn: (n) => ({ tree: `t${n}` }),
      happens: once((state) => state.iteration === 2 && state.current?.build !== null),
    });
    const next = played.events.findIndex(
      (one) => one.kind === 'decided' && one.decision.because.code === 'redirect',
    );
    expect(composeFeedback(fold(played.events.slice(0, next + 1)))).toMatch(
      /^Iteration 2 was not judged, because the person in charge changed the task\. What they saw after iteration 1:/,
    );
  });
  it('lets the detectors and the ladder begin anew', () => {
    const played = play(specOf({ stuck: 'off' }), {
      ...stuck,
      turn: () => ({}),
      happens: once((state) => state.iteration === 2 && state.current?.build !== null),
    });
    expect(ended(played)).toBe('diverged no-progress.no-changes after 4');
  });
  it('raises no limit, and goes before a stop, which ends the run with the words kept', () => {
    const happens = once((state) => state.iteration === 2 && state.current?.build !== null);
    expect(ended(play(specOf({ limits: { iterations: 2 } }), { ...stuck, happens }))).toBe(
      'diverged limit.iterations after 2',
    );
    const stopped = play(specOf(), {
      ...stuck,
      happens: once((state) => state.iteration === 2 && state.current?.build !== null),
      stops: (n) => n === 2,
    });
    expect(ended(stopped)).toBe('suspended redirect after 2');
    expect(stopped.decisions.at(-1)?.because.also.map(({ code }) => code)).toContain('user.stop');
    const after = play(specOf(), { ...stuck, turn: () => ({ giveUp: 'No.' }) }, stopped.events, 'r2');
    expect(ended(after)).toBe('diverged agent.gave-up after 3');
    expect(after.decisions[0]).toMatchObject({ kind: 'start-iteration' });
    expect(composePrompt(after.state, '')).toContain('Leave the parser alone.');
  });
});

describe('approval', () => {
  const gates = { tests: 'x', review: { kind: 'approval', message: 'Ship it?' } };
  const review = (approvals: Played['state']['approvals'], tree: string) => {
    const mine = approvals.findLast((one) => one.tree === tree);
    if (!mine) return { kind: 'pending', retryAfterMs: 60_000 } as const;
    return mine.approved ? green : failed([`rejected: ${mine.note}`]);
  };
  const playing = (answer: (tree: string) => { approved: boolean; note?: string }) => {
    let state: Played['state'] | null = null;
    const asked = new Set<string>();
    return play(specOf({ gates }), {
      turn: (n) => ({ tree: `t${n}` }),
      judge: (gate, tree, n) =>
        gate === 'tests' ? (n > 1 ? green : failed(['a'])) : review(state?.approvals ?? [], tree),
      happens: (now) => {
        state = now;
        const tree = now.current?.tree ?? '';
        if (!now.current?.toldWaiting || asked.has(tree)) return undefined;
        asked.add(tree);
        return { kind: 'approval.given', gate: 'review', tree, by: 'ann', ...answer(tree) };
      },
    });
  };
  it('is asked for only when nothing else stands in the way, and costs no iteration', () => {
    const played = playing(() => ({ approved: true }));
    expect(ended(played)).toBe('converged goal.met after 2');
    expect(played.decisions.filter((one) => one.kind === 'notify')).toHaveLength(1);
  });
  it('holds for one tree: a rejection is fed back, and the next tree is asked about anew', () => {
    const played = playing((tree) => ({ approved: tree !== 't2', note: 'too wide' }));
    expect(ended(played)).toBe('converged goal.met after 3');
    expect(played.state.approvals.map((one) => `${one.tree} ${one.approved}`)).toEqual([
      't2 false',
      't3 true',
    ]);
  });
  it('suspends the run when nobody comes', () => {
    const played = play(specOf({ gates, limits: { maxWait: '2m' } }), {
      turn: (n) => ({ tree: `t${n}` }),
      judge: (gate) => (gate === 'tests' ? green : { kind: 'pending', retryAfterMs: 60_000 }),
    });
    expect(ended(played)).toBe('suspended awaiting-approval after 1');
  });
});

describe('in a session that is held nobody is kept waiting', () => {
  const held = (before: World): World => {
    let isHeld = false;
    return {
      ...before,
      happens: (state) => {
        if (isHeld) return before.happens?.(state);
        isHeld = true;
        return { kind: 'session.held', host: 'claude', sessionId: 's' };
      },
    };
  };
  const waiting: World = {
    turn: (n) => ({ tree: `t${n}` }),
    judge: (gate, _, n) =>
      gate === 'tests' ? (n > 0 ? green : failed(['a'])) : { kind: 'pending', retryAfterMs: 60_000 },
  };
  it.each([
    ['approval', { kind: 'approval' }, 'awaiting-approval'],
    ['checklist', { kind: 'checklist', items: [{ assertion: 'It looks right.' }] }, 'awaiting-confirmation'],
  ])('for a gate of kind %s: the person is notified, and the run suspended', (_kind, gate, code) => {
    const played = play(specOf({ gates: { tests: 'x', review: gate } }), held(waiting));
    expect(ended(played)).toBe(`suspended ${code} after 1`);
    expect(kinds(played).filter((one) => one === 'notify')).toHaveLength(1);
    expect(kinds(played)).not.toContain('wait');
  });
  it('but for the world: that is waited for', () => {
    const gates = { tests: 'x', ci: 'y' };
    const played = play(specOf({ gates, limits: { maxWait: '2m' } }), held(waiting));
    expect(kinds(played).filter((one) => one === 'wait')).toHaveLength(2);
    expect(ended(played)).toBe('suspended awaiting-gate after 1');
  });
  it('nor for the answer of who decides, or whom the ladder asks', () => {
    for (const spec of [specOf({ strategy: 'manual' }), specOf({ stuck: { moves: ['ask'] } })]) {
      const played = play(spec, held({ ...stuck, turn: () => ({}) }));
      expect(played.state.ended).toMatchObject({ status: 'suspended', code: 'awaiting-answer' });
      expect(kinds(played).filter((one) => one === 'ask' || one === 'notify')).toEqual(['notify']);
    }
  });
  it('and without the session the run goes on where it was, judged and not built again', () => {
    const gates = { tests: 'x', review: { kind: 'approval' } };
    const first = play(specOf({ gates }), held(waiting));
    const second = play(specOf({ gates }), { ...waiting, judge: () => green }, first.events, 'r2');
    expect(ended(second)).toBe('converged goal.met after 1');
  });
});

describe('a gate that is still pending', () => {
  const gates = { tests: 'x', review: { kind: 'approval' } };
  const waits =
    (tests: World['judge']): World['judge'] =>
    (gate, tree, n, attempt) =>
      gate === 'review' ? { kind: 'pending', retryAfterMs: 60_000 } : tests(gate, tree, n, attempt);
  it('silences no detector while another gate fails', () => {
    const idle: World = { turn: () => ({}), judge: waits(() => failed(['a'])) };
    expect(ended(play(specOf({ gates, stuck: 'off' }), idle))).toBe(
      'diverged no-progress.no-changes after 2',
    );
  });
  it('takes nothing from honest work behind a gate without degrees', () => {
    const late: World = {
      turn: (n) => ({ tree: `t${n}` }),
      judge: waits((_, __, n) =>
        n >= 20
          ? green
          : { kind: 'failed', findings: [{ id: 'x', title: 'x', synthetic: true }], excerpt: '' },
      ),
    };
    expect(ended(play(specOf({ gates, limits: { maxWait: '1m' } }), late))).toBe(
      'suspended awaiting-approval after 20',
    );
  });
});

describe('a person who goes on after a wait', () => {
  const gates = { tests: 'x', review: { kind: 'approval' } };
  it('finds the iteration as it was: judged again on the tree at hand, its progress not lost', () => {
    const world: World = {
      turn: (n) => ({ tree: `t${n}` }),
      judge: (gate, _, n) =>
        gate === 'tests' ? (n > 0 ? green : failed(['a', 'b'])) : { kind: 'pending', retryAfterMs: 60_000 },
    };
    const spec = specOf({ gates, limits: { maxWait: '1m' } });
    const first = play(spec, world);
    const second = play(
      spec,
      { ...world, judge: (gate, tree, n, a) => (gate === 'review' ? green : world.judge(gate, tree, n, a)) },
      first.events,
      'r2',
    );
    expect(ended(second)).toBe('converged goal.met after 1');
    expect(second.state.history).toHaveLength(1);
    expect(second.state.history[0]?.progress).toBe('fixed');
    expect(second.events.filter((one) => one.kind === 'snapshot.taken' && one.iteration === 1)).toHaveLength(
      2,
    );
  });
});

it('a redirect on the last iteration throws away no finished work', () => {
  let sent = false;
  const played = play(specOf({ limits: { iterations: 1 } }), {
    turn: () => ({ tree: 'done' }),
    judge: (_, tree) => (tree === 'done' ? green : failed(['a'])),
    happens: (state) => {
      if (sent || !state.current?.build) return undefined;
      sent = true;
      return { kind: 'redirect.requested', by: 'command', text: 'something else' };
    },
  });
  expect(ended(played)).toBe('converged goal.met after 1');
});

it('refuted claims end no run in which a person decides', () => {
  const liar: World = { turn: () => ({ claim: true }), judge: () => failed(['a']) };
  const played = play(specOf({ strategy: 'manual' }), {
    ...liar,
    answers: (n) => ({ answer: n < 5 ? 'continue' : 'stop' }),
  });
  expect(ended(played)).toBe('stopped user.stop after 5');
});

it('words that came too late for a prompt are still owed; those that were in it are not', () => {
  const { events } = play(specOf({ limits: { iterations: 1 } }), stuck);
  const at = events.findIndex((one) => one.kind === 'agent.started');
  const started = events[at]!;
  const words: Event = { ...started, kind: 'redirect.requested', by: 'command', text: 'New words.' };
  const owed = (redirects: number) =>
    fold([...events.slice(0, at), words, { ...started, redirects } as Event]).redirect;
  expect(owed(0)).toBe('New words.');
  expect(owed(1)).toBeNull();
});
