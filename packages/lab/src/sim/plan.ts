import { type Chance, makeChance } from './chance.ts';

/** What the agent does in one of its turns, one after the other over its time. */
export type Act =
  | { kind: 'fix'; file: string }
  | { kind: 'break'; file: string }
  /** Changes what a gate judges by, so that the gate as the agent left it passes whatever the code does. */
  | { kind: 'tamper'; gate: string }
  /** A change without substance. */
  | { kind: 'scribble'; file: string }
  /** Leaves every file as it is: whoever only commits has done nothing. */
  | { kind: 'commit' }
  | { kind: 'delete-workspace' };

export interface Turn {
  tookMs: number;
  acts: Act[];
  end: 'finished' | 'failed' | 'hangs' | 'away';
  says: string;
  tokens: number;
  costUsd: number;
  /** A process that it leaves behind, and that goes on changing files until somebody ends it. */
  orphan: boolean;
}

/** How a gate behaves, apart from the state of the files that it judges. */
export interface GateManners {
  tookMs: number;
  /** Writes a file of its own whenever it runs. */
  writes: boolean;
  /** Has a secret in what it says when it fails. */
  leaks: boolean;
}

/** Something that goes wrong, or that a person does. Each can be left out without changing the others. */
export type Fault =
  /** The controller dies at its so-manieth dealing with the world; with `power`, the machine does. */
  | { kind: 'crash'; step: number; power: boolean; share: number; downMs: number }
  /** The same where it does something of this kind for the so-manieth time. */
  | { kind: 'crash-at'; site: string; time: number; power: boolean; share: number; downMs: number }
  /** The same at a moment, whatever is under way then. */
  | { kind: 'kill'; atMs: number; power: boolean; share: number; downMs: number }
  | { kind: 'no-space'; step: number; steps: number }
  | { kind: 'io-error'; step: number }
  | { kind: 'clock'; atMs: number; byMs: number }
  | { kind: 'sleep'; atMs: number; forMs: number }
  | { kind: 'freeze'; atMs: number; forMs: number }
  | { kind: 'edit'; atMs: number; file: string; text: string }
  | { kind: 'flake'; gate: string; time: number }
  | { kind: 'gate-hangs'; gate: string; time: number }
  | { kind: 'pending'; gate: string; time: number; retryMs: number }
  | { kind: 'unable'; gate: string; time: number }
  | { kind: 'stop'; atMs: number; by: 'letter' | 'signal' }
  | { kind: 'stop-at'; step: number }
  /** The same when a step of this kind is under way for the first time. */
  | { kind: 'stop-during'; during: string }
  /** Somebody writes to a file while a gate judges for the so-manieth time. */
  | { kind: 'edit-under'; gate: string; time: number; file: string; text: string }
  | { kind: 'redirect'; atMs: number };

export interface Plan {
  seed: number;
  spec: Record<string, unknown>;
  files: Record<string, string>;
  turns: Turn[];
  gates: Record<string, GateManners>;
  /** What a strategy outside of the core says in turn. */
  advice: ('continue' | 'done' | 'stop' | 'fails' | 'late')[];
  faults: Fault[];
  /** A limit that was reached is raised so often, each time by two iterations. */
  grants: number;
  /** Each process of the controller does one iteration and leaves. */
  bySteps: boolean;
  /** After these turns the agent tells that its usage window is full, and opens again after so long. */
  windows: { turn: number; opensAfterMs: number }[];
  /** How long it takes to tell somebody. */
  noticeMs: number;
}

/** What a secret looks like that nothing of ours may ever write down. */
export const plantedSecret = `ghp_${'Zq7Tn3Kd9Wb5Xc1Vm8Lf2Rj6Hp4Sg0Ya5Ue'}`;

const minute = 60_000;

/** Everything that will happen in the world of this seed. */
export function drawPlan(seed: number): Plan {
  const chance = makeChance(seed);
  // Drawn apart, so that the rest of a world is what it was before.
  const aside = makeChance(seed ^ 0x5eed);
  const bySteps = aside.happens(0.1);
  const windows = aside.happens(0.1)
    ? Array.from({ length: aside.between(1, 3) }, () => ({
        turn: aside.between(0, 6),
        opensAfterMs: aside.between(5_000, 400_000),
      }))
    : [];
  const during = aside.pick(rareSteps);
  const stops: Fault[] = aside.happens(0.3) ? [{ kind: 'stop-during', during }] : [];
  const isStuck = aside.happens(0.07);
  const scarce: Fault[] = aside.happens(0.3)
    ? [
        {
          kind: 'crash-at',
          site: `append ${aside.pick(scarceEvents)}${aside.pick(['', ' done'])}`,
          time: 1,
          power: aside.happens(0.3),
          share: aside.pick([0, 1]),
          downMs: aside.between(0, minute),
        },
      ]
    : [];
  const apart = makeChance(seed ^ 0x7e11);
  const noticeMs = apart.happens(0.3) ? apart.between(1, 20_000) : 0;
  const gates = ['a', 'b', 'c'].slice(0, chance.pick([1, 2, 2, 3]));
  const files = Object.fromEntries(gates.flatMap((gate) => filesOf(gate, chance)));
  const strategy = drawStrategy(chance);
  const iterations = chance.between(1, 7);
  const plan: Plan = {
    seed,
    spec: {
      agent: ['agent'],
      gates: Object.fromEntries(gates.map((gate, at) => [gate, drawGate(chance, at)])),
      strategy,
      limits: { ...drawLimits(chance, iterations), ...(windows.length > 0 ? { quota: '80%' } : {}) },
      integrity: chance.pick(['off', 'guarded', 'strict', 'strict']),
      ...(chance.happens(0.3) ? { stuck: 'off' } : {}),
    },
    files,
    turns: drawTurns(chance, gates, Object.keys(files)),
    gates: Object.fromEntries(
      gates.map((gate) => [
        gate,
        { tookMs: chance.between(1, 20_000), writes: chance.happens(0.15), leaks: chance.happens(0.1) },
      ]),
    ),
    advice: Array.from({ length: 12 }, () =>
      chance.pick(['continue', 'continue', 'continue', 'done', 'stop', 'fails', 'late'] as const),
    ),
    faults: [...drawFaults(chance, gates, Object.keys(files)), ...stops, ...scarce],
    grants: chance.pick([0, 0, 1, 2]),
    bySteps,
    windows,
    noticeMs,
  };
  return isStuck ? withStuckAgent(plan, aside) : plan;
}

/** The same world with an agent that does not get on, so that the run goes down its ladder of moves. */
function withStuckAgent(plan: Plan, chance: Chance): Plan {
  const moves = ['differently', 'fresh', 'revert', 'escalate', 'ask'].filter(() => chance.happens(0.5));
  const limits = { ...(plan.spec['limits'] as object), iterations: chance.between(6, 14), wallClock: '30m' };
  const sources = Object.keys(plan.files).filter((file) => file.startsWith('src/'));
  const way = chance.pick(['idle', 'worse', 'scribble'] as const);
  const actsAt = (at: number): Act[] => {
    const file = sources[at % sources.length]!;
    if (way === 'idle' || chance.happens(0.1)) return [];
    return [{ kind: way === 'worse' ? 'break' : 'scribble', file }];
  };
  const died = { power: chance.happens(0.3), share: chance.pick([0, 1]), downMs: chance.between(0, 60_000) };
  const site = chance.pick(moveSites);
  return {
    ...plan,
    spec: {
      ...plan.spec,
      agent: { kind: 'command', run: ['agent'], escalate: [['next']] },
      strategy: 'hybrid',
      limits,
      stuck: { moves: ['revert', ...moves.filter((move) => move !== 'revert')] },
    },
    turns: plan.turns.map((turn, at) => ({
      ...turn,
      acts: actsAt(at),
      end: turn.end === 'hangs' ? ('finished' as const) : turn.end,
      tookMs: turn.tookMs >> 3,
    })),
    faults: [
      ...plan.faults,
      ...(chance.happens(0.5) ? [{ kind: 'crash-at' as const, site, time: 1, ...died }] : []),
      ...(chance.happens(0.2) ? [{ kind: 'stop-during' as const, during: 'make-move' }] : []),
    ],
  };
}

/** Events that few worlds have. */
const scarceEvents =
  'fault.raised,fault.raised,run.paused,redirect.requested,stop.requested,person.answered,strategy.answered,strategy.answered,control.judged,notified,wait.ended,tree.confirmed'.split(
    ',',
  );

/** What a move of the ladder does to the world, and how it is told. */
const moveSites = ['restore', 'restore half', 'restore done', 'append move.made', 'append move.made done'];

function filesOf(gate: string, chance: Chance): [string, string][] {
  const count = chance.between(1, 4);
  const sources = Array.from({ length: count }, (_, at): [string, string] => [
    `src/${gate}${at}`,
    chance.happens(0.6) ? 'bug 0' : 'good',
  ]);
  return [...sources, [`tests/${gate}`, 'honest']];
}

function drawStrategy(chance: Chance): unknown {
  switch (chance.pick(['hybrid', 'hybrid', 'fixed', 'ralph', 'custom', 'manual'] as const)) {
    case 'fixed':
      return { kind: 'fixed', iterations: chance.between(1, 6) };
    case 'ralph':
      return { kind: 'ralph', max: chance.between(2, 8) };
    case 'custom':
      return { kind: 'custom', module: './strategy.mjs', max: chance.between(2, 8) };
    case 'manual':
      return { kind: 'manual', timeout: '20s', default: chance.pick(['continue', 'stop']) };
    default:
      return 'hybrid';
  }
}

function drawGate(chance: Chance, at: number): Record<string, unknown> {
  return {
    run: 'gate',
    timeout: '40s',
    ...(at > 0 && chance.happens(0.3) ? { severity: 'soft' } : {}),
    ...(chance.happens(0.15) ? { flaky: { rerun: 1 } } : {}),
    ...(chance.happens(0.15) ? { when: 'on-change' } : {}),
    ...(chance.happens(0.2) ? { parallel: true } : {}),
    ...(chance.happens(0.1) ? { baseline: 'no-new' } : {}),
    ...(chance.happens(0.1) ? { onFailure: 'escalate' } : {}),
  };
}

function drawLimits(chance: Chance, iterations: number): Record<string, unknown> {
  return {
    iterations,
    wallClock: `${chance.between(40, 900)}s`,
    maxWait: `${chance.between(60, 600)}s`,
    ...(chance.happens(0.3) ? { cost: chance.between(1, 8) / 2 } : {}),
    ...(chance.happens(0.3) ? { tokens: chance.between(1_000, 8_000) } : {}),
  };
}

function drawTurns(chance: Chance, gates: readonly string[], files: readonly string[]): Turn[] {
  const turns = Array.from({ length: 14 }, () => drawTurn(chance, gates, files));
  // Now and then an agent is never there.
  return chance.happens(0.03) ? turns.map((turn) => ({ ...turn, end: 'away' as const })) : turns;
}

function drawTurn(chance: Chance, gates: readonly string[], files: readonly string[]): Turn {
  const sources = files.filter((file) => file.startsWith('src/'));
  const act = (): Act => {
    const file = chance.pick(sources);
    const draw = chance.next();
    if (draw < 0.62) return { kind: 'fix', file };
    if (draw < 0.8) return { kind: 'break', file };
    if (draw < 0.9) return { kind: 'scribble', file };
    if (draw < 0.96) return { kind: 'tamper', gate: chance.pick(gates) };
    if (draw < 0.995) return { kind: 'commit' };
    return { kind: 'delete-workspace' };
  };
  const count = chance.pick([0, 1, 1, 2, 3, 5]);
  return {
    tookMs: chance.between(0, 40_000),
    acts: Array.from({ length: count }, act),
    end: chance.pick(['finished', 'finished', 'finished', 'finished', 'failed', 'hangs', 'away'] as const),
    says: drawWords(chance),
    tokens: chance.between(100, 2_000),
    costUsd: chance.between(1, 100) / 100,
    orphan: chance.happens(0.1),
  };
}

function drawWords(chance: Chance): string {
  const words = ['All tasks are complete.', 'I give up.', '', 'I changed a file.', 'DONE', 'still at it'];
  const said = `${chance.pick(words)} ${chance.between(0, 3)}`;
  if (chance.happens(0.03)) return `${said}\n${'flood '.repeat(5_000)}`;
  return chance.happens(0.1) ? `${said}\ntoken ${plantedSecret}` : said;
}

/** In which a stop by chance seldom falls, since they are over soon. */
const rareSteps =
  'confirm,notify,notify,ask,end-run,wait,make-move,control,control,control,consult,consult,judge'.split(',');

/** Where a crash by chance seldom falls. */
const rareSites = (
  'build,judge,snapshot,restore,rehearse,compare,consult,notify,end leftovers,open,cut,remove,append run.started,' +
  'append run.resumed,append run.ended,append agent.started,append agent.ended,append snapshot.taken,' +
  'append redirect.requested,append control.judged,append move.made,append person.answered,append gate.judged,' +
  'append strategy.answered,append integrity.checked,append tree.confirmed,append wait.ended'
).split(',');

/** Every seed has a swarm of its own: some kinds of fault and none of the others. */
function drawFaults(chance: Chance, gates: readonly string[], files: readonly string[]): Fault[] {
  const many = (probability: number, most: number, draw: () => Fault): Fault[] =>
    chance.happens(probability) ? Array.from({ length: chance.between(1, most) }, draw) : [];
  const atMs = () => chance.between(0, 4 * minute);
  const death = () => ({
    power: chance.happens(0.3),
    share: chance.pick([0, 0.3, 0.7, 1]),
    downMs: chance.between(0, 2 * minute),
  });
  const ofGate = () => ({ gate: chance.pick(gates), time: chance.between(0, 8) });
  return [
    ...many(0.7, 4, () => ({
      kind: 'crash',
      step: chance.between(1, chance.pick([40, 200, 600])),
      ...death(),
    })),
    ...many(0.4, 3, () => ({
      kind: 'crash-at',
      site: `${chance.pick(rareSites)}${chance.pick(['', ' done'])}`,
      time: chance.pick([1, 1, 1, 2, 3]),
      ...death(),
    })),
    ...many(0.4, 3, () => ({ kind: 'kill', atMs: atMs(), ...death() })),
    ...many(0.12, 2, () => ({
      kind: 'no-space',
      step: chance.between(1, 400),
      steps: chance.between(1, 60),
    })),
    ...many(0.1, 2, () => ({ kind: 'io-error', step: chance.between(1, 400) })),
    ...many(0.15, 3, () => ({
      kind: 'clock',
      atMs: atMs(),
      byMs: chance.pick([-60, -1, 1, 60, 1440]) * minute,
    })),
    ...many(0.1, 2, () => ({ kind: 'sleep', atMs: atMs(), forMs: chance.between(1, 60) * minute })),
    ...many(0.1, 2, () => ({ kind: 'freeze', atMs: atMs(), forMs: chance.between(100, 30_000) })),
    ...many(0.2, 3, () => ({
      kind: 'edit',
      atMs: atMs(),
      file: chance.pick(files),
      text: chance.pick(['good', 'bug 9', 'honest']),
    })),
    ...many(0.2, 4, () => ({ kind: 'flake', ...ofGate() })),
    ...many(0.15, 3, () => ({ kind: 'gate-hangs', ...ofGate() })),
    ...many(0.15, 4, () => ({ kind: 'pending', ...ofGate(), retryMs: chance.between(500, 20_000) })),
    ...many(0.05, 2, () => ({ kind: 'unable', ...ofGate() })),
    ...many(0.15, 1, () => ({ kind: 'stop', atMs: atMs(), by: chance.pick(['letter', 'signal']) })),
    ...many(0.08, 1, () => ({ kind: 'stop-at', step: chance.between(1, 300) })),
    ...many(0.2, 3, () => ({
      kind: 'edit-under',
      ...ofGate(),
      file: chance.pick(files),
      text: chance.pick(['good', 'bug 8', 'cheat']),
    })),
    ...many(0.12, 2, () => ({ kind: 'redirect', atMs: atMs() })),
  ];
}
