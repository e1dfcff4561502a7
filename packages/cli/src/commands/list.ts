import { buildCommand } from '@stricli/core';
import {
  type Entry,
  findHome,
  isDrivenNow,
  isHeldNow,
  listHomes,
  openCatalogue,
  standingOf,
} from '@agentgate/runtime';
import { type CommonFlags, type Context, common, commonAliases, guarded } from '../context.ts';
import { exitCode } from '../exit-code.ts';
import { plural, taskTitle } from '../view/words.ts';
import { rootOf } from '../wire.ts';

interface Flags extends CommonFlags {
  all?: boolean;
}

interface Row {
  runId: string;
  root: string;
  status: string;
  code: string | null;
  iterations: number;
  startedAt: string;
  /** The run that it goes on from, whose iterations are among its own. */
  parent: string | null;
  task: string;
  /** It was let go in a session that was held, and is not done. */
  isLeft: boolean;
}

const act = guarded(async function list(this: Context, flags: Flags): Promise<number> {
  const homes = flags.all ? listHomes(this.env) : [findHome(rootOf(this, flags), this.env)];
  const catalogue = openCatalogue();
  await catalogue.refresh(homes);
  catalogue.save();
  const rows = catalogue.entries().map((entry) => rowOf(entry, this.env));
  if (flags.json) {
    for (const row of rows) this.terminal.out(JSON.stringify({ kind: 'run', ...row }));
    return exitCode.ok;
  }
  if (rows.length === 0)
    this.terminal.out('No runs yet. agentgate run starts one, agentgate demo shows one.');
  for (const row of rows) {
    const when = row.startedAt.slice(0, 16).replace('T', ' ');
    const end = row.code ? `${row.status} (${row.code})` : row.status;
    const how = row.isLeft ? `${end}, NOT converged` : end;
    const where = `${row.parent ? `  from ${row.parent}` : ''}${flags.all ? `  ${row.root}` : ''}`;
    this.terminal.out(
      `${row.runId}  ${when}  ${how.padEnd(34)} ${plural(row.iterations, 'iteration').padStart(14)}  ${taskTitle(row.task, 50)}${where}`,
    );
  }
  return exitCode.ok;
});

function rowOf(entry: Entry, env: NodeJS.ProcessEnv): Row {
  const { home, runId, summary, damage } = entry;
  const driven = !summary?.ended && isDrivenNow(home, runId);
  const standing = standingOf(entry, driven);
  const isLetGo = standing === 'held' && !isHeldNow(runId, env);
  return {
    runId,
    root: home.root,
    status: standing === 'cut-short' || isLetGo ? 'cut short' : standing,
    code: damage === null ? (summary?.ended?.code ?? null) : null,
    iterations: summary?.iterations ?? 0,
    startedAt: summary?.startedAt ?? '',
    parent: summary?.parent ?? null,
    // One damaged log must not hide the others.
    task: damage ?? summary?.task ?? '',
    isLeft: isLetGo || ((summary?.isLeft ?? false) && !driven),
  };
}

export const list = buildCommand({
  func: act,
  parameters: {
    flags: {
      all: { kind: 'boolean', brief: 'the runs of every workspace', optional: true, withNegated: false },
      ...common,
    },
    aliases: commonAliases,
  },
  docs: {
    brief: 'list the runs of this workspace',
    fullDescription: 'Newest first.\n\nExample:\n  agentgate list --all',
  },
});
