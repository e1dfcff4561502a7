import {
  checkReport,
  checkText,
  type Event,
  itemLinesText,
  type PlanDecision,
  type PlanEvent,
  type PlanState,
  type RunState,
  sessionReport,
  sessionText,
  stopperWords,
} from '@agentgate/core';
import type { PlanWatcher, Watcher } from '@agentgate/runtime';
import type { Terminal } from '../terminal.ts';
import { linesFor } from './live.ts';
import { kindFirst, plural } from './words.ts';

/** Shows a plan as it happens: each item with the rows of its run, what is decided about it, and the session at the end. */
export function planView(
  terminal: Terminal,
  { json, quiet }: { json?: boolean; quiet?: boolean },
): PlanWatcher & { close(): void } {
  const close = () => terminal.status(null);
  if (json)
    return {
      onEvent: (event, state) => {
        terminal.out(JSON.stringify(kindFirst(event)));
        const about = checkedItem(event, state);
        if (about)
          terminal.out(
            JSON.stringify({ kind: 'plan.check', ...checkReport(state, about.item, about.decision) }),
          );
      },
      close,
    };
  if (quiet)
    return {
      onEvent: (event, state) => {
        if (event.kind === 'session.ended') terminal.out(sessionText(sessionReport(state)));
      },
      close,
    };
  const { colors } = terminal;
  let isBeside = false;
  return {
    onEvent(event, state) {
      isBeside = state.inFlight.size > 1;
      for (const line of planLinesFor(event, state)) terminal.out(line);
      const about = checkedItem(event, state);
      if (about) terminal.out(`\n${checkText(checkReport(state, about.item, about.decision))}\n`);
    },
    itemWatcher: (item): Watcher => ({
      onEvent(event: Event, state: RunState) {
        if (event.kind === 'run.started') return;
        const lines = linesFor(event, state, terminal);
        // How a run ends or pauses, and how it goes on, is told by the plan; the row of its last iteration is not.
        const shown =
          event.kind === 'run.ended'
            ? lines.slice(0, state.last?.current.iteration ? 1 : 0)
            : event.kind === 'run.paused'
              ? lines.slice(0, -1)
              : lines;
        for (const line of shown)
          if (line.trim() !== '') terminal.out(`${isBeside ? colors.dim(`${item} | `) : '  '}${line}`);
      },
    }),
    close,
  };
}

/** The item whose end was decided: it is settled, or another alternative is tried. */
function checkedItem(event: PlanEvent, state: PlanState): { item: string; decision: PlanDecision } | null {
  if (event.kind !== 'plan.decided') return null;
  const { decision } = event;
  if (decision.kind !== 'settle' && decision.kind !== 'choose') return null;
  const item = decision.kind === 'settle' ? decision.item : decision.from;
  return (state.records.get(item)?.attempts.length ?? 0) > 0 ? { item, decision } : null;
}

function planLinesFor(event: PlanEvent, state: PlanState): string[] {
  switch (event.kind) {
    case 'session.started':
      return [
        `plan ${state.planId}  ${state.plan.title}   ${plural(state.plan.items.length, 'item')}, session ${event.session}`,
        `     at most ${plural(state.plan.limits.session, 'iteration')} a session, ${state.plan.limits.item} an item`,
      ];
    case 'session.resumed':
      return [`plan ${state.planId} goes on where it stood, session ${state.sessions}`];
    case 'plan.decided':
      return decisionLines(event.decision, state);
    case 'item.ended': {
      const { item, outcome } = event;
      const { status, code, reason } = outcome;
      return status === 'converged'
        ? []
        : [`  ${item}: ${status} after ${plural(outcome.iterations, 'iteration')}: ${reason} (${code})`];
    }
    case 'item.conflicted':
      return [
        `  ${event.item}: does not fit to the others: ${event.paths.length > 0 ? event.paths.join(', ') : event.failing.join(', ')}; both trees are kept (${event.before.slice(0, 7)}, ${event.theirs.slice(0, 7)})`,
      ];
    case 'item.reverted':
      return [
        event.kept
          ? `  ${event.item}: what it left could not be told from what others did, and stays: ${event.kept.join(', ')}`
          : `  ${event.item}: what it left is taken back; its tree is kept as ${event.from.slice(0, 7)}`,
      ];
    case 'probe.ended':
      return [`  ${event.item}: found out: ${event.findings.slice(0, 300)}`];
    case 'plan.changed':
      return [`  the plan changed: ${event.changes.join('; ')}`];
    case 'redirect.requested':
      return [`  redirected (${event.redirect.kind}); what is under way is ended first`];
    case 'stop.requested':
      return [`  stop asked for by ${stopperWords(event.by)}`];
    case 'session.ended': {
      // What comes next stands last, and once: the word of the report, and what a person does about it.
      const report = sessionText(sessionReport(state)).split('\n');
      const next = report.pop()!;
      return [
        '',
        ...report,
        [`${event.status}: ${event.reason}`, ...(event.also ?? []).map(({ reason }) => reason)].join(
          '; also ',
        ),
        `${next}: ${nextWords(state)}`,
      ];
    }
    default:
      return [];
  }
}

function decisionLines(decision: PlanDecision, state: PlanState): string[] {
  const { reason } = decision.because;
  switch (decision.kind) {
    case 'run-item': {
      const { title } = state.agenda.item(decision.item);
      const how = decision.approach === 'first' ? '' : ` again (${decision.approach})`;
      const where = decision.place === 'worktree' ? ', beside others' : '';
      return [
        `${decision.item}${how}: ${title}   run ${decision.runId}, up to ${plural(decision.iterations, 'iteration')}${where}`,
      ];
    }
    case 'settle': {
      const line = sessionReport(state).items.find(({ id }) => id === decision.item);
      const text = line ? itemLinesText([line])[0]! : `${decision.item}: ${decision.status}`;
      return [decision.status === 'done' ? text : `${text}  ${reason}`];
    }
    case 'end-session':
    case 'wait':
      return [];
    default:
      return [`  ${reason}`];
  }
}

/** Every ending prints the next command. */
function nextWords(state: PlanState): string {
  switch (state.session?.ended?.status) {
    case 'complete':
    case 'complete-with-caveats':
      return `agentgate plan status ${state.planId} shows all of it.`;
    case 'stuck':
    case 'blocked':
      if (state.session.ended.code === 'plan.waiting') return answerWords(state);
      return 'look at what is stuck with agentgate plan status; agentgate plan redirect --retry ITEM, --defer ITEM or --remove ITEM, then agentgate plan run.';
    case 'error':
      return 'mend what is named above, then agentgate plan run.';
    default:
      return 'agentgate plan run goes on.';
  }
}

/** How a person says what the first item waits for. */
function answerWords({ agenda, records }: PlanState): string {
  const asks = agenda.items.find(({ id }) => records.get(id)!.waiting !== null && agenda.isOpen(id));
  const last = asks && records.get(asks.id)!.attempts.at(-1);
  switch (last?.outcome.code) {
    case 'awaiting-answer':
      return `agentgate plan redirect --override ${asks!.id} --say ANSWER, then agentgate plan run.`;
    case 'awaiting-approval':
    case 'awaiting-confirmation':
      return `agentgate approve --run ${last.runId}, or agentgate reject --run ${last.runId}, then agentgate plan run.`;
    default:
      return 'agentgate plan run, when what is waited for is there.';
  }
}
