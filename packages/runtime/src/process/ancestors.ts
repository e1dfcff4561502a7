import { readFileSync } from 'node:fs';
import { HAS_PROC } from './process-table.ts';

/** A process above another, with the environment that it was started with. */
export interface Ancestor {
  pid: number;
  env: NodeJS.ProcessEnv;
}

const most = 64;

/** The processes above this one, the nearest first, as far as the system tells of them. */
export function ancestorsOf(pid: number): Ancestor[] {
  const found: Ancestor[] = [];
  if (!HAS_PROC) return found;
  for (let at = parentOf(pid); at > 1 && found.length < most; at = parentOf(at))
    found.push({ pid: at, env: environmentOf(at) });
  return found;
}

function parentOf(pid: number): number {
  try {
    return Number(/^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0);
  } catch {
    // It ended meanwhile.
    return 0;
  }
}

function environmentOf(pid: number): NodeJS.ProcessEnv {
  try {
    const entries = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    return Object.fromEntries(
      entries.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
  } catch {
    // Another user's process is none of ours.
    return {};
  }
}
