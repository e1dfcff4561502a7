import type { Answer, BuildEnd, Changed, Claim, EventOf, StrategyAnswer } from './event.ts';
import type { MoveKind } from './spec.ts';
import type { Unchecked } from './tampering.ts';
import type { Verdict } from './verdict.ts';

/** The iteration that is being built or judged; number 0 is the baseline. */
export interface Current {
  iteration: number;
  marker: string | null;
  /** The start of the machine that the agent was begun under. */
  boot: string | null;
  /** Wall clock, in milliseconds, at which the agent was started. */
  startedAt: number | null;
  build: BuildEnd | null;
  tree: string | null;
  work: string;
  substance: string;
  changed: Changed | null;
  attempt: number;
  verdicts: Map<string, Verdict>;
  /** Gates whose verdict is an earlier one, used again because their inputs are the same. */
  cached: Set<string>;
  /** What gates with a generator of their own want the agent to be told. */
  gateWords: Map<string, string>;
  /** How gates answer with the agent's versions of protected files, where those were changed. */
  unsealed: Map<string, 'passed' | 'failed'>;
  /** By gate: files that it looked at before the run and no longer does. */
  unchecked: Map<string, readonly Unchecked[]>;
  /** By gate: how much of the code its tests ran, in per cent. */
  coverage: Map<string, number>;
  /** What the comparison with the baseline has shown. */
  integrity: EventOf<'integrity.checked'> | null;
  /** How gates answer without the agent's change. */
  controls: Map<string, Verdict>;
  /** By gate: how often it was judged on this tree. */
  times: Map<string, number>;
  /** Every gate has been judged a second time, for certainty. */
  second: boolean;
  /** Set when the tree was hashed again after the gates. */
  confirmed: { tree: string; after: string; moved: string[] } | null;
  movedBefore: string[];
  claim: Claim | null;
  giveUp: string | null;
  /** What the agent asks a person. */
  asks: string | null;
  /** Tools that the agent was not allowed to use. */
  denied: EventOf<'agent.ended'>['denied'] | null;
  /** The pause that a failed build or a gate's back-off asks for is over. */
  paused: boolean;
  /** What the strategy outside of the core answered about this iteration. */
  advice: StrategyAnswer | null;
  /** What a person answered about this iteration. */
  answer: { answer: Answer; byPerson: boolean } | null;
  /** The move that was made after this iteration; the next one begins with it. */
  move: MoveKind | null;
  /** The tree that a revert brought back after this iteration. */
  backTo: { tree: string; work: string } | null;
  toldWaiting: boolean;
  /** Gates that were cut off without a verdict are judged once more, not for ever. */
  again: boolean;
  similar: readonly (number | null)[];
  outputBytes: number;
  tokens: number | null;
  costUsd: number | null;
  tookMs: number;
  /** When its newest fact was recorded, for display. */
  at: string;
}

export function newCurrent(iteration: number): Current {
  return {
    iteration,
    marker: null,
    boot: null,
    startedAt: null,
    build: null,
    tree: null,
    work: '',
    substance: '',
    changed: null,
    attempt: 1,
    verdicts: new Map(),
    cached: new Set(),
    gateWords: new Map(),
    unsealed: new Map(),
    unchecked: new Map(),
    coverage: new Map(),
    integrity: null,
    controls: new Map(),
    times: new Map(),
    second: false,
    confirmed: null,
    movedBefore: [],
    claim: null,
    giveUp: null,
    asks: null,
    denied: null,
    paused: false,
    advice: null,
    answer: null,
    move: null,
    backTo: null,
    toldWaiting: false,
    again: false,
    similar: [],
    outputBytes: 0,
    tokens: null,
    costUsd: null,
    tookMs: 0,
    at: '',
  };
}
