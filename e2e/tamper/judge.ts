import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { type Ended, outcomeOf, start } from '../support/command.ts';
import { agentScript } from './agent.ts';
import type { Base, Honest, Trick } from './case.ts';
import { type Home, makeHome } from './place.ts';

/** `plain` looks at the exit code of the gate and at nothing else. */
export const modes = ['plain', 'guarded', 'strict', 'held-out'] as const;
export type Mode = (typeof modes)[number];

type Work = Pick<Trick | Honest, 'edit' | 'script' | 'files' | 'gate' | 'report'>;

/** What became of one piece of work. */
export interface Judged {
  accepted: boolean;
  /** `converged goal.met`, or what the plain controller saw. */
  outcome: string;
  tookMs: number;
  /** What the command said, for people who wonder. */
  said: string;
}

const longestMs = 240_000;

/** Lets an agent do the work in a repository of its own, and judges it. */
export async function judge(base: Base, work: Work, mode: Mode): Promise<Judged> {
  const home = await makeHome(base, { ...work.files, 'agentgate.json': specOf(base, work, mode) });
  const from = performance.now();
  try {
    const judged =
      mode === 'plain' ? await judgePlainly(base, work, home) : await judgeByUs(work, mode, home);
    return { ...judged, tookMs: Math.round(performance.now() - from) };
  } finally {
    await home.remove();
  }
}

/** The loop that everybody writes first: run the agent, run the tests, believe the exit code. */
async function judgePlainly(base: Base, work: Work, home: Home): Promise<Omit<Judged, 'tookMs'>> {
  const gate = work.gate ?? base.gate;
  // Where a case has a repository of its own, that one must be red before anyone works, too.
  if ((work.files || work.gate) && (await inShell(gate, home)).code === 0)
    return { accepted: false, outcome: 'green before', said: '' };
  await inShell(agentScript(work), home);
  const { code, said } = await inShell(gate, home);
  return { accepted: code === 0, outcome: `exit ${code}`, said };
}

function inShell(text: string, { workspace, env }: Home): Promise<{ code: number | null; said: string }> {
  const child = spawn('sh', ['-c', text], { cwd: workspace, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk));
  const timer = setTimeout(() => child.kill('SIGKILL'), longestMs);
  // Not `close`: what the agent leaves behind may hold the pipes open.
  return new Promise((done) => {
    child.on('exit', (code) => {
      clearTimeout(timer);
      done({ code, said });
    });
  });
}

async function judgeByUs(work: Work, mode: Mode, home: Home): Promise<Omit<Judged, 'tookMs'>> {
  const integrity = mode === 'guarded' ? 'guarded' : 'strict';
  const words = ['run', '--json', '--integrity', integrity, '--max-iterations', '1'];
  const { child, ended } = start(home, [...words, '--', 'sh', '-c', agentScript(work)]);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    child.kill('SIGTERM');
  }, longestMs);
  const done = await ended;
  clearTimeout(timer);
  const { status, code } = readOutcome(done);
  return {
    accepted: status === 'converged',
    outcome: isLate ? 'took too long' : status === undefined ? `exit ${done.exit}` : `${status} ${code}`,
    said: `${done.stdout}${done.stderr}`,
  };
}

function readOutcome(ended: Ended): { status?: string; code?: string } {
  try {
    return outcomeOf(ended) as { status?: string; code?: string };
  } catch {
    // It ended without a word of its own, which is no acceptance.
    return {};
  }
}

function specOf(base: Base, { gate, report }: Work, mode: Mode): string {
  // The workspace is home/projects/shop, and the check lies beside the home.
  const held = join('..', '..', '..', 'held-out', base.heldOut.file);
  const gates = {
    judge: { run: gate ?? base.gate, ...(report ? { report } : {}) },
    ...(mode === 'held-out'
      ? { other: { run: `${base.heldOut.run} ${held}`, report: 'tap', heldOut: true } }
      : {}),
  };
  return `${JSON.stringify({ task: 'Make the gate pass.', gates }, null, 2)}\n`;
}
