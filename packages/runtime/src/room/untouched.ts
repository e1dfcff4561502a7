import { execFile } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Fault, fault } from '@agentgate/core';

/**
 * Looks whether anyone changed a kept layer since it was captured. Nobody but root can set the time of a change, so
 * the times alone tell. Null when the layer is as it was, or when there is none.
 */
export async function findTouched(room: string, layer: string, capturedMs: number): Promise<Fault | null> {
  const dir = join(room, layer);
  if (!existsSync(dir)) return null;
  const path = await new Promise<string>((resolve) => {
    const args = [dir, '-newerct', `@${(capturedMs / 1_000).toFixed(3)}`, '-print', '-quit'];
    execFile('find', args, { timeout: 60_000, killSignal: 'SIGKILL' }, (_, stdout) => resolve(stdout.trim()));
  });
  if (path === '') return null;
  const message = `somebody changed ${path.slice(dir.length + 1) || layer} in our copy of the dependencies since the run began; if the state was copied or came out of a backup, remove ${dir} and resume, otherwise shut the agent in with sandbox: {agent: auto} and start a new run`;
  return fault('room.touched', message);
}

/** A copy that somebody changed is none to go on from: without its stamps it is made anew. */
export async function forgetTouched(
  room: string,
  layer: string,
  capturedMs: number | undefined,
): Promise<void> {
  const touched = capturedMs === undefined ? true : (await findTouched(room, layer, capturedMs)) !== null;
  if (touched) rmSync(join(room, `${layer}.json`), { force: true });
}
