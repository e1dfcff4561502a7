import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Gate,
  type GateRequest,
  invariant,
  type LevelResult,
  type TestCase,
  type TestCounts,
  type Verdict,
} from '@agentgate/core';
import { bounded } from '../command.ts';
import { makeFailed } from '../failed.ts';
import { haltOf } from '../fault-of.ts';
import { viewRoot } from '../in-room.ts';
import { type Halt, stopped } from '../step.ts';
import { judgeBlackbox } from './blackbox.ts';
import { judgeContracts } from './contracts.ts';
import type { Level, LevelName, LevelsGate, Scene, Seen } from './level.ts';
import { listFiles } from './project-files.ts';
import { judgeSanity } from './sanity.ts';
import { judgeTests } from './tests.ts';

interface Rung {
  level: LevelName;
  section: 'contracts' | 'tests' | 'blackbox' | 'sanity';
  judge: Level;
}

const rungs: readonly Rung[] = [
  { level: 'L0', section: 'contracts', judge: judgeContracts },
  { level: 'L1', section: 'tests', judge: judgeTests },
  { level: 'L2', section: 'blackbox', judge: judgeBlackbox },
  { level: 'L3', section: 'sanity', judge: judgeSanity },
];

const mostChecks = 100;
const mostCases = 50_000;

/** Judges the levels in their order. The first that fails leaves the rest not run, and not run is not passed. */
export const judgeLevels: Gate = async (request) => {
  const { gate } = request;
  invariant(gate.kind === 'levels', 'a levels gate has levels');
  const from = performance.now();
  let listed: Promise<readonly string[]> | undefined;
  const files = () => (listed ??= listIn(request));
  const scene: Scene = { request, gate, untilMs: from + request.timeoutMs, files };
  const cases: TestCase[] = [];
  const { verdict, printed } = await climb(scene, cases);
  const more = cases.length === 0 ? {} : { cases: cases.slice(0, mostCases) };
  return { verdict, tookMs: performance.now() - from, output: bounded(printed), ...more };
};

/** In a room, what it has of the project: files that were left out of it are not judged. */
async function listIn(request: GateRequest): Promise<readonly string[]> {
  const files = await listFiles(request.root);
  if (request.room === undefined) return files;
  const base = viewRoot(request);
  return files.filter((path) => lstatSync(join(base, path), { throwIfNoEntry: false }) !== undefined);
}

async function climb(scene: Scene, cases: TestCase[]): Promise<{ verdict: Verdict; printed: string }> {
  const levels: LevelResult[] = [];
  const notes: string[] = [];
  let printed = '';
  let tests: TestCounts | undefined;
  for (const [at, { level, section, judge }] of rungs.entries()) {
    if (scene.gate[section] === undefined) {
      levels.push({ level, status: 'skipped', checks: [] });
      continue;
    }
    const seen = await judgeOne(scene, judge);
    if (seen.kind === 'halt') return { verdict: seen.verdict, printed };
    const passed = seen.findings.length === 0;
    levels.push({ level, status: passed ? 'passed' : 'failed', checks: seen.checks.slice(0, mostChecks) });
    notes.push(...seen.notes);
    printed += seen.printed;
    tests = seen.tests ?? tests;
    for (const one of seen.cases) cases.push({ ...one, id: `${level}:${one.id}` });
    if (!passed) {
      const rest = restOf(scene.gate, rungs.slice(at + 1));
      return { verdict: fail(seen, level, [...levels, ...rest], notes, tests), printed };
    }
  }
  const note = noteOf(notes);
  const more = { levels, ...(tests ? { tests } : {}), ...(note ? { note } : {}) };
  return { verdict: { kind: 'passed', ...more }, printed };
}

async function judgeOne(scene: Scene, judge: Level): Promise<Seen | Halt> {
  const { request, untilMs } = scene;
  if (request.signal.aborted) return stopped;
  if (performance.now() >= untilMs) {
    return { kind: 'halt', verdict: { kind: 'timed-out', afterMs: request.timeoutMs, excerpt: '' } };
  }
  // Git may be missing and a folder may be unreadable: neither says anything about the work.
  return judge(scene).catch(haltOf);
}

const restOf = (gate: LevelsGate, rest: readonly Rung[]): LevelResult[] =>
  rest.map(({ level, section }) => ({
    level,
    status: gate[section] === undefined ? 'skipped' : 'not-run',
    checks: [],
  }));

function fail(
  seen: Seen,
  level: LevelName,
  levels: readonly LevelResult[],
  notes: readonly string[],
  tests: TestCounts | undefined,
): Verdict {
  const own = seen.findings.map((one) => ({ ...one, id: `${level}:${one.id}` }));
  const note = noteOf(notes);
  // What a level that did not run would have found is hidden, not fixed. Where nothing but an exit code is known,
  // the whole gate hides what it knows anyway.
  const hides = own.some((one) => one.synthetic !== true);
  const hidden = levels.filter(({ status }) => hides && status === 'not-run');
  const covers = hidden.map((one) => ({
    id: `${one.level}:not-run`,
    title: `${one.level} was not judged, because ${level} failed`,
    file: one.level,
    load: true as const,
  }));
  return makeFailed([...own, ...covers], seen.said, {
    levels: [...levels],
    ...(tests ? { tests } : {}),
    ...(note ? { note } : {}),
  });
}

function noteOf(notes: readonly string[]): string | undefined {
  return notes.length === 0 ? undefined : notes.join('; ').slice(0, 1_000);
}
