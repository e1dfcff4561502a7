import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { FaultError, fault } from '@agentgate/core';
import { fullFault, goneFault } from './faults.ts';

export interface GitCall {
  args: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  input?: Buffer;
  /** Exit codes that are answers and not failures; 0 when absent. */
  answers?: readonly number[];
  /** Of what it prints only the beginning is kept. */
  mostBytes?: number;
}

/** Runs git once and gives what it printed. Throws a fault when git is missing or fails. */
export async function runGit(call: GitCall): Promise<Buffer> {
  const { code, stdout, stderr } = await finish(call);
  if (code !== null && (call.answers ?? [0]).includes(code)) return stdout;
  throw new FaultError(gitFault(call.args, code, stderr));
}

/**
 * The environment in which nothing of the user's configuration is read and nothing of it runs:
 * no hooks, monitors, filters or conversions.
 */
export function safeEnv(gitDir: string, workTree?: string): NodeJS.ProcessEnv {
  return {
    ...envWithoutGit(),
    GIT_DIR: gitDir,
    ...(workTree === undefined ? {} : { GIT_WORK_TREE: workTree }),
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C',
  };
}

/** Switches that keep a repository's own configuration from starting programs while we read it. */
export const QUIET = [
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'protocol.allow=never',
];

/** The caller's environment without what would point git at another repository. */
export function envWithoutGit(keep: (key: string) => boolean = () => false): NodeJS.ProcessEnv {
  const pairs = Object.entries(process.env).filter(([key]) => !key.startsWith('GIT_') || keep(key));
  return Object.fromEntries(pairs);
}

// Only a git that waits for something, like a pipe in place of a file it reads, takes this long.
const LONGEST_MS = 300_000;

function finish(call: GitCall): Promise<{ code: number | null; stdout: Buffer; stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', call.args, {
      cwd: call.cwd,
      env: call.env,
      // Not the option of that name: its timer outlives a program that could not be started.
      signal: AbortSignal.timeout(LONGEST_MS),
      killSignal: 'SIGKILL',
      stdio: [call.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    let left = call.mostBytes ?? Infinity;
    child.stdout?.on('data', (chunk: Buffer) => {
      if (left > 0) out.push(chunk.subarray(0, left));
      left -= chunk.length;
    });
    child.stderr?.on('data', (chunk: Buffer) => err.push(chunk));
    child.on('error', (error) => reject(spawnFault(call.cwd, error)));
    child.on('close', (code) =>
      resolve({ code, stdout: Buffer.concat(out), stderr: Buffer.concat(err).toString('utf8') }),
    );
    // A git that ends before it read everything says why by its exit code.
    child.stdin?.on('error', () => {});
    child.stdin?.end(call.input);
  });
}

/** Tells a missing directory from a missing git: both are ENOENT to spawn. */
export function spawnFault(cwd: string, error: Error): FaultError {
  if (!existsSync(cwd)) return new FaultError(goneFault(cwd));
  return new FaultError(
    fault('git.missing', 'cannot start git; install git 2.34 or newer and see that it is on the PATH', error),
  );
}

function gitFault(args: readonly string[], code: number | null, stderr: string) {
  const said = stderr.trim();
  if (/No space left|Disk quota/i.test(said)) return fullFault(said);
  const name = args.find((arg) => /^[a-z]+(-[a-z]+)*$/.test(arg)) ?? 'git';
  const end = code === null ? `was killed after at most ${LONGEST_MS} ms` : `ended with ${code}`;
  return fault('git.failed', `git ${name} ${end}: ${said.split('\n')[0] ?? ''}`, said);
}
