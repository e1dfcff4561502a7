import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fault, type Finding, showDuration } from '@agentgate/core';
import { look, outsideFault } from '../inside.ts';
import { whatIsMissing } from '../missing.ts';
import { excerpt } from '../excerpt.ts';
import { ownProgram } from '../own-program.ts';
import { type Halt, halt, type Ran, runStep, type Stepped } from '../step.ts';
import { judgeExpectations } from './expect.ts';
import { add, type BlackboxCheck, type Level, nothingSeen, type Scene } from './level.ts';

/** L2: the program from the outside, each check by itself. */
export const judgeBlackbox: Level = async (scene) => {
  const seen = nothingSeen();
  for (const check of scene.gate.blackbox ?? []) {
    const judged = await inFixture(scene, check, (cwd) => judgeCheck(scene, check, cwd));
    if (!Array.isArray(judged)) return judged;
    add(seen, check.name, judged);
  }
  return seen;
};

async function judgeCheck(scene: Scene, check: BlackboxCheck, cwd: string): Promise<Finding[] | Halt> {
  const { run, env, stdin = '', timeout } = check;
  const stepped = await runStep(scene.request, { run, cwd, env, stdin, timeoutMs: timeout }, scene.untilMs);
  const absent = absentIn(check, stepped);
  if (absent !== undefined) return [absent];
  if (stepped.kind === 'halt') return stepped;
  if (stepped.kind === 'late') {
    const title = `${check.name}: did not end within ${showDuration(stepped.afterMs)}`;
    return [{ id: `${check.name}:timeout`, title, message: excerpt(stepped.output).slice(0, 500) }];
  }
  return missingIn(check, stepped) ?? judgeExpectations(scene, check, stepped);
}

/** A program of the project that is not there yet is work to be done; only foreign ones keep us from judging. */
function absentIn({ name, run }: BlackboxCheck, stepped: Stepped): Finding | undefined {
  const program = ownProgram(run);
  if (program === undefined) return undefined;
  const isMissing =
    stepped.kind === 'halt'
      ? stepped.verdict.kind === 'unable' && stepped.verdict.fault.code === 'gate.missing'
      : stepped.kind === 'ran' && stepped.end.kind === 'exited' && [126, 127].includes(stepped.end.code);
  return isMissing
    ? { id: `${name}:missing`, title: `${name}: ${program} is not there or cannot be run`, file: program }
    : undefined;
}

function missingIn({ run, expect }: BlackboxCheck, { end, output }: Ran): Halt | undefined {
  if (end.kind !== 'exited' || end.code === (expect.exitCode ?? 0)) return undefined;
  const missing = whatIsMissing(output, end.code, run);
  if (missing === undefined) return undefined;
  const message = `${missing}; install it, or correct the gate's command`;
  return halt({ kind: 'unable', fault: fault('gate.missing', message), excerpt: excerpt(output) });
}

/** Gives the check a fresh copy of its folder, so that no check sees what another one left. */
async function inFixture<T>(
  { request }: Scene,
  { fixture }: BlackboxCheck,
  work: (cwd: string) => Promise<T>,
): Promise<T | Halt> {
  if (fixture === undefined) return work(request.root);
  const found = await look(request, fixture);
  if (found.kind === 'outside') {
    return halt({ kind: 'unable', fault: outsideFault(request.gate.name, fixture) });
  }
  if (found.kind !== 'inside') {
    const message = `gate ${request.gate.name} has no fixture ${fixture}; make the folder, or correct its path`;
    return halt({ kind: 'unable', fault: fault('gate.reference', message) });
  }
  // The room has temporary files of its own, which lie elsewhere for us.
  const copy = await mkdtemp(join(request.room?.resolve('/tmp') ?? tmpdir(), 'agentgate-fixture-'));
  try {
    await cp(found.path, copy, { recursive: true, verbatimSymlinks: true });
    return await work(request.room === undefined ? copy : join('/tmp', basename(copy)));
  } finally {
    // What the program made unremovable stays in the temporary folder; that says nothing about the work.
    await rm(copy, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  }
}
