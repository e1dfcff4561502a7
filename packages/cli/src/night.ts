import { FaultError, type RunState, showDuration } from '@agentgate/core';
import { resumeRun, type WorkspaceHome } from '@agentgate/runtime';
import { awaitRoom } from './await-room.ts';
import type { Context } from './context.ts';
import { type Drive, driveRun, type OutputFlags } from './drive-run.ts';
import { exitCode } from './exit-code.ts';

/** Drives a run to its end, and goes on with one that a full disk has suspended when there is room again. */
export async function driveNight(
  context: Context,
  flags: OutputFlags,
  home: WorkspaceHome,
  begin: Drive,
  maxWaitMs: number,
): Promise<{ code: number; runId: string | null }> {
  const night: { state: RunState | null } = { state: null };
  const follow = (drive: Drive) => driveRun(context, flags, home, following(night, drive));
  let code = await follow(begin);
  const deadlineMs = performance.now() + maxWaitMs;
  // Where the room was not enough, the next look comes later.
  for (let firstMs = 1_000; night.state !== null && isFull(night.state, code); firstMs *= 2) {
    const { runId } = night.state;
    context.terminal.err(
      `agentgate: waiting for room on the disk of ${home.dir}, ${showDuration(maxWaitMs)} at most; agentgate resume ${runId} goes on at any time`,
    );
    if (!(await awaitRoom(home.dir, firstMs, deadlineMs))) break;
    code = await follow((door) => resumeRun({ home, version: context.version, ...door }, runId, {})).catch(
      (error: unknown) => {
        if (error instanceof FaultError && error.fault.code === 'state.full') return code;
        throw error;
      },
    );
  }
  return { code, runId: night.state?.runId ?? null };
}

function following(night: { state: RunState | null }, drive: Drive): Drive {
  return ({ control, watcher }) =>
    drive({
      control,
      watcher: {
        ...watcher,
        onEvent(event, state) {
          night.state = state;
          watcher.onEvent?.(event, state);
        },
      },
    });
}

/** Whether a full disk ended it; the ending itself may have found no room any more. */
function isFull({ ended }: RunState, code: number): boolean {
  return code === exitCode.stopped && (ended === null || ended.code === 'suspended.disk-full');
}
