import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FaultError, fault } from '@agentgate/core';
import { makeFolder, openHistoryTail, openRunStore, ownerOf, type WorkspaceHome } from '@agentgate/runtime';
import { serverDir } from '../entrance/token.ts';

/**
 * Starts processes that drive runs and outlive this one. Their command line is made here, out of a run's id and of
 * numbers that were checked; no word of a request is part of it.
 */
export interface Controllers {
  resume(home: WorkspaceHome, runId: string, added: Added): Promise<Driven>;
  /** Begins a run with a spec file that the server was started with. */
  start(home: WorkspaceHome, specFile: string): Promise<Driven>;
}

export interface Added {
  iterations?: number | undefined;
  wallClockMs?: number | undefined;
  tokens?: number | undefined;
  costUsd?: number | undefined;
}

export interface Driven {
  runId: string;
  pid: number;
}

const patienceMs = 30_000;
const lookMs = 25;
const keptMs = 86_400_000;

export function makeControllers(
  command: readonly [string, ...string[]],
  { stateRoot, env }: { stateRoot: string; env: NodeJS.ProcessEnv },
): Controllers {
  const folder = join(serverDir(stateRoot), 'controllers');
  const launch = (home: WorkspaceHome, name: string, args: readonly string[]) => {
    makeFolder(folder, 0o700);
    removeOld(folder);
    const path = join(folder, `${name}-${Date.now()}.txt`);
    const out = openSync(path, 'wx', 0o600);
    const [program, ...first] = command;
    try {
      const child = spawn(program, [...first, ...args, '-C', home.root, '--quiet'], {
        cwd: home.root,
        env,
        detached: true,
        // A file: nobody who ends can take it away from a process that goes on.
        stdio: ['ignore', out, out],
      });
      child.unref();
      return watch(child, path);
    } finally {
      closeSync(out);
    }
  };
  return {
    async resume(home, runId, added) {
      const tail = openHistoryTail(home.runs, runId);
      tail.look();
      const before = tail.count();
      const known = new Set(openRunStore(home.runs).list());
      const started = launch(home, runId, ['resume', runId, ...flagsOf(added)]);
      return started.until((pid) => {
        const holder = ownerOf(home);
        // An ended run goes on as a new one, under whose name the workspace is held from then on.
        if (holder?.pid === pid && holder.runId !== runId) return holder.runId;
        tail.look();
        return tail.count() > before ? runId : newChildOf(home, runId, { seq: before, known });
      });
    },
    async start(home, specFile) {
      const known = new Set(openRunStore(home.runs).list());
      const started = launch(home, 'start', ['run', '--config', specFile]);
      return started.until((pid) => {
        const holder = ownerOf(home);
        const isNew = (runId: string) => !known.has(runId) && openRunStore(home.runs).list().includes(runId);
        return holder?.pid === pid && isNew(holder.runId) ? holder.runId : null;
      });
    },
  };
}

/** One that went on and ended between two looks. Whatever was there before the look was begun by somebody else. */
function newChildOf(
  home: WorkspaceHome,
  runId: string,
  { seq, known }: { seq: number; known: ReadonlySet<string> },
): string | null {
  const [newest] = openRunStore(home.runs).list();
  if (newest === undefined || known.has(newest)) return null;
  const tail = openHistoryTail(home.runs, newest);
  tail.look();
  const { texts } = tail.chunk(seq, 0);
  return texts[0]?.includes(`"parent":{"runId":"${runId}",`) ? newest : null;
}

function flagsOf({ iterations, wallClockMs, tokens, costUsd }: Added): string[] {
  return [
    ...(iterations === undefined ? [] : ['--add-iterations', String(iterations)]),
    ...(wallClockMs === undefined ? [] : ['--add-wall-clock', `${Math.ceil(wallClockMs / 1_000)}s`]),
    ...(tokens === undefined ? [] : ['--add-tokens', String(tokens)]),
    ...(costUsd === undefined ? [] : ['--add-cost', `${costUsd.toFixed(4)}usd`]),
  ];
}

function watch(child: ChildProcess, path: string) {
  const ending: { code?: number | null; error?: Error } = {};
  child.once('exit', (code) => {
    ending.code = code;
  });
  child.once('error', (error) => {
    ending.error = error;
  });
  return {
    /** Waits until it drives a run, or says why it does not. */
    async until(find: (pid: number) => string | null): Promise<Driven> {
      const fromMs = performance.now();
      for (;;) {
        const isOver = ending.error !== undefined || ending.code !== undefined;
        const pid = child.pid ?? -1;
        const runId = find(pid);
        if (runId !== null) return { runId, pid };
        if (ending.error)
          throw new FaultError(fault('controller.unable', 'the run could not be started', ending.error));
        if (isOver) throw new FaultError(refusalIn(path, ending.code ?? null));
        if (performance.now() - fromMs > patienceMs)
          throw new FaultError(
            fault(
              'server.slow',
              `process ${pid} was started and does not drive the run yet; look at it again`,
            ),
          );
        await sleep(lookMs);
      }
    },
  };
}

/** What it said when it refused. */
function refusalIn(path: string, code: number | null) {
  const said = readFileSync(path, 'utf8')
    .trim()
    .replace(/^agentgate: /gm, '');
  const message = said === '' ? `it ended with ${code ?? 'a signal'} and said nothing` : said.slice(0, 2_000);
  return fault(code === 75 ? 'workspace.busy' : 'controller.refused', message);
}

function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const writtenMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (Date.now() - writtenMs > keptMs) rmSync(path, { force: true });
  }
}
