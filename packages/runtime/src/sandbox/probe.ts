import { execFile } from 'node:child_process';
import { findProgram } from '../find-program.ts';
import { confinedArgv } from './bwrap.ts';

/** Whether programs can be shut in here. */
export type Sandbox = { kind: 'bwrap'; path: string; version: string } | { kind: 'none'; why: string };

let probed: Promise<Sandbox> | undefined;

/** Tries once per process whether bubblewrap works here. */
export function probeSandbox(): Promise<Sandbox> {
  probed ??= trySandbox(process.env);
  return probed;
}

/** Tries it now, with the programs of this environment. */
export async function trySandbox(env: NodeJS.ProcessEnv): Promise<Sandbox> {
  if (process.platform !== 'linux')
    return { kind: 'none', why: `there is no bubblewrap for ${process.platform}` };
  const path = findProgram('bwrap', '/', env);
  if (path === null) return { kind: 'none', why: 'bubblewrap is not installed' };
  const version = await answerOf([path, '--version']);
  if (version.kind === 'failed') return { kind: 'none', why: `bubblewrap does not work: ${version.said}` };
  const confinement = { bwrap: path, root: '/', network: 'off', hide: [], home: 'tools' } as const;
  const tried = await answerOf(confinedArgv(['true'], confinement));
  if (tried.kind === 'failed') return { kind: 'none', why: `bubblewrap does not work here: ${tried.said}` };
  return { kind: 'bwrap', path, version: version.said.replace(/^bubblewrap\s+/, '') };
}

type Answer = { kind: 'fine' | 'failed'; said: string };

function answerOf([program, ...args]: [string, ...string[]]): Promise<Answer> {
  return new Promise((resolve) => {
    execFile(program, args, { timeout: 5_000, killSignal: 'SIGKILL' }, (error, stdout, stderr) => {
      if (error === null) resolve({ kind: 'fine', said: stdout.trim() });
      else resolve({ kind: 'failed', said: stderr.trim().split('\n')[0] || `it ended with ${error.code}` });
    });
  });
}
