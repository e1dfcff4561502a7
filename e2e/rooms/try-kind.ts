import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  GateInput,
  type GateRequest,
  type NamedGate,
  noRun,
  type Rung,
  type Verdict,
} from '../../packages/core/src/index.ts';
import { findProgram } from '../../packages/runtime/src/find-program.ts';
import { judge } from '../../packages/runtime/src/gates/index.ts';
import {
  agree,
  judgeHere,
  needsOf,
  openRehearsals,
  openRooms,
  type Rooms,
} from '../../packages/runtime/src/room/index.ts';
import { type GitWorkspace, openWorkspace } from '../../packages/runtime/src/workspace/index.ts';
import { type Fixture, type Kind, makeFixture } from './kind.ts';

export interface Row {
  name: string;
  /** Right, wrong with what is, or not run with why. */
  result: 'right' | 'wrong' | 'not run';
  rungs: string[];
  /** In place and in the room, for the untouched, the broken and the mended tree. */
  verdicts: string[];
  problems: string[];
  tookMs: number;
}

/** Tries one kind: in place and in the room must agree on every tree, and say what they should. */
export async function tryKind(kind: Kind): Promise<Row> {
  const row: Row = { name: kind.name, result: 'not run', rungs: [], verdicts: [], problems: [], tookMs: 0 };
  const missing = kind.programs.filter((program) => findProgram(program, '/') === null);
  if (missing.length > 0) return { ...row, problems: [`${missing.join(', ')} cannot be had here`] };
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'agentgate-rooms-')));
  const fromMs = performance.now();
  try {
    const fixture = makeFixture(home);
    if (!isMade(kind, fixture, row)) return row;
    await inRooms(home, fixture, (rooms, workspace) => tryTrees(kind, fixture, rooms, workspace, row)).catch(
      (error: unknown) => row.problems.push(String(error)),
    );
    return {
      ...row,
      result: row.problems.length === 0 ? 'right' : 'wrong',
      tookMs: performance.now() - fromMs,
    };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** What cannot be installed here says nothing about rooms. */
function isMade(kind: Kind, fixture: Fixture, row: Row): boolean {
  try {
    kind.make(fixture);
    return true;
  } catch (error) {
    const said = error instanceof Error ? error.message.split('\n').slice(0, 3).join(' ') : String(error);
    row.problems.push(`cannot be made here: ${said}`);
    return false;
  }
}

/** Opens the workspace and its rooms, captured as they are before anyone works. */
export async function inRooms<T>(
  home: string,
  { root }: Fixture,
  use: (rooms: Rooms, workspace: GitWorkspace) => Promise<T>,
): Promise<T> {
  const gitDir = join(home, 'git');
  const workspace = await openWorkspace({ root, gitDir });
  try {
    const rooms = await openRooms({ home: { room: join(home, 'room') }, gitDir, root, workspace });
    if (rooms.kind === 'none') throw new Error(rooms.why);
    return await use(rooms, workspace);
  } finally {
    await workspace.close();
  }
}

export function requestFor(root: string, name: string, options: unknown): GateRequest {
  const gate = { ...GateInput.parse(options), name } as NamedGate;
  const marker = `rooms-${process.pid}-${++count}`;
  return { gate, root, run: noRun, timeoutMs: 120_000, marker, signal: new AbortController().signal };
}

let count = 0;

async function tryTrees(
  kind: Kind,
  fixture: Fixture,
  rooms: Rooms,
  workspace: GitWorkspace,
  row: Row,
): Promise<void> {
  const { tree: baseTree, nested } = await workspace.snapshot({ ref: 'base' });
  const { leaks } = await rooms.capture(['', ...nested]);
  row.problems.push(...leaks.map(({ path, target }) => `${path} is called a leak to ${target}`));
  const requests = Object.entries(kind.gates).map(([name, gate]) => requestFor(fixture.root, name, gate));
  await rehearseAll(kind, rooms, baseTree, requests, row);
  for (const [wanted, change] of [
    [kind.broken ?? 'failed', kind.breakIt],
    [kind.untouched ?? 'passed', kind.mendIt],
  ] as const) {
    change(fixture);
    const { tree } = await workspace.snapshot({ ref: 'changed' });
    const sealed = { baseTree, fromBase: () => false };
    const room = await rooms.open(tree, {
      sealed,
      ignored: row.rungs.some((rung) => ignoring.includes(rung)),
    });
    const pairs: [Verdict, Verdict][] = [];
    for (const [at, request] of requests.entries()) {
      const here = await judgeHere(judge, request);
      const view = room.forGate(row.rungs[at] as Rung, needsOf(request.gate));
      pairs.push([here.verdict, (await judge({ ...request, room: view })).verdict]);
    }
    await room.close();
    settle(row, pairs, wanted);
  }
}

const ignoring = ['ignored', 'network'];

async function rehearseAll(
  kind: Kind,
  rooms: Rooms,
  tree: string,
  requests: readonly GateRequest[],
  row: Row,
): Promise<void> {
  const rehearsals = openRehearsals(rooms, tree, judge);
  for (const [at, request] of requests.entries()) {
    const { rung, judgement, line } = await rehearsals.rehearse(request);
    const wanted = kind.rungs?.[at] ?? 'sealed';
    row.rungs.push(rung);
    row.verdicts.push(judgement.verdict.kind);
    if (rung !== wanted) row.problems.push(`${request.gate.name} is ${rung} instead of ${wanted}: ${line}`);
    if (judgement.verdict.kind !== (kind.untouched ?? 'passed')) {
      row.problems.push(`${request.gate.name} is ${judgement.verdict.kind} on the untouched tree`);
    }
  }
  await rehearsals.close();
}

/** The last gate tells whether the tree is broken; every gate must say the same in place and in the room. */
function settle(row: Row, pairs: readonly [Verdict, Verdict][], wanted: string): void {
  for (const [here, there] of pairs) {
    if (!agree(here, there)) row.problems.push(`in place ${tell(here)}, in the room ${tell(there)}`);
  }
  const last = pairs.at(-1)?.[0].kind ?? 'nothing';
  row.verdicts.push(last);
  if (last !== wanted) row.problems.push(`${last} instead of ${wanted}`);
}

function tell(verdict: Verdict): string {
  if (verdict.kind === 'failed') return `failed (${verdict.excerpt.slice(0, 200)})`;
  return verdict.kind === 'unable' ? `unable (${verdict.fault.message})` : verdict.kind;
}
