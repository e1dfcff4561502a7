import { buildCommand } from '@stricli/core';
import { FaultError, fault, type RunState } from '@agentgate/core';
import { type CommonFlags, type Context, common, commonAliases, guarded, runFlag } from '../context.ts';
import { exitCode } from '../exit-code.ts';
import { whoAmI } from '../person.ts';
import { shortTree } from '../view/words.ts';
import { isHeld, openRun } from '../wire.ts';

interface Flags extends CommonFlags {
  run?: string;
  note?: string;
  as?: string;
}

/** Answers a gate that waits for a person, about the tree that it waits with. */
const answer = (approved: boolean) =>
  guarded(async function approve(this: Context, flags: Flags, name?: string): Promise<number> {
    const { home, store, runId, state } = await openRun(this, flags, flags.run);
    const gate = waitingGate(state, runId, name);
    const tree = state.current?.tree ?? '';
    if (!(await isHeld(home, store, runId))) {
      throw new FaultError(
        fault('usage', `nobody drives run ${runId} now; agentgate resume ${runId} asks for ${gate} again`),
      );
    }
    const by = flags.as ?? whoAmI();
    refuseStranger(state, gate, by);
    const note = flags.note === undefined ? {} : { note: flags.note };
    store.request(runId, { kind: 'approval', gate, tree, by, approved, ...note });
    if (flags.json) {
      this.terminal.out(JSON.stringify({ kind: 'answered', runId, gate, tree, by, approved, ...note }));
      return exitCode.ok;
    }
    const verb = approved ? 'approved' : 'rejected';
    this.terminal.out(`${gate} of run ${runId} is ${verb} by ${by} on tree ${shortTree(tree)}.`);
    return exitCode.ok;
  });

/** An answer of somebody who is not asked would count for nothing. */
function refuseStranger({ spec }: RunState, gate: string, by: string): void {
  const asked = spec?.gates.find((one) => one.name === gate);
  if (asked?.kind !== 'approval' || asked.approvers.length === 0 || asked.approvers.includes(by)) return;
  const names = asked.approvers.join(', ');
  throw new FaultError(fault('usage', `${gate} asks ${names}, not ${by}; answer for one of them with --as`));
}

function waitingGate(state: RunState, runId: string, name: string | undefined): string {
  const waiting = [...(state.current?.verdicts ?? [])]
    .filter(([, verdict]) => verdict.kind === 'pending')
    .map(([gate]) => gate);
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

const command = (approved: boolean, brief: string, example: string) =>
  buildCommand({
    func: answer(approved),
    parameters: {
      positional: {
        kind: 'tuple',
        parameters: [
          {
            parse: String,
            brief: 'the gate; the only one that waits by default',
            placeholder: 'gate',
            optional: true,
          },
        ],
      },
      flags: {
        run: runFlag,
        note: {
          kind: 'parsed',
          parse: String,
          brief: 'why; the agent is told when it is rejected',
          optional: true,
          placeholder: 'text',
        },
        as: {
          kind: 'parsed',
          parse: String,
          brief: 'who answers; you by default',
          optional: true,
          placeholder: 'name',
        },
        ...common,
      },
      aliases: commonAliases,
    },
    docs: {
      brief,
      fullDescription: `The answer holds for the tree that waits, and for no other.\n\nExample:\n  ${example}`,
    },
  });

export const approve = command(true, 'say yes to a gate that waits for a person', 'agentgate approve review');
export const reject = command(
  false,
  'say no to a gate that waits for a person',
  'agentgate reject review --note "the API must not change"',
);
