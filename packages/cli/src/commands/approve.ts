import { buildCommand } from '@stricli/core';
import { asksPersons, FaultError, fault, type RunState } from '@agentgate/core';
import {
  type CommonFlags,
  type Context,
  common,
  commonAliases,
  guarded,
  quietFlag,
  runFlag,
} from '../context.ts';
import { exitCode } from '../exit-code.ts';
import { refuseInside } from '../inside.ts';
import { type GrantFlags, grantFiles } from '../grant.ts';
import { parsed, repeated } from '../flag.ts';
import { whoAmI } from '../person.ts';
import { shortTree } from '../view/words.ts';
import { isHeld, openRun } from '../wire.ts';

interface AnswerFlags extends CommonFlags {
  run?: string;
  note?: string;
  as?: string;
}

type ApproveFlags = AnswerFlags & GrantFlags & { grant?: boolean };

/** Answers a gate that waits for a person, about the tree that it waits with. */
async function answerGate(
  context: Context,
  flags: AnswerFlags,
  name: string | undefined,
  approved: boolean,
): Promise<number> {
  const { home, store, runId, state } = await openRun(context, flags, flags.run);
  refuseInside(context, home, 'a gate is answered');
  const left = leftWaiting(state);
  const child = left && store.childOf(runId, state.seq);
  if (child)
    throw new FaultError(fault('usage', `run ${runId} went on as run ${child}; answer that one with --run`));
  const gate = waitingGate(state, runId, name);
  const tree = (left ?? state.current)?.tree ?? '';
  if (!left && !(await isHeld(home, store, runId))) {
    throw new FaultError(
      fault('usage', `nobody drives run ${runId} now; agentgate resume ${runId} asks for ${gate} again`),
    );
  }
  const by = flags.as ?? whoAmI();
  refuseStranger(state, gate, by);
  const note = flags.note === undefined ? {} : { note: flags.note };
  store.request(runId, { kind: 'approval', gate, tree, by, approved, ...note });
  if (flags.json) {
    context.terminal.out(JSON.stringify({ kind: 'answered', runId, gate, tree, by, approved, ...note }));
    return exitCode.ok;
  }
  const verb = approved ? 'approved' : 'rejected';
  const next = left
    ? ` ${state.held ? 'The next prompt of its session goes on with that, or' : 'It goes on with that by'} agentgate resume ${runId}.`
    : '';
  context.terminal.out(`${gate} of run ${runId} is ${verb} by ${by} on tree ${shortTree(tree)}.${next}`);
  return exitCode.ok;
}

/** The iteration with which a run was suspended because a person has to answer. */
function leftWaiting({ ended, lastClosed }: RunState): RunState['lastClosed'] {
  const isLeft = ended?.code === 'awaiting-approval' || ended?.code === 'awaiting-confirmation';
  return isLeft ? lastClosed : null;
}

/** An answer of somebody who is not asked would count for nothing. */
function refuseStranger({ spec }: RunState, gate: string, by: string): void {
  const asked = spec?.gates.find((one) => one.name === gate);
  if (asked?.kind !== 'approval' || asked.approvers.length === 0) return;
  const same = (name: string) => name.trim().toLowerCase() === by.trim().toLowerCase();
  if (asked.approvers.some(same)) return;
  const names = asked.approvers.join(', ');
  throw new FaultError(fault('usage', `${gate} asks ${names}, not ${by}; answer for one of them with --as`));
}

function waitingGate(state: RunState, runId: string, name: string | undefined): string {
  // A gate that waits for CI would not hear a person, and before the first build there is nothing to answer for.
  const verdicts = state.iteration === 0 ? undefined : (leftWaiting(state) ?? state.current)?.verdicts;
  const waiting = (state.spec?.gates ?? [])
    .filter((gate) => asksPersons(gate) && verdicts?.get(gate.name)?.kind === 'pending')
    .map(({ name: gate }) => gate);
  const chosen = name ?? (waiting.length === 1 ? waiting[0] : undefined);
  // An item of a checklist is named behind its gate: done/2.
  if (chosen !== undefined && waiting.includes(chosen.split('/')[0]!)) return chosen;
  const what =
    waiting.length === 0
      ? `no gate of run ${runId} waits for an answer`
      : name === undefined
        ? `more than one gate of run ${runId} waits: name one of ${waiting.join(', ')}`
        : `gate ${name} of run ${runId} does not wait for an answer; waiting: ${waiting.join(', ')}`;
  throw new FaultError(fault('usage', what));
}

const sayYes = guarded(async function approve(
  this: Context,
  flags: ApproveFlags,
  name?: string,
): Promise<number> {
  if (flags.grant) return grantFiles(this, flags, name ?? flags.run, flags.as ?? whoAmI());
  return answerGate(this, flags, name, true);
});

const sayNo = guarded(async function reject(
  this: Context,
  flags: AnswerFlags,
  name?: string,
): Promise<number> {
  return answerGate(this, flags, name, false);
});

const answerFlags = {
  run: runFlag,
  note: parsed('why; the agent is told when it is rejected', 'text'),
  as: parsed('who answers; you by default', 'name'),
  ...common,
} as const;

const gateArgument = (brief: string) =>
  ({
    kind: 'tuple',
    parameters: [{ parse: String, brief, placeholder: 'gate', optional: true }],
  }) as const;

const about = 'The answer holds for the tree that waits, and for no other.';

export const approve = buildCommand({
  func: sayYes,
  parameters: {
    positional: gateArgument('the gate, the only one that waits by default; with --grant the run'),
    flags: {
      ...answerFlags,
      grant: {
        kind: 'boolean',
        brief: 'allow the protected files that the run changed; the gates are judged again without the agent',
        optional: true,
        withNegated: false,
      },
      file: repeated('with --grant: only this file', 'path'),
      quiet: quietFlag,
    },
    aliases: commonAliases,
  },
  docs: {
    brief: 'say yes to a gate that waits for a person, or grant changes of protected files',
    fullDescription: `${about}\n\nExample:\n  agentgate approve review\n  agentgate approve 7f3k --grant`,
  },
});

export const reject = buildCommand({
  func: sayNo,
  parameters: {
    positional: gateArgument('the gate; the only one that waits by default'),
    flags: answerFlags,
    aliases: commonAliases,
  },
  docs: {
    brief: 'say no to a gate that waits for a person',
    fullDescription: `${about}\n\nExample:\n  agentgate reject review --note "the API must not change"`,
  },
});
