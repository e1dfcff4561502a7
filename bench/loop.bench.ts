import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Event } from '../packages/core/src/event.ts';
import { inPlace, type Measured, makeRow, millisecondsOf } from './figures.ts';

const rounds = 3;
const turns = 3;
const gate = 'sleep 2; exit 1';
// The bundle lies in .cache/bench of the repository.
const bin = new URL('../../packages/cli/bin/agentgate.cjs', import.meta.url).pathname;

/** A whole run of the real command after its baseline, beside a shell loop over the same agent and gates. */
export function measureLoop(): Promise<Measured[]> {
  return inPlace(async (home) => {
    const ours: number[] = [];
    const beside: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const work = makeWork(home, round);
      const measures = [
        async () => ours.push(await runCommand(home, work)),
        async () => beside.push(await millisecondsOf(() => runLoop(work))),
      ];
      for (const measure of round % 2 === 0 ? measures : measures.toReversed()) await measure();
    }
    const note = `${turns} iterations, an agent of 0.2 s, two gates of 2 s, after the baseline`;
    return [makeRow('whole run beside a bare shell loop', 1.05, { ours, beside }, note)];
  });
}

function makeWork(home: string, round: number): string {
  const work = join(home, `work-${round}`);
  mkdirSync(work);
  writeFileSync(join(work, 'agent.sh'), 'sleep 0.2\ndate +%s%N >> work.txt\necho "did some work"\n');
  return work;
}

/** From the first decision to let the agent work to the end of the process. */
async function runCommand(home: string, work: string): Promise<number> {
  const gates = ['--gate', `one=${gate}`, '--gate', `two=${gate}`];
  const strategy = ['--strategy', `fixed,iterations=${turns}`, '--integrity', 'off'];
  const args = ['run', '-p', 'work', ...gates, ...strategy, '--json', '--', 'sh', 'agent.sh'];
  const env = { PATH: process.env['PATH'], HOME: home, AGENTGATE_STATE_DIR: join(home, 'state') };
  const { code, stdout } = await run(process.execPath, [bin, ...args], work, env);
  const endedMs = Date.now();
  const events = stdout
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text) as Event);
  const begun = events.find((event) => event.kind === 'decided' && event.decision.kind === 'start-iteration');
  const last = events.at(-1);
  if (code !== 1 || !begun || last?.kind !== 'run.ended' || last.iterations !== turns) {
    throw new Error(`the run did not go as planned (exit ${code}): ${stdout.slice(-500)}`);
  }
  return endedMs - Date.parse(begun.at);
}

async function runLoop(work: string): Promise<void> {
  const words = Array.from({ length: turns }, (_, at) => at + 1).join(' ');
  const body = `sh agent.sh; /bin/sh -c '${gate}'; /bin/sh -c '${gate}'`;
  await run('/bin/sh', ['-c', `for turn in ${words}; do ${body}; done`], work, process.env);
}

function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<{ code: number | null; stdout: string }> {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.on('error', fail);
    child.on('close', (code) => done({ code, stdout }));
  });
}
