import { randomBytes } from 'node:crypto';
import {
  FaultError,
  fault,
  type Finding,
  invariant,
  type Gate,
  type GateRequest,
  type Judgement,
  type NamedGate,
  type RunSpec,
  type Rung,
  type Runner,
  type Seal,
  type Sealed,
  type SealedAt,
  type TestRunner,
  testRunners,
} from '@agentgate/core';
import {
  judgeHere,
  needsOf,
  type OpenedRoom,
  openRehearsals,
  openRooms,
  type Rehearsals,
  type Rooms,
  type SealedPaths,
} from '../room/index.ts';
import type { GitWorkspace } from '../workspace/index.ts';
import { type Baseline, openBaseline } from './baseline.ts';
import { bend, passingWhenBent } from './bent.ts';
import { canaryBeside, type Canary, canaryWithin, redIn, withoutCanary } from './canary.ts';
import { compareTrees, type Compared } from './compare.ts';
import { rehearseGate } from './rehearse.ts';
import { type Known, reporting } from './runner.ts';

export interface SealOptions {
  /** Our own folder for this workspace's rooms. */
  room: string;
  gitDir: string;
  root: string;
  spec: RunSpec;
  workspace: GitWorkspace;
  judge: Gate;
  /** Host paths that gates must not see. */
  hide: readonly string[];
  /** Whether a person wants no room to be used. */
  unwanted?: boolean;
}

/** Kinds of gates that start programs in the workspace or read its files. */
const roomable: readonly NamedGate['kind'][] = ['command', 'levels', 'checklist', 'artifact', 'http'];

/** Keeps the gates of one run from its agent: rooms of their own where these can be had. */
export async function openSeal(options: SealOptions): Promise<Seal> {
  const rooms = options.unwanted ? unwanted : await openRooms(roomsOptions(options));
  const baselines = new Map<string, Promise<Baseline>>();
  const comparisons = new Map<string, Compared>();
  /** What each gate found wrong before anyone worked. */
  const reds = new Map<string, readonly Finding[]>();
  const baselineOf = (tree: string): Promise<Baseline> => {
    const known = baselines.get(tree) ?? openBaseline(tree, options);
    baselines.set(tree, known);
    return known;
  };
  const desk = makeDesk(rooms, options);
  const strict = options.spec.integrity.mode === 'strict';
  let rehearsals: Rehearsals | { why: string } | null = null;

  async function judgeAt(request: GateRequest, at: SealedAt): Promise<Sealed> {
    const { rung, runner } = at;
    const baseline = await baselineOf(at.baseTree);
    const known = runner === undefined ? null : baseline.knownRunner(request.gate);
    const own = { rung, ...(runner === undefined ? {} : { runner }) };
    if (!known || request.only) return { ...(await judgeOnce(request, at, known)), ...own };
    const judged = at.canaries
      ? await judgeWithCanary(request, at, known, baseline)
      : await judgeOnce(request, at, known);
    if (judged.verdict.kind !== 'passed' || at.form !== 'sealed' || isInPlace(rung))
      return { ...judged, ...own };
    const bent = isDoubted(at) ? await judgeBent(request, at, known, baseline) : null;
    if (bent || at.canaries) return { ...judged, ...own, ...bent };
    return { ...(await withoutNewTests(judged, request, at, known)), ...own };
  }

  async function judgeWithCanary(
    request: GateRequest,
    at: SealedAt,
    known: Known,
    baseline: Baseline,
  ): Promise<Sealed> {
    const canary = await canaryFor(baseline, known, reds.get(request.gate.name));
    if (!canary) return judgeOnce(request, at, known, { alone: true });
    const put = new Map([[canary.path, canary.content]]);
    const first = await judgeOnce(request, at, known, { alone: true, put });
    const verdict = withoutCanary(first.verdict, first.cases, canary);
    if (verdict !== 'uncarried') return { ...first, verdict, cases: withoutMark(first, canary) };
    await desk.rest();
    return judgeOnce(request, at, known, { alone: true });
  }

  /** Nothing where every test fails that is told to expect what cannot be. */
  async function judgeBent(
    request: GateRequest,
    at: SealedAt,
    { runner, ...words }: Known,
    baseline: Baseline,
  ): Promise<Pick<Sealed, 'verdict'> | null> {
    const files = isTestRunner(runner) ? await baseline.testFiles(runner, mostBent) : [];
    const bent = files.flatMap(({ path, text }) => bend(path, text) ?? []);
    if (bent.length === 0) return null;
    const put = new Map(bent.map(({ path, content }) => [path, content]));
    const { cases = [] } = await judgeOnce(request, at, { runner, ...words }, { alone: true, put });
    const findings = passingWhenBent(bent, cases);
    const excerpt = findings.map((one) => one.title).join('\n');
    return findings.length === 0 ? null : { verdict: { kind: 'failed', findings, excerpt } };
  }

  /** The old tests must pass by themselves. Before a run in strict mode converges they are judged so anyway. */
  async function withoutNewTests(
    judged: Sealed,
    request: GateRequest,
    at: SealedAt,
    known: Known,
  ): Promise<Sealed> {
    const { newTests } = comparisons.get(`${at.baseTree} ${at.tree}`) ?? {};
    if (!newTests?.size || strict) return judged;
    const alone = await judgeOnce(request, at, known, { alone: true });
    const tookMs = judged.tookMs + alone.tookMs;
    if (alone.verdict.kind === 'passed') return { ...judged, ...casesOf(alone), tookMs };
    if (alone.verdict.kind !== 'failed') return { ...alone, tookMs };
    const excerpt = `without the new files of tests:\n${alone.verdict.excerpt}`;
    return { ...alone, tookMs, verdict: { ...alone.verdict, excerpt } };
  }

  /** Packages of the agent's are code that nobody compares. Before a run in strict mode converges all is doubted. */
  const isDoubted = ({ canaries, baseTree, tree }: SealedAt): boolean => {
    const { dependencies } = comparisons.get(`${baseTree} ${tree}`)?.checked ?? { dependencies: [] };
    return canaries === true || (!strict && dependencies.length > 0);
  };

  const isInPlace = (rung: Rung): boolean => rung === 'in-place' || rooms.kind === 'none';

  async function judgeOnce(
    request: GateRequest,
    { tree, baseTree, form, rung }: Omit<SealedAt, 'canaries'>,
    known: Known | null,
    { alone = false, put = new Map() }: Staged = {},
  ): Promise<Sealed> {
    const { request: asked, picked } = known ? reporting(request, known) : { request, picked: false };
    const mark = picked ? { picked: true as const } : {};
    if (isInPlace(rung)) return { ...(await judgeHere(options.judge, asked)), ...mark };
    const compared = form === 'sealed' ? comparisons.get(`${baseTree} ${tree}`) : undefined;
    const replaced = new Map([...(compared?.plan.replaced ?? []), ...put]);
    const isLeftOut = (one: string) => alone && (compared?.newTests.has(one) ?? false);
    const fromBase = (one: string) => isLeftOut(one) || (compared?.plan.fromBase.has(one) ?? false);
    const judged = await desk.judge(asked, rung, {
      key: [form, tree, alone, ...put.keys()].join(' '),
      tree,
      sealed: { baseTree, fromBase, replaced },
    });
    return { ...judged, ...mark };
  }

  return {
    async rehearse(request, tree) {
      if (!roomable.includes(request.gate.kind)) return options.judge(request);
      rehearsals ??= await beginRehearsals(tree);
      const rehearsed = await rehearseGate({
        request,
        strict,
        rooms: rehearsals,
        known: (await baselineOf(tree)).knownRunner(request.gate),
        judge: options.judge,
        judgeEmpty: (asked, { rung }) => judgeEmpty(asked, rung),
      });
      if (rehearsed.verdict.kind === 'failed') reds.set(request.gate.name, rehearsed.verdict.findings);
      return rehearsed;
    },
    async compare({ tree, baseTree }, { grants, rungs }) {
      const compared = await compareTrees(await baselineOf(baseTree), tree, grants, options);
      comparisons.set(`${baseTree} ${tree}`, compared);
      const sealed = rooms.kind === 'rooms' && !rungs.includes('in-place');
      return { sealed, ...compared.checked };
    },
    judge: judgeAt,
    async whereabouts({ tree, baseTree }, paths) {
      const { moves = [], stubs = [] } = comparisons.get(`${baseTree} ${tree}`) ?? {};
      const moved = new Map(moves.map((one) => [one.from, one.to]));
      const files = new Map(
        (await (await baselineOf(baseTree)).reader.list(tree)).map((one) => [one.path, one.oid]),
      );
      return paths.flatMap((was) => {
        const now = files.has(was) ? was : (moved.get(was) ?? was);
        const left = stubs.filter((one) => one.from === was).map((one) => one.to);
        return [now, ...left].flatMap((path) => {
          const oid = files.get(path);
          return oid === undefined ? [] : [{ was, path, oid }];
        });
      });
    },
    rest,
    async close() {
      await rest();
      for (const baseline of baselines.values()) (await baseline).close();
    },
  };

  /** A room that cannot be furnished is none: the gates judge in place, and it is said why. */
  async function beginRehearsals(tree: string): Promise<Rehearsals | { why: string }> {
    if (rooms.kind === 'none') return { why: rooms.why };
    try {
      await rooms.capture(await options.workspace.repositories());
      return openRehearsals(rooms, tree, options.judge);
    } catch (error) {
      if (!(error instanceof FaultError)) throw asFull(error, options.room);
      if (!error.fault.code.startsWith('room.')) throw error;
      return { why: error.fault.message };
    }
  }

  async function judgeEmpty(request: GateRequest, rung: Rung): Promise<Judgement> {
    invariant(rooms.kind === 'rooms', 'there are rooms where a gate is sealed');
    const room = await rooms.openEmpty();
    try {
      return await options.judge({ ...request, room: room.forGate(rung, needsOf(request.gate)) });
    } finally {
      await room.close();
    }
  }

  async function rest(): Promise<void> {
    await desk.rest();
    if (rehearsals && 'close' in rehearsals) await rehearsals.close();
    rehearsals = null;
  }
}

const unwanted = { kind: 'none', why: 'sandbox: none was asked for' } as const;

const roomsOptions = ({ room, gitDir, root, workspace, hide }: SealOptions) => ({
  home: { room },
  gitDir,
  root,
  workspace,
  hide,
});

interface Shown {
  /** Two judgements with the same key share a room, and what is written in it. */
  key: string;
  tree: string;
  sealed: SealedPaths;
}

/** The one room that is open, and the judging in it. */
function makeDesk(rooms: Rooms | { kind: 'none' }, { judge, spec, room }: SealOptions) {
  let open: { key: string; room: OpenedRoom } | null = null;
  async function rest(): Promise<void> {
    const { room } = open ?? {};
    open = null;
    await room?.close();
  }
  async function roomFor(
    request: GateRequest,
    rung: Rung,
    { key, tree, sealed }: Shown,
  ): Promise<OpenedRoom> {
    invariant(rooms.kind === 'rooms', 'there are rooms where a gate is sealed');
    const ignored = rung === 'ignored' || rung === 'network';
    const whole = `${key} ${ignored}`;
    if (open?.key === whole) return open.room;
    await rest();
    const prepare = spec.prepare ? { prepare: prepareOf(spec.prepare, request) } : {};
    const room = await rooms.open(tree, { sealed, ignored, ...prepare });
    open = { key: whole, room };
    return room;
  }
  return {
    rest,
    async judge(request: GateRequest, rung: Rung, shown: Shown): Promise<Judgement> {
      try {
        const opened = await roomFor(request, rung, shown);
        return await judge({ ...request, room: opened.forGate(rung, needsOf(request.gate)) });
      } catch (error) {
        // A room that cannot be had says nothing about the work.
        if (!(error instanceof FaultError)) throw asFull(error, room);
        if (!error.fault.code.startsWith('room.')) throw error;
        return { verdict: { kind: 'unable', fault: error.fault }, tookMs: 0, output: '' };
      }
    },
  };
}

/** A full disk under our own folder is a reason to wait, like one under the log. */
function asFull(error: unknown, room: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return error;
  const message = `no space left for the gates' room in ${room}; free some, then run agentgate resume`;
  return new FaultError(fault('state.full', message, error));
}

const prepareOf = ({ run, timeout }: NonNullable<RunSpec['prepare']>, { marker, signal }: GateRequest) => ({
  run,
  timeoutMs: timeout,
  marker,
  signal,
});

/** What is different in a judgement that only asks whether another one can be believed. */
interface Staged {
  /** Without the tests that were not there before the run. */
  alone?: boolean;
  /** Files of ours. */
  put?: ReadonlyMap<string, string>;
}

const mostSiblings = 5;
const mostBent = 60;

const casesOf = ({ cases }: Judgement) => (cases ? { cases } : {});

async function canaryFor(
  baseline: Baseline,
  { runner }: Known,
  reds: readonly Finding[] = [],
): Promise<Canary | null> {
  if (!isTestRunner(runner)) return null;
  const nonce = wordOf(randomBytes(10));
  for (const { path, text } of await baseline.testFiles(
    runner,
    mostSiblings,
    (path) => redIn(path, reds) !== undefined,
  )) {
    const red = runner === 'pytest' ? redIn(path, reds) : undefined;
    const canary =
      red === undefined ? canaryBeside(runner, path, text, nonce) : canaryWithin(path, text, nonce, red);
    if (canary) return canary;
  }
  return null;
}

const isTestRunner = (runner: Runner): runner is TestRunner =>
  (testRunners as readonly string[]).includes(runner);

/** Letters alone, none of which could be a digit of a hash: names of tests keep such a word as it is. */
const wordOf = (bytes: Buffer): string =>
  [...bytes].map((byte) => String.fromCharCode('g'.charCodeAt(0) + (byte % 20))).join('');

const withoutMark = ({ cases }: Judgement, { mark }: Canary) =>
  (cases ?? []).filter((one) => !one.id.includes(mark));
