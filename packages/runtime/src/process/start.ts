import { type ChildProcess, spawn } from 'node:child_process';
import type { Fault } from '@agentgate/core';
import { MARKER_VARIABLE } from './marker.ts';
import { findBirth, type Identity } from './process-table.ts';
import type { ProcessRequest } from './request.ts';
import { makeSpawnFault } from './spawn-fault.ts';
import { type PreparedStreams, prepareStreams, type Streams } from './streams.ts';

/** A program that runs in a group of its own, or the reason why it does not. */
export type Started =
  | { kind: 'started'; child: ChildProcess; leader: Identity; streams: Streams }
  | { kind: 'unable'; fault: Fault };

/** Starts a program. Never throws for a program that cannot be started. */
export async function startProcess(request: ProcessRequest): Promise<Started> {
  const prepared = await prepareStreams(request);
  try {
    const child = await spawnChild(request, prepared);
    // The child is reaped only when the event loop turns, so its entry is still there.
    const pid = child.pid ?? 0;
    return { kind: 'started', child, leader: { pid, born: findBirth(pid) }, streams: prepared.take(child) };
  } catch (error) {
    prepared.discard();
    return { kind: 'unable', fault: makeSpawnFault(error, request) };
  }
}

// Some failures are thrown by spawn and some are told by an event; both arrive here as a rejection.
function spawnChild(
  request: ProcessRequest,
  prepared: PreparedStreams,
): Promise<ChildProcess> | ChildProcess {
  const [program, ...args] = request.argv;
  const child = spawn(program, args, {
    cwd: request.cwd,
    env: { ...request.env, [MARKER_VARIABLE]: request.marker },
    detached: true,
    stdio: prepared.stdio,
  });
  if (child.pid === undefined) return new Promise((_, reject) => child.once('error', reject));
  return child;
}
