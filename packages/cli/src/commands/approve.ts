import { buildCommand } from '@stricli/core';
import { answerGate, whoAmI } from '@agentgate/runtime';
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
import { shortTree } from '../view/words.ts';
import { openRun } from '../wire.ts';

interface AnswerFlags extends CommonFlags {
  run?: string;
  note?: string;
  as?: string;
}

type ApproveFlags = AnswerFlags & GrantFlags & { grant?: boolean };

async function sayToGate(
  context: Context,
  flags: AnswerFlags,
  name: string | undefined,
  approved: boolean,
): Promise<number> {
  const opened = await openRun(context, flags, flags.run);
  refuseInside(context, opened.home, 'a gate is answered');
  const { runId, state } = opened;
  const by = flags.as ?? whoAmI();
  const { gate, tree, isLeft } = await answerGate(opened, { gate: name, by, approved, note: flags.note });
  if (flags.json) {
    const note = flags.note === undefined ? {} : { note: flags.note };
    context.terminal.out(JSON.stringify({ kind: 'answered', runId, gate, tree, by, approved, ...note }));
    return exitCode.ok;
  }
  const verb = approved ? 'approved' : 'rejected';
  const next = isLeft
    ? ` ${state.held ? 'The next prompt of its session goes on with that, or' : 'It goes on with that by'} agentgate resume ${runId}.`
    : '';
  context.terminal.out(`${gate} of run ${runId} is ${verb} by ${by} on tree ${shortTree(tree)}.${next}`);
  return exitCode.ok;
}

const sayYes = guarded(async function approve(
  this: Context,
  flags: ApproveFlags,
  name?: string,
): Promise<number> {
  if (flags.grant) return grantFiles(this, flags, name ?? flags.run, flags.as ?? whoAmI());
  return sayToGate(this, flags, name, true);
});

const sayNo = guarded(async function reject(
  this: Context,
  flags: AnswerFlags,
  name?: string,
): Promise<number> {
  return sayToGate(this, flags, name, false);
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
