import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildCommand } from '@stricli/core';
import { FaultError, fault } from '@agentgate/core';
import {
  type Check,
  findHome,
  isProved,
  listHomes,
  openRunStore,
  proveFile,
  proveRun,
  sourceOf,
  type WorkspaceHome,
} from '@agentgate/runtime';
import { type CommonFlags, type Context, common, commonAliases, guarded } from '../context.ts';
import { propose } from '../completion/proposals.ts';
import { exitCode } from '../exit-code.ts';
import { checkLine } from '../view/check-line.ts';
import { chooseRun, rootOf } from '../wire.ts';

const act = guarded(async function verify(this: Context, flags: CommonFlags, name?: string): Promise<number> {
  const home = findHome(rootOf(this, flags), this.env);
  const checks: Check[] = [];
  for await (const check of prove(this, home, name)) {
    checks.push(check);
    this.terminal.out(
      flags.json ? JSON.stringify({ kind: 'checked', ...check }) : checkLine(this.terminal, check),
    );
  }
  const proved = isProved(checks);
  const isBroken = checks.some((one) => one.result === 'broken');
  if (flags.json) this.terminal.out(JSON.stringify({ kind: 'verified', proved }));
  else if (proved) this.terminal.out('Proved.');
  else
    this.terminal.out(
      isBroken ? 'Not proved: see what is broken above.' : 'Consistent with itself, not proved.',
    );
  return proved ? exitCode.ok : exitCode.notConverged;
});

/** A run by its id, also one whose log is gone; else a file. */
function prove(context: Context, home: WorkspaceHome, name: string | undefined): AsyncGenerator<Check> {
  const here = sourceOf(home);
  const runs = openRunStore(home.runs).list();
  const isRun = name === undefined || runs.some((run) => run.startsWith(name));
  if (isRun) return proveRun(chooseRun(runs, name, home.root), here, context.version);
  const path = resolve(context.cwd, name);
  if (existsSync(path) && statSync(path).isFile())
    return proveFile({ name, bytes: readFileSync(path) }, [here, ...elsewhere(context)], context.version);
  if (/^\w+$/.test(name) && existsSync(join(home.runs, name))) return proveRun(name, here, context.version);
  throw new FaultError(
    fault('usage', `${name} is neither a run of ${home.root} nor a file; agentgate list shows the runs`),
  );
}

/** What lies in the state of every other workspace. */
const elsewhere = ({ env }: Context) => listHomes(env).map(sourceOf);

export const verify = buildCommand({
  func: act,
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [
        {
          parse: String,
          brief: 'a run, or the file of a receipt or an export; the newest run by default',
          placeholder: 'run|file',
          optional: true,
          proposeCompletions: propose.runs,
        },
      ],
    },
    flags: common,
    aliases: commonAliases,
  },
  docs: {
    brief: 'prove a run, a receipt or an export, or say where it breaks',
    fullDescription: [
      'Looks at the chain of the log and of all runs it goes on from, decides every recorded decision again, makes',
      'the ending again, and compares texts, tree and receipt with their hashes. Changes nothing.',
      'A receipt is proved by its log, in whichever workspace of this machine that lies; without it, it is not.',
      'Exit code 0 when all of it holds, 1 when something is broken or not proved, 2 for what is not there.',
      '',
      'Example:',
      '  agentgate verify 7f3k2p',
    ].join('\n'),
  },
});
