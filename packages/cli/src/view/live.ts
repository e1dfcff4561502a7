import { assess, decide, type Event, type EventOf, type RunState, showDuration } from '@agentgate/core';
import type { Watcher } from '@agentgate/runtime';
import type { Terminal } from '../terminal.ts';
import { personGate } from '../person.ts';
import { learnedText } from './learned.ts';
import { endReport } from './report.ts';
import { baselineRow, iterationRow } from './row.ts';
import { agentName, shorten, shortTree, taskTitle, usage, visible } from './words.ts';
import { wrap } from './wrap.ts';

/** Shows a run as it happens: a row per iteration, and on a terminal one quiet line for what goes on now. */
export function liveView(terminal: Terminal, now: () => number = Date.now): Watcher & { close(): void } {
  let doing: { what: string; since: number } | null = null;
  let tail = '';
  const show = () => {
    if (!doing) return terminal.status(null);
    const seconds = Math.floor((now() - doing.since) / 1000);
    const clock = seconds === 0 ? '' : showDuration(seconds * 1000);
    const text = `     ${doing.what} ${clock}${tail ? `  ${tail}` : ''}`;
    terminal.status(terminal.colors.dim(shorten(text, terminal.width - 1)));
  };
  const ticking = terminal.live ? setInterval(show, 1_000) : null;
  ticking?.unref();
  const begin = (what: string) => {
    doing = { what, since: now() };
    tail = '';
    show();
  };
  return {
    onEvent(event, state) {
      doing = null;
      for (const line of linesFor(event, state, terminal))
        for (const part of fitted(line, terminal)) terminal.out(part);
      const next = activity(event, state);
      if (next !== null) begin(next);
    },
    onOutput(_source, text) {
      const line = text.trimEnd().split('\n').at(-1) ?? '';
      // Output is other people's text: only plain characters reach the terminal.
      tail = line
        .replaceAll(/[^\P{C}]/gu, ' ')
        .trim()
        .slice(0, 200);
    },
    close() {
      if (ticking) clearInterval(ticking);
      terminal.status(null);
    },
  };
}

/** A line that is too wide for a terminal is broken at its words; without a terminal it stays whole. */
function fitted(line: string, { live, width }: Terminal): string[] {
  if (!live || line.includes('\n') || visible(line).length <= width) return [line];
  const indent = /^ */.exec(visible(line))![0];
  return wrap(visible(line).trim(), width - indent.length).map((part) => indent + part);
}

/** The lines that an event adds to the story. */
export function linesFor(event: Event, state: RunState, terminal: Terminal): string[] {
  switch (event.kind) {
    case 'run.started':
      return header(event, state, terminal);
    case 'run.resumed':
      return [terminal.colors.dim(`run ${state.runId} goes on where it stood`)];
    case 'decided':
      return decidedLines(event, state, terminal);
    case 'snapshot.taken':
      return event.iteration === 0 && event.leftOut.length > 0
        ? [
            terminal.colors.dim(
              `     not in snapshots: ${event.leftOut.map((one) => `${one.path} (${one.why})`).join(', ')}`,
            ),
          ]
        : [];
    case 'tree.confirmed':
      return event.moved.length > 0 && event.iteration > 0
        ? [
            terminal.colors.yellow(
              `     the tree moved while the gates ran: ${event.moved.slice(0, 3).join(', ')}`,
            ),
          ]
        : [];
    case 'session.held':
      return [
        terminal.colors.dim(`     works in a session of ${event.host} (${event.sessionId.slice(0, 8)})`),
      ];
    case 'run.paused':
      return pausedLines(state, terminal);
    case 'session.left':
      return [terminal.colors.yellow(`     the session was left, NOT converged: ${event.why}`)];
    case 'redirect.requested':
      return [
        terminal.colors.yellow(
          `     redirected: ${shorten(event.text.split('\n\n')[0]!.replaceAll(/\s+/g, ' '), 200)}`,
        ),
      ];
    case 'approval.given':
      return [
        terminal.colors.dim(
          `     ${event.gate} ${event.approved ? 'approved' : 'rejected'} by ${event.by}${event.note ? `: ${event.note}` : ''}`,
        ),
      ];
    case 'grant.given':
      return [
        terminal.colors.dim(`     ${event.by} granted ${event.files.map((one) => one.path).join(', ')}`),
      ];
    case 'gate.judged':
      return event.iteration === 0 && (event.line !== undefined || event.blind)
        ? [terminal.colors.dim(`     ${event.gate}: ${event.line ?? blindLine}`)]
        : [];
    case 'integrity.checked':
      return integrityLines(event, terminal);
    case 'person.answered':
      return [
        terminal.colors.dim(
          `     ${event.by === 'timeout' ? 'nobody answered, so' : 'answered'}: ${event.answer}`,
        ),
      ];
    case 'strategy.answered':
      return event.answer.kind === 'failed'
        ? [terminal.colors.yellow(`     hybrid decides this time: ${event.answer.fault.message}`)]
        : [];
    case 'move.made':
      return moveLines(event, state, terminal);
    case 'notified':
      return notifiedLines(event, terminal);
    case 'delivered':
      return event.ref === undefined
        ? [terminal.colors.yellow(`     not delivered: ${event.problem ?? 'no reason was given'}`)]
        : [
            `     delivered as ${event.as} ${event.url ?? event.ref}`,
            ...(event.notes ?? []).map((note) => `     note: ${note}`),
          ];
    case 'stop.requested':
      return event.by === 'command' || event.who !== undefined
        ? [terminal.colors.yellow(`     stopping, as ${event.who ?? 'agentgate stop'} asked`)]
        : [];
    case 'fault.raised':
      return [terminal.colors.red(`     ${event.fault.message}`)];
    case 'run.ended': {
      const row = state.last && state.last.current.iteration > 0 ? [endedRow(state, event, terminal)] : [];
      return [...row, ...endReport(state, terminal)];
    }
    default:
      return [];
  }
}

/** How far the gates are kept from the agent. */
const sealWords = {
  off: 'judged in place',
  guarded: 'guarded',
  strict: 'strict',
} as const;

const blindLine = 'says the same on an empty tree, so it may not look at the workspace at all';

/** What the agent changed of that the gates judge by, as soon as it is known. A test that was moved is the same. */
function integrityLines(checked: EventOf<'integrity.checked'>, { colors }: Terminal): string[] {
  const { sealed } = checked;
  const changed = checked.changed.filter((one) => one.status !== 'renamed');
  if (changed.length === 0) return [];
  const names = changed.slice(0, 3).map((one) => one.path);
  const more = changed.length > 3 ? ` and ${changed.length - 3} more` : '';
  const how = sealed ? 'judged in the form from before' : 'a person must grant it';
  return [colors.yellow(`     changed what the gates judge by (${how}): ${names.join(', ')}${more}`)];
}

function moveLines(event: EventOf<'move.made'>, { runId }: RunState, { colors }: Terminal): string[] {
  if (event.problem !== undefined)
    return [colors.yellow(`     ${event.move} was not possible: ${event.problem}`)];
  if (event.move !== 'revert') return [];
  const kept =
    event.before === undefined
      ? ''
      : `; what was there is kept: agentgate restore ${runId} --to ${event.before}`;
  return [colors.dim(`     the best tree is back (${shortTree(event.tree ?? '')})${kept}`)];
}

/** What is waited for, and what a person can do about it. Said once for each tree. */
function waitLines(
  { because }: Extract<EventOf<'decided'>['decision'], { kind: 'wait' }>,
  state: RunState,
  { colors, live }: Terminal,
): string[] {
  const gate = personGate(state);
  if (!gate) return [colors.dim(`     ${because.reason}${pendingNotes(state)}`)];
  if (state.waitedMs > 0) return [];
  const isSaid = gate.message.includes('answer with: agentgate approve');
  const how =
    live || isSaid ? '' : `; agentgate approve ${gate.name}, or agentgate reject ${gate.name} --note why`;
  return [colors.yellow(`     ${gate.name}: ${gate.message}${how}`)];
}

/** What pending gates say of the next step, which may be the reader's. */
function pendingNotes({ current }: RunState): string {
  const notes = [...(current?.verdicts.values() ?? [])].flatMap((one) =>
    one.kind === 'pending' && one.note !== undefined ? [shorten(one.note, 300)] : [],
  );
  return notes.length === 0 ? '' : `: ${notes.join('; ')}`;
}

function notifiedLines({ about, gates, ways }: EventOf<'notified'>, { colors }: Terminal): string[] {
  const failed = ways.filter((one) => !one.ok);
  return [
    ...(about === 'escalation' ? [colors.yellow(`     escalated: ${gates.join(', ')} failed`)] : []),
    ...failed.map((one) =>
      colors.yellow(`     could not notify by ${one.way}: ${one.detail ?? 'no reason'}`),
    ),
  ];
}

function header(event: EventOf<'run.started'>, state: RunState, terminal: Terminal): string[] {
  const { colors } = terminal;
  const title = taskTitle(event.spec.task, Math.max(20, terminal.width - 40));
  const gates = event.spec.gates.map((gate) =>
    gate.severity === 'soft' ? `${gate.name} (soft)` : gate.name,
  );
  const caps = usage(state).flatMap((text) => (text.includes(' of ') ? [text.replace(/^.* of /, '')] : []));
  return [
    `run ${colors.bold(event.runId)}  ${title}   ${agentName(state)} · ${event.spec.strategy.kind}`,
    colors.dim(
      `     at most ${caps.join(', ')}; gates ${gates.join(', ')}, ${sealWords[state.spec?.integrity.mode ?? 'off']}`,
    ),
    ...(event.learned ? [colors.dim(`     ${learnedText(event.learned)}`)] : []),
    ...(event.parent
      ? [colors.dim(`     goes on from run ${event.parent.runId}, with its counts and history`)]
      : []),
  ];
}

function decidedLines({ decision }: EventOf<'decided'>, state: RunState, terminal: Terminal): string[] {
  const { last } = state;
  if (decision.kind === 'measure-baseline' && !terminal.live) {
    return [terminal.colors.dim('     baseline, no tokens spent yet')];
  }
  if (decision.kind === 'ask' && !terminal.live)
    return [
      terminal.colors.yellow(
        `     ${decision.because.reason}; agentgate answer continue, stop, accept, or redirect and new words`,
      ),
    ];
  if (decision.kind === 'wait' && decision.because.code === 'wait')
    return waitLines(decision, state, terminal);
  if (decision.kind === 'wait' && decision.because.code === 'away')
    return [
      terminal.colors.yellow(
        `     ${decision.because.reason}; tried again in ${showDuration(decision.forMs)}`,
      ),
    ];
  if (decision.kind === 'wait') return [terminal.colors.dim(`     ${decision.because.reason}`)];
  if (decision.kind !== 'start-iteration' || !last) return [];
  if (last.current.iteration === 0) return [baselineRow(last, terminal)];
  if (decision.because.code === 'resume') return [];
  const before = last.current;
  return before.iteration === decision.iteration - 1
    ? [
        iterationRow(
          last,
          iterationCost(state, before.iteration),
          { kind: 'went-on', because: decision.because },
          terminal,
        ),
      ]
    : [];
}

/** The row of the iteration that was the last one for now, and how to go on. */
function pausedLines(state: RunState, terminal: Terminal): string[] {
  const { current } = state;
  const now = current && current.iteration > 0 ? assess(state, current) : null;
  const { because } = decide({ ...state, paused: false });
  return [
    ...(now ? [iterationRow(now, current?.costUsd ?? null, { kind: 'went-on', because }, terminal)] : []),
    terminal.colors.yellow(
      `NOT done yet: agentgate step goes on, agentgate resume ${state.runId} to its end`,
    ),
  ];
}

function endedRow(state: RunState, { status, code }: EventOf<'run.ended'>, terminal: Terminal): string {
  const last = state.last!;
  return iterationRow(
    last,
    iterationCost(state, last.current.iteration),
    { kind: 'ended', status, code },
    terminal,
  );
}

const iterationCost = (state: RunState, iteration: number): number | null =>
  state.last?.current.iteration === iteration ? state.last.current.costUsd : null;

/** What goes on after an event, for the status line. */
function activity(event: Event, state: RunState): string | null {
  switch (event.kind) {
    case 'decided':
      return event.decision.kind === 'measure-baseline'
        ? 'baseline, no tokens spent yet:'
        : event.decision.kind === 'wait' || event.decision.kind === 'ask'
          ? `${event.decision.because.reason}, no tokens spent:`
          : null;
    case 'agent.started':
      return `iteration ${event.iteration}: the agent works`;
    case 'agent.ended':
    case 'snapshot.taken':
    case 'gate.judged': {
      const gate = state.spec?.gates.find((one) => !state.current?.verdicts.has(one.name));
      if (!gate || state.stop) return null;
      return event.iteration === 0
        ? `baseline, no tokens spent yet: ${gate.name}`
        : `iteration ${event.iteration}: judging ${gate.name}`;
    }
    default:
      return null;
  }
}
