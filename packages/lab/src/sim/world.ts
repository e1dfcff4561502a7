import type { Added } from '@agentgate/core';
import { type DiskTrouble, makeDisk, type SimDisk } from './disk.ts';
import type { Fault, Plan, Turn } from './plan.ts';
import { makeTimetable, type Timetable } from './time.ts';
import type { Files } from './tree.ts';

/** A process that lives in the world whether or not the controller does. */
export interface Process {
  kind: 'agent' | 'orphan';
  runId: string;
  end(): void;
}

/** Something that must never be, with the name of the invariant it breaks. */
export interface Violation {
  id: string;
  text: string;
}

/** What really happened, told by the world and not by the controller. */
export interface Truth {
  violations: Violation[];
  /** Each time an agent really began, and whether it did any work of an iteration. */
  begun: { key: string; away: boolean }[];
  /** What each gate looked at when it last answered. */
  looked: Map<string, { tree: string; passed: boolean }>;
  /** The same for the judgement before the run. */
  lookedFirst: Map<string, string>;
  /** How many decisions were recorded when the room set aside was given up; null while it is not. */
  fullAfter: number | null;
  /** When a person asked for an end, in a way that reached the living controller. */
  stopMs: number | null;
  redirects: number;
  /** How many letters were put into the inbox of each run. */
  letters: Map<string, number>;
  /** What agents that told it have cost so far. */
  told: { tokens: number; costUsd: number }[];
  /** Spans in which something worked for the run. */
  worked: { fromMs: number; toMs: number }[];
  crashes: number;
  /** Crashes in which an agent was at work. */
  cutAgents: number;
  powerCuts: number;
  /** Somebody undid a change while a gate was at work: nobody who looks before and after can see that. */
  undone: boolean;
  /** What lay in the workspace when people began to be told of the last end; what they do from then on is theirs. */
  toldWith: string | null;
  frozenMs: number;
  /** Where the controller was when it died, and what was open when a person stopped it. */
  seen: Map<string, number>;
}

export interface World {
  readonly plan: Plan;
  readonly time: Timetable;
  readonly disk: SimDisk;
  readonly truth: Truth;
  readonly trees: Map<string, Files>;
  readonly processes: Set<Process>;
  /** Null when somebody has deleted the workspace. */
  files: Map<string, string> | null;
  steps: number;
  /** How often the controller was at each kind of dealing. */
  readonly sites: Map<string, number>;
  /** Which of the agent's turns comes next. */
  turns: number;
  /** An agent has begun, and its end is not recorded. */
  isAgentOut: boolean;
  /** What lay there when each of the gates at work began. */
  readonly judging: Set<Files>;
  /** How often each gate has run. */
  gateTimes: Map<string, number>;
  wallOffsetMs: number;
  boot: number;
  /** For how long there is no controller after the last one died. */
  downMs: number;
  /** Decisions that were acknowledged so far. */
  recorded: number;
  /** Iterations that a person has added so far. */
  granted: number;
  /** All that persons have added so far. */
  readonly added: Added[];
  isFull(): boolean;
  /** A person stops the controller now. */
  onStop?: () => void;
  /** Persons look whether it is their moment. */
  onPoint?: () => void;
  /** What stands for chance where a name must be new. */
  letters: number;
  life: Life | null;
  wallMs(): number;
  nextTurn(): Turn;
  /** Somebody who is no agent writes to a file. */
  edit(file: string, text: string): void;
  broken(id: string, text: string): void;
  saw(what: string): void;
  faults<K extends Fault['kind']>(kind: K): Extract<Fault, { kind: K }>[];
  /** Acts as a process that is none of the controller's: nothing of what it does is a point of failure. */
  outside<T>(act: () => T): T;
}

/** One process of the controller, from its start to its death. */
export interface Life {
  readonly bornMs: number;
  alive: boolean;
  frozenUntilMs: number;
  /** A dealing with the world, before or after which it may die. */
  point(site: string): void;
}

/** Thrown in a controller that has just died; nothing that catches it may act. */
export class Died extends Error {}

export function makeWorld(plan: Plan): World {
  const time = makeTimetable();
  const byKind = new Map<string, Fault[]>();
  for (const fault of plan.faults) byKind.set(fault.kind, [...(byKind.get(fault.kind) ?? []), fault]);
  const faults = <K extends Fault['kind']>(kind: K) =>
    (byKind.get(kind) ?? []) as Extract<Fault, { kind: K }>[];
  let isOutside = false;
  let slack = false;
  const crashNext = () => !isOutside && faults('crash').find((one) => one.step === world.steps + 1);
  const trouble: DiskTrouble = {
    point(site) {
      if (!isOutside) world.life?.point(site);
    },
    shortWrite(bytes) {
      const crash = crashNext();
      if (crash) return { written: Math.floor(bytes * crash.share), code: 'crash' };
      return trouble.isFull() ? { written: bytes >> 1, code: 'ENOSPC' } : null;
    },
    failsToSync: () => !isOutside && faults('io-error').some((one) => one.step === world.steps),
    get slack() {
      return slack;
    },
    set slack(given) {
      slack = given;
      world.truth.fullAfter = given ? world.recorded : null;
    },
    isFull: () =>
      !isOutside &&
      !trouble.slack &&
      faults('no-space').some((one) => world.steps >= one.step && world.steps < one.step + one.steps),
    nowMs: () => world.wallMs(),
  };
  const world: World = {
    plan,
    time,
    disk: makeDisk(trouble),
    truth: {
      violations: [],
      begun: [],
      looked: new Map(),
      lookedFirst: new Map(),
      fullAfter: null,
      stopMs: null,
      redirects: 0,
      letters: new Map(),
      told: [],
      worked: [],
      crashes: 0,
      cutAgents: 0,
      powerCuts: 0,
      undone: false,
      toldWith: null,
      frozenMs: 0,
      seen: new Map(),
    },
    trees: new Map(),
    processes: new Set(),
    files: new Map(Object.entries(plan.files)),
    steps: 0,
    sites: new Map(),
    isAgentOut: false,
    turns: 0,
    judging: new Set(),
    gateTimes: new Map(),
    wallOffsetMs: Date.UTC(2026, 0, 1),
    boot: 1,
    downMs: 0,
    recorded: 0,
    granted: 0,
    added: [],
    isFull: () => trouble.isFull(),
    letters: 0,
    life: null,
    wallMs: () => world.wallOffsetMs + time.nowMs,
    nextTurn() {
      const turn = plan.turns[world.turns % plan.turns.length]!;
      world.turns += 1;
      return turn;
    },
    edit(file, text) {
      const isBack = world.files?.get(file) !== text;
      if (isBack && [...world.judging].some((files) => files.get(file) === text)) world.truth.undone = true;
      world.files?.set(file, text);
    },
    broken(id, text) {
      if (world.truth.violations.length < 5) world.truth.violations.push({ id, text });
    },
    saw: (what) => void world.truth.seen.set(what, (world.truth.seen.get(what) ?? 0) + 1),
    faults,
    outside(act) {
      const before = isOutside;
      isOutside = true;
      try {
        return act();
      } finally {
        isOutside = before;
      }
    },
  };
  return world;
}
