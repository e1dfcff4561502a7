import { randomBytes } from 'node:crypto';
import { showDuration } from '@agentgate/core';
import { agentEnvironment, safeText, type ProcessResult, supervise } from '../process/index.ts';
import type { Notice, NotifySpec } from './notify.ts';

/** Runs a command with the notice on its input. Null when it was told, otherwise what went wrong. */
export async function runNotice(
  { timeout }: NotifySpec,
  run: string | string[],
  root: string,
  notice: Notice,
  signal?: AbortSignal,
): Promise<string | null> {
  const result = await supervise({
    argv: typeof run === 'string' ? ['/bin/sh', '-c', run] : (run as [string, ...string[]]),
    cwd: root,
    env: agentEnvironment(process.env, environmentOf(notice)),
    marker: `notify-${notice.runId}-${randomBytes(6).toString('hex')}`,
    stdin: `${JSON.stringify(notice)}\n`,
    timeoutMs: timeout,
    ...(signal ? { signal } : {}),
    graceMs: 1_000,
    headBytes: 4_096,
    tailBytes: 4_096,
  });
  return problemOf(result);
}

function environmentOf({ about, runId, iteration, gates, text, outcome }: Notice): Record<string, string> {
  return {
    AGENTGATE_ABOUT: about,
    AGENTGATE_RUN_ID: runId,
    AGENTGATE_ITERATION: String(iteration),
    AGENTGATE_GATES: gates.join(','),
    AGENTGATE_TEXT: text.replaceAll('\0', ''),
    ...(outcome
      ? {
          AGENTGATE_STATUS: outcome.status,
          AGENTGATE_CODE: outcome.code,
          AGENTGATE_REASON: safeText(outcome.reason),
        }
      : {}),
  };
}

function problemOf({ end, output }: ProcessResult): string | null {
  const said = safeText(output).trim().split('\n').at(-1)?.slice(0, 200) ?? '';
  const tail = said === '' ? '' : `: ${said}`;
  switch (end.kind) {
    case 'exited':
      return end.code === 0 ? null : `it exited with ${end.code}${tail}`;
    case 'signalled':
      return `it was ended by ${end.signal}${tail}`;
    case 'timed-out':
      return `it did not end within ${showDuration(end.afterMs)}${tail}`;
    case 'aborted':
      return 'it was ended, since the run was stopped';
    case 'unable':
      return end.fault.message;
  }
}
