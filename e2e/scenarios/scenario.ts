import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { agentgate, type Ended, type Place, said, start } from '../support/command.ts';

/** A made-up agent with its gates, and what must come of it. */
export interface Scenario {
  name: string;
  files?: Record<string, string>;
  /** A shell script; the iteration is in $n. */
  agent?: string;
  flags: string[];
  /** How the command is used; it answers with the last ended process. */
  use?: (place: Place, args: string[]) => Promise<Ended>;
  expect: { status: string; code: string; iterations: number; exit: number };
}

/**
 * Five steps, one test each, printed as TAP: step k passes once work.txt has the line `step k`.
 * A line `broken` keeps the suite from loading.
 */
const suite = `import { existsSync, readFileSync } from 'node:fs';
const total = Number(process.argv[2] ?? 5);
const lines = existsSync('work.txt') ? readFileSync('work.txt', 'utf8').split('\\n') : [];
console.log('TAP version 13');
let failed = 0;
for (let step = 1; step <= total; step++) {
  const ok = lines.includes('step ' + step);
  if (!ok) failed++;
  console.log((ok ? 'ok ' : 'not ok ') + step + ' - step ' + step);
}
console.log('1..' + total);
process.exit(failed === 0 ? 0 : 1);
`;
export const steps = (total: number) => ['--gate', `tests=node suite.mjs ${total}`];
export const files = { 'suite.mjs': suite };
export const ok = (iterations: number) => ({ status: 'converged', code: 'goal.met', iterations, exit: 0 });
export const diverged = (code: string, iterations: number) => ({
  status: 'diverged',
  code,
  iterations,
  exit: 1,
});

/** Gives up at the first detector, so that its window shows. */
export const atOnce = ['--stuck', 'off'];

/** Runs in a repository of the user's, which must be as it was afterwards. */
export async function inRepository(place: Place, args: string[]): Promise<Ended> {
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...words], {
      cwd: place.workspace,
      env: place.env,
    });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'start');
  const before = git('status', '--porcelain').toString();
  const ended = await agentgate(place, ...args);
  const after = git('status', '--porcelain').toString();
  if (before !== '' || after.trim() !== '?? work.txt')
    throw new Error(`the repository was touched: ${after}`);
  return ended;
}

/** Sends a signal while the agent works. */
export function signalled(signal: NodeJS.Signals) {
  return async (place: Place, args: string[]): Promise<Ended> => {
    const { child, ended } = start(place, args);
    await said(child, '"agent.started"');
    child.kill(signal);
    return ended;
  };
}

/** Stops the run by command once it has said the moment. */
export function stoppedByCommand(moment: string) {
  return async (place: Place, args: string[]): Promise<Ended> => {
    const { child, ended } = start(place, args);
    await said(child, moment);
    const stop = await agentgate(place, 'stop', '--note', 'enough');
    if (stop.exit !== 0) throw new Error(`stop exited with ${stop.exit}: ${stop.stderr}`);
    return ended;
  };
}

/** Kills the controller while the agent of iteration 3 works, and resumes. */
export async function killedAndResumed(place: Place, args: string[]): Promise<Ended> {
  const { child, ended } = start(place, args);
  const marker = join(place.workspace, '..', 'killed');
  await said(child, '"iteration":3');
  while (!existsSync(marker)) await new Promise((done) => setImmediate(done));
  child.kill('SIGKILL');
  await ended;
  const resumed = await agentgate(place, 'resume', '--json');
  const runs = execFileSync('wc', ['-l', join(place.workspace, '..', 'runs.txt')]).toString();
  if (Number.parseInt(runs, 10) !== 6)
    throw new Error(`the agent ran ${runs.trim()} times under a limit of 6`);
  return resumed;
}

/** Runs with a spec file instead of flags. */
export function withSpec(text: string) {
  return (place: Place): Promise<Ended> => {
    place.write({ 'agentgate.yaml': `task: go\nagent: { run: [sh, ../agent.sh] }\n${text}` });
    return agentgate(place, 'run', '--json');
  };
}

/** The arguments with which a scenario is run. */
export function argumentsOf({ flags, files = {} }: Scenario): string[] {
  if ('agentgate.yaml' in files) return ['run', '--json', ...flags];
  const prompt = flags.includes('-p') ? [] : ['-p', 'Make every step pass'];
  return ['run', '--json', ...prompt, ...flags, '--', 'sh', '../agent.sh'];
}
