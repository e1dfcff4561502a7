import { randomBytes } from 'node:crypto';
import {
  FaultError,
  fault,
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
import { canaryBeside, type Canary, withoutCanary } from './canary.ts';
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
  const baselineOf = (tree: string): Promise<Baseline> => {
    const known = baselines.get(tree) ?? openBaseline(tree, options);
    baselines.set(tree, known);
    return known;
  };
  const desk = makeDesk(rooms, options);
  let rehearsals: Rehearsals | { why: string } | null = null;

  async function judgeAt(request: GateRequest, at: SealedAt): Promise<Sealed> {
    const { rung, runner } = at;
    const baseline = await baselineOf(at.baseTree);
    const known = runner === undefined ? null : baseline.knownRunner(request.gate);
    const own = { rung, ...(runner === undefined ? {} : { runner }) };
    const canary = at.canaries && known && !request.only ? await canaryFor(baseline, known) : null;
    const first = await judgeOnce(request, at, known, canary);
    if (!canary) return { ...first, ...own };
    const verdict = withoutCanary(first.verdict, first.cases, canary);
    if (verdict !== 'uncarried') return { ...first, ...own, verdict, cases: withoutMark(first, canary) };
    await desk.rest();
    return { ...(await judgeOnce(request, at, known, null)), ...own };
  }

  async function judgeOnce(
    request: GateRequest,
    { tree, baseTree, form, rung }: Omit<SealedAt, 'canaries'>,
    known: Known | null,
    canary: Canary | null,
  ): Promise<Sealed> {
    const { request: asked, picked } = known ? reporting(request, known) : { request, picked: false };
    const mark = picked ? { picked: true as const } : {};
    if (rung === 'in-place' || rooms.kind === 'none')
      return { ...(await judgeHere(options.judge, asked)), ...mark };
    const compared = comparisons.get(`${baseTree} ${tree}`);
    const plan = form === 'sealed' ? compared?.plan : undefined;
    const replaced = new Map(plan?.replaced);
    if (canary) replaced.set(canary.path, canary.content);
    const fromBase = (one: string) => plan?.fromBase.has(one) ?? false;
    const judged = await desk.judge(asked, rung, {
      key: `${form} ${tree} ${canary?.path ?? ''}`,
      tree,
      sealed: { baseTree, fromBase, replaced },
    });
    return { ...judged, ...mark };
  }

  return {
    async rehearse(request, tree) {
      if (!roomable.includes(request.gate.kind)) return options.judge(request);
      rehearsals ??= await beginRehearsals(tree);
      return rehearseGate({
        request,
        strict: options.spec.integrity.mode === 'strict',
        rooms: rehearsals,
        known: (await baselineOf(tree)).knownRunner(request.gate),
        judge: options.judge,
        judgeEmpty: (asked, { rung }) => judgeEmpty(asked, rung),
      });
    },
    async compare({ tree, baseTree }, { grants, rungs }) {
      const compared = await compareTrees(await baselineOf(baseTree), tree, grants, options);
      comparisons.set(`${baseTree} ${tree}`, compared);
      const sealed = rooms.kind === 'rooms' && !rungs.includes('in-place');
      return { sealed, ...compared.checked };
    },
    judge: judgeAt,
    async whereabouts({ tree, baseTree }, paths) {
      const moves = new Map(
        comparisons.get(`${baseTree} ${tree}`)?.moves.map((one) => [one.from, one.to]) ?? [],
      );
      const files = new Map(
        (await (await baselineOf(baseTree)).reader.list(tree)).map((one) => [one.path, one.oid]),
      );
      return paths.flatMap((was) => {
        const path = files.has(was) ? was : (moves.get(was) ?? was);
        const oid = files.get(path);
        return oid === undefined ? [] : [{ was, path, oid }];
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

async function canaryFor(baseline: Baseline, { runner }: Known): Promise<Canary | null> {
  if (!isTestRunner(runner)) return null;
  const nonce = wordOf(randomBytes(10));
  for (const { path, text } of await baseline.testFiles(runner)) {
    const canary = canaryBeside(runner, path, text, nonce);
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
