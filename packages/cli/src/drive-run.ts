import { type Event, eventVersion, evolve, FaultError, makeEnding, type RunState } from '@agentgate/core';
import {
  killAtOnce,
  makeControl,
  markerOf,
  type Session,
  type Watcher,
  type WorkspaceHome,
} from '@agentgate/runtime';
import { busy } from './busy.ts';
import type { Context } from './context.ts';
import { exitCode, exitCodeOf } from './exit-code.ts';
import { attend } from './person.ts';
import { refitAfter } from './refit.ts';
import { hearSignals } from './signals.ts';
import { liveView } from './view/live.ts';
import { kindFirst, plural } from './view/words.ts';

export interface OutputFlags {
  json?: boolean;
  quiet?: boolean;
}

export type Drive = (door: { control: ReturnType<typeof makeControl>; watcher: Watcher }) => Promise<Session>;

/** Drives a run with the view that was asked for, stops it on signals, and answers with its exit code. */
export async function driveRun(
  context: Context,
  flags: OutputFlags,
  home: WorkspaceHome,
  drive: Drive,
): Promise<number> {
  const control = makeControl();
  const view = viewFor(context, flags);
  let state: RunState | null = null;
  const unhook = hearSignals((by, times) => {
    if (times > 1) return control.hurry();
    if (!flags.json) context.terminal.err(stopping(state));
    control.stop({ by });
  });
  control.urgent.addEventListener('abort', () => endAtOnce(context, home, state));
  const desk = flags.json || flags.quiet ? null : context.desk;
  const person = desk ? attend(desk, context.terminal, control) : null;
  const watcher: Watcher = {
    ...view,
    onEvent(event, now) {
      state = now;
      view.onEvent?.(event, now);
      person?.onEvent(event, now);
    },
    onWarning: (text) => context.terminal.err(`agentgate: ${text}`),
  };
  try {
    const session = await drive({ control, watcher });
    if (session.kind === 'busy') return busy(context, flags, session.holder);
    if (session.kind === 'unstarted') return unstarted(context, flags);
    if (session.kind === 'paused') return exitCode.stopped;
    refitAfter(context, home, session.state.spec?.strategy);
    return exitCodeOf(session.state.ended!.status, session.state.stop?.by ?? null);
  } catch (error) {
    const last = state as RunState | null;
    const isFull = error instanceof FaultError && error.fault.code === 'state.full';
    if (!isFull || last === null || last.ended) throw error;
    // The log cannot take the ending; the reader is told it all the same, and the run stays open for a resume.
    view.onEvent?.(...unwritten(last, error.fault.message));
    return exitCode.stopped;
  } finally {
    unhook();
    person?.close();
    view.close();
  }
}

function stopping(state: RunState | null): string {
  if (state === null) return '     stopping before anything has begun';
  return `     stopping; what was started is ended first, which may take some seconds. Once more kills it at once; agentgate resume ${state.runId} goes on`;
}

function unstarted({ terminal }: Context, { json }: OutputFlags): number {
  if (json) terminal.out(JSON.stringify({ kind: 'unstarted' }));
  else terminal.err('agentgate: stopped before anything was begun; nothing was changed');
  return exitCode.signalled;
}

/** Kills everything of the run and ends this process. The log has all that is known, and stays open for a resume. */
function endAtOnce({ terminal }: Context, home: WorkspaceHome, state: RunState | null): never {
  // Before it has begun, the lock may be somebody else's.
  const left = state ? killAtOnce(markerOf(state.runId), home.lock) : killAtOnce();
  terminal.status(null);
  if (state) terminal.err(`agentgate: ended at once; agentgate resume ${state.runId} goes on where it stood`);
  if (left.length > 0) terminal.err(`agentgate: these processes could not be killed: ${left.join(', ')}`);
  process.exit(exitCode.signalled);
}

function unwritten(state: RunState, reason: string): [Event, RunState] {
  const because = {
    code: 'suspended.disk-full',
    reason,
    confidence: 1,
    evidence: {},
    action: 'fail' as const,
    also: [],
  };
  const ending = makeEnding(state, {
    kind: 'end-run',
    status: 'suspended',
    caveats: [],
    goalSatisfied: false,
    because,
  });
  const event: Event = { ...ending, v: eventVersion, seq: state.seq + 1, at: new Date().toISOString() };
  return [event, evolve(state, event)];
}

function viewFor(context: Context, { json, quiet }: OutputFlags): Watcher & { close(): void } {
  const { terminal } = context;
  if (json)
    return {
      onEvent: (event) => terminal.out(JSON.stringify(kindFirst(event))),
      // Told while it happens and not recorded, so without a number.
      onActivity: (iteration, activity) =>
        terminal.out(JSON.stringify({ kind: 'agent.activity', iteration, activity })),
      close: () => undefined,
    };
  if (quiet) return { onEvent: (event, state) => lastWord(event, state, context), close: () => undefined };
  return liveView(terminal);
}

function lastWord(event: Event, state: RunState, { terminal }: Context): void {
  if (event.kind !== 'run.ended') return;
  terminal.out(
    `${event.status} ${event.code}: ${event.reason} (run ${state.runId}, ${plural(event.iterations, 'iteration')})`,
  );
}
