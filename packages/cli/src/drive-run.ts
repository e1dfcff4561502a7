import { type Event, eventVersion, evolve, FaultError, makeEnding, type RunState } from '@agentgate/core';
import { makeControl, type Session, type Watcher } from '@agentgate/runtime';
import { busy } from './busy.ts';
import type { Context } from './context.ts';
import { exitCode, exitCodeOf } from './exit-code.ts';
import { attend } from './person.ts';
import { liveView } from './view/live.ts';
import { kindFirst, plural } from './view/words.ts';

export interface OutputFlags {
  json?: boolean;
  quiet?: boolean;
}

type Drive = (door: { control: ReturnType<typeof makeControl>; watcher: Watcher }) => Promise<Session>;

/** Drives a run with the view that was asked for, stops it on signals, and answers with its exit code. */
export async function driveRun(context: Context, flags: OutputFlags, drive: Drive): Promise<number> {
  const control = makeControl();
  const view = viewFor(context, flags);
  const unhook = hookSignals(
    control,
    () =>
      flags.json ||
      context.terminal.err('     stopping; what was started is ended first, which may take some seconds'),
  );
  let state: RunState | null = null;
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
    return exitCodeOf(session.state.ended!.status, session.state.stop?.by ?? null);
  } catch (error) {
    if (!(error instanceof FaultError) || error.fault.code !== 'state.full' || !state) throw error;
    // The log cannot take the ending; the reader is told it all the same, and the run stays open for a resume.
    view.onEvent?.(...unwritten(state, error.fault.message));
    return exitCode.stopped;
  } finally {
    unhook();
    person?.close();
    view.close();
  }
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
    return { onEvent: (event) => terminal.out(JSON.stringify(kindFirst(event))), close: () => undefined };
  if (quiet) return { onEvent: (event, state) => lastWord(event, state, context), close: () => undefined };
  return liveView(terminal);
}

function lastWord(event: Event, state: RunState, { terminal }: Context): void {
  if (event.kind !== 'run.ended') return;
  terminal.out(
    `${event.status} ${event.code}: ${event.reason} (run ${state.runId}, ${plural(event.iterations, 'iteration')})`,
  );
}

function hookSignals(control: ReturnType<typeof makeControl>, tell: () => void): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const handlers = signals.map((by) => {
    const handler = () => {
      if (!control.signal.aborted) tell();
      control.stop({ by });
    };
    process.on(by, handler);
    return () => process.off(by, handler);
  });
  return () => {
    for (const off of handlers) off();
  };
}
