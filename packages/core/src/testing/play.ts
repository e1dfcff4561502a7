import { decide } from '../decide.ts';
import type { Decision } from '../decision.ts';
import { makeEnding } from '../ending.ts';
import type {
  Added,
  Answer,
  BuildEnd,
  Claim,
  Event,
  EventBody,
  EventOf,
  StrategyAnswer,
  UsageWindow,
} from '../event.ts';
import { fault } from '../fault.ts';
import { sparedVerdict } from '../spare.ts';
import { eventVersion } from '../event.ts';
import { evolve } from '../evolve.ts';
import type { Learned } from '../learned.ts';
import { parseSpec } from '../parse-spec.ts';
import type { RunSpec } from '../spec.ts';
import { emptyState, type RunState } from '../state.ts';
import type { Verdict } from '../verdict.ts';

/** What a made-up agent does in one iteration. Whatever is left out is ordinary. */
export interface Turn {
  /** The content it leaves; the same text is the same tree. Without it nothing changes. */
  tree?: string;
  /** The content without white space and comments; like `tree` unless said otherwise. */
  substance?: string;
  end?: BuildEnd;
  claim?: boolean;
  giveUp?: string;
  asks?: string;
  windows?: UsageWindow[];
  /** Similarity with the outputs before it; absent means a silent agent. */
  similar?: number[];
  tokens?: number;
  costUsd?: number;
  tookMs?: number;
}

export interface World {
  turn(iteration: number): Turn;
  judge(gate: string, tree: string, iteration: number, attempt: number): Verdict;
  /** The tree after the gates ran, when something moved it. */
  movedTo?(tree: string, attempt: number): string | undefined;
  /** What a strategy outside of the core says. */
  advise?(iteration: number, state: RunState): StrategyAnswer;
  /** What a person answers when asked; nothing means that nobody does. */
  answers?(iteration: number, state: RunState): { answer: Answer; text?: string } | undefined;
  /** What the comparison with the baseline shows; nothing where it is not made. */
  tampers?(tree: string, iteration: number): Partial<EventOf<'integrity.checked'>> | undefined;
  /** How a gate answers with the agent's versions of protected files. */
  unsealed?(gate: string, tree: string): 'passed' | 'failed' | undefined;
  /** What else is told of a gate's judgement. */
  beside?(gate: string, tree: string): Partial<EventOf<'gate.judged'>>;
  /** How a gate answers without the agent's change. */
  controls?(gate: string): Verdict;
  /** What else happens before a decision, such as an approval or a redirect. */
  happens?: ((state: RunState) => EventBody | undefined) | undefined;
  /** What was learned before the run began. */
  learned?: Learned;
  /** Asked before each decision: whether a person stops the run now. */
  stops?(iteration: number, state: RunState): boolean;
}

export interface Played {
  events: Event[];
  decisions: Decision[];
  state: RunState;
}

const longest = 12_000;
const noModule = fault('module.missing', 'there is no module');

/** Plays a run in memory with the shipped fold and decide: no clock, no disk, no chance. */
export function play(
  spec: RunSpec,
  world: World,
  from: readonly Event[] = [],
  runId = 'r1',
  added?: Added,
): Played {
  const events: Event[] = [...from];
  const decisions: Decision[] = [];
  let state = emptyState();
  for (const event of from) state = evolve(state, event);
  let seq = 0;
  let waitedMs = 0;
  const record = (body: EventBody) => {
    seq += 1;
    if (body.kind === 'wait.ended') waitedMs += body.waitedMs;
    const at = new Date(seq * 1000 + waitedMs).toISOString();
    const event: Event = { v: eventVersion, seq, at, ...body };
    events.push(event);
    state = evolve(state, event);
  };
  const link = from.length > 0 ? { parent: { runId: state.runId, seq: state.seq } } : {};
  const parent = added ? { ...link, added } : link;
  record({
    kind: 'run.started',
    runId,
    version: 'test',
    root: '/w',
    nonce: 'abc',
    spec,
    specHash: '',
    source: 'test',
    ...(world.learned ? { learned: world.learned } : {}),
    ...parent,
  });
  let tree = state.current?.tree ?? state.atHand ?? state.baseTree ?? 'base';
  let substance = tree;
  while (!state.ended) {
    if (decisions.length > longest) throw new Error('the run does not end');
    if (!state.stop && world.stops?.(state.iteration, state))
      record({ kind: 'stop.requested', by: 'command' });
    const happened = world.happens?.(state);
    if (happened) record(happened);
    const reopened = state.open !== null;
    const decision = decide(state);
    if (!reopened) {
      decisions.push(decision);
      record({ kind: 'decided', decision });
    }
    for (const fact of facts(decision)) record(fact);
  }
  return { events, decisions, state };

  function* facts(decision: Decision): Generator<EventBody> {
    switch (decision.kind) {
      case 'measure-baseline':
        yield snapshot(0);
        for (const gate of spec.gates) yield judged(gate.name, 0, 1);
        yield {
          kind: 'tree.confirmed',
          iteration: 0,
          attempt: 1,
          tree,
          after: tree,
          work: tree,
          substance,
          moved: [],
          fresh: [],
        };
        return;
      case 'start-iteration': {
        if (state.current?.build) {
          yield snapshot(decision.iteration);
          return;
        }
        const turn = world.turn(decision.iteration);
        tree = turn.tree ?? tree;
        substance = turn.substance ?? tree;
        yield { kind: 'agent.started', iteration: decision.iteration, marker: 'm', prompt: 'p' };
        yield ended(decision.iteration, turn);
        if (turn.end?.kind !== 'unavailable') yield snapshot(decision.iteration);
        return;
      }
      case 'control':
        for (const gate of decision.gates)
          yield {
            kind: 'control.judged',
            iteration: decision.iteration,
            gate,
            verdict: world.controls?.(gate) ?? world.judge(gate, 'base', 0, 1),
            tookMs: 1,
          };
        return;
      case 'judge':
        yield* tampering(decision.iteration, decision.attempt);
        for (const gate of decision.gates)
          yield judged(gate, decision.iteration, decision.attempt, decision.unspared);
        return;
      case 'confirm': {
        const after = world.movedTo?.(tree, decision.attempt) ?? tree;
        const moved = after === tree ? [] : ['moved.txt'];
        yield {
          kind: 'tree.confirmed',
          iteration: decision.iteration,
          attempt: decision.attempt,
          tree,
          after,
          work: after,
          substance: after,
          moved,
          fresh: [],
        };
        tree = after;
        return;
      }
      case 'wait':
        yield { kind: 'wait.ended', waitedMs: decision.forMs };
        return;
      case 'consult': {
        const answer = world.advise?.(decision.iteration, state) ?? {
          kind: 'failed' as const,
          fault: noModule,
        };
        yield { kind: 'strategy.answered', iteration: decision.iteration, answer, tookMs: 1 };
        return;
      }
      case 'ask': {
        const said = world.answers?.(decision.iteration, state);
        const fact = { kind: 'person.answered', iteration: decision.iteration } as const;
        if (said) yield { ...fact, ...said, by: 'prompt' };
        else yield { ...fact, answer: decision.default, by: 'timeout' };
        return;
      }
      case 'make-move': {
        tree = decision.tree ?? tree;
        substance = tree;
        const back = decision.tree === undefined ? {} : { tree, work: tree, substance };
        yield { kind: 'move.made', iteration: decision.iteration, move: decision.move, ...back };
        return;
      }
      case 'notify': {
        const { about, iteration, gates } = decision;
        yield { kind: 'notified', about, iteration, gates, ways: [] };
        return;
      }
      case 'end-run':
        yield makeEnding(state, decision);
    }
  }

  function* tampering(iteration: number, attempt: number): Generator<EventBody> {
    const seen = world.tampers?.(tree, iteration);
    if (!seen) return;
    const none = { changed: [], ratchets: [], dependencies: [], sealed: true, tookMs: 1 };
    yield { ...none, ...seen, kind: 'integrity.checked', iteration, attempt, tree };
  }

  function snapshot(iteration: number): EventBody {
    const changed = { added: 0, modified: 1, deleted: 0, paths: ['a.js'] };
    return {
      kind: 'snapshot.taken',
      iteration,
      tree,
      work: tree,
      substance,
      changed,
      leftOut: [],
      nested: [],
      tookMs: 0,
    };
  }

  function judged(name: string, iteration: number, attempt: number, unspared = false): EventBody {
    const gate = spec.gates.find((one) => one.name === name)!;
    const verdicts = state.current?.verdicts ?? new Map();
    const unsealed = world.unsealed?.(name, tree);
    const fact = {
      kind: 'gate.judged',
      ...(unsealed === undefined ? {} : { unsealed }),
      ...world.beside?.(name, tree),
      ...(world.tampers ? { rung: 'sealed' as const } : {}),
      iteration,
      attempt,
      gate: name,
      tree,
      tookMs: 10,
      output: null,
    } as const;
    const spared = sparedVerdict(gate, { spec, iteration, verdicts, unspared: unspared || iteration === 0 });
    if (spared) return { ...fact, verdict: spared };
    if (!gate.inputs) return { ...fact, verdict: world.judge(name, tree, iteration, attempt) };
    const before = state.passes.get(name);
    if (before?.key === tree && !unspared)
      return { ...fact, verdict: before.verdict, inputsKey: tree, cached: true };
    return { ...fact, verdict: world.judge(name, tree, iteration, attempt), inputsKey: tree };
  }
}

function ended(iteration: number, turn: Turn): EventBody {
  const claim: Claim = { signal: 'DONE', line: 1, channel: 'text' };
  return {
    kind: 'agent.ended',
    iteration,
    end: turn.end ?? { kind: 'finished' },
    tookMs: turn.tookMs ?? 100,
    output: turn.similar ? 'ref' : null,
    outputBytes: turn.similar ? 100 : 0,
    similar: turn.similar ?? [],
    ...(turn.claim ? { claim } : {}),
    ...(turn.giveUp === undefined ? {} : { giveUp: turn.giveUp }),
    ...(turn.asks === undefined ? {} : { asks: turn.asks }),
    ...(turn.windows === undefined ? {} : { windows: turn.windows }),
    ...(turn.tokens === undefined ? {} : { tokens: turn.tokens }),
    ...(turn.costUsd === undefined ? {} : { costUsd: turn.costUsd }),
  };
}

/** A valid spec from the few fields that matter to a test. */
export function specOf(fields: Record<string, unknown> = {}): RunSpec {
  const parsed = parseSpec({ task: 'do it', agent: ['true'], gates: { tests: 'npm test' }, ...fields });
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems));
  return { ...parsed.spec, task: String(parsed.task) };
}

/** A failed verdict with these findings; `load` marks those that hide others. */
export function failed(
  ids: readonly string[],
  options: { load?: boolean; text?: string; passed?: number } = {},
): Verdict {
  return {
    kind: 'failed',
    findings: ids.map((id) => ({ id, title: id, ...(options.load ? { load: true as const } : {}) })),
    ...(options.passed === undefined
      ? {}
      : { tests: { passed: options.passed, failed: ids.length, skipped: 0 } }),
    excerpt: '',
    ...(options.text === undefined ? {} : { textKey: options.text }),
  };
}

/** Failed with nothing but an exit code. */
export const red = (text?: string): Verdict => ({
  kind: 'failed',
  findings: [{ id: 'exit:1', title: 'exited with 1', synthetic: true }],
  excerpt: '',
  ...(text === undefined ? {} : { textKey: text }),
});

export const green: Verdict = { kind: 'passed' };
