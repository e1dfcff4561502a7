import { buildCommand } from '@stricli/core';
import { type Event, fold, type RunState } from '@agentgate/core';
import {
  findHome,
  listHomes,
  openRunStore,
  readHistory,
  sourceOf,
  type WorkspaceHome,
} from '@agentgate/runtime';
import { type CommonFlags, type Context, common, commonAliases, guarded } from '../context.ts';
import { exitCode } from '../exit-code.ts';
import { plural, taskTitle } from '../view/words.ts';
import { isDrivenNow, rootOf } from '../wire.ts';

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
  const rows = (await Promise.all(homes.map(rowsOf)))
    .flat()
    .sort((a, b) => (a.startedAt < b.startedAt ? 1 : -1));
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

async function rowsOf(home: WorkspaceHome): Promise<Row[]> {
  const store = openRunStore(home.runs);
  const rows = await Promise.all(
    store.list().map(async (runId): Promise<Row | null> => {
      try {
        const events = await readHistory(store, runId);
        const startedAt = events.findLast((one) => one.kind === 'run.started')?.at ?? '';
        return {
          ...rowOf(home.root, startedAt, fold(events), isDrivenNow(home, runId), isLeftIn(events)),
          runId,
        };
      } catch (error) {
        // Removed since it was listed: then it is no run any more.
        if (!store.list().includes(runId)) return null;
        // One damaged log must not hide the others.
        const task = error instanceof Error ? error.message : String(error);
        return {
          ...goodOf(home, runId),
          runId,
          root: home.root,
          status: 'damaged',
          code: null,
          task,
          isLeft: false,
        };
      }
    }),
  );
  return rows.filter((row) => row !== null);
}

/** Whether the last who worked for it was a session that has left it. */
const isLeftIn = (events: readonly Event[]): boolean =>
  events.findLast(({ kind }) => ['session.held', 'session.left', 'run.resumed'].includes(kind))?.kind ===
  'session.left';

/** What is known of a run whose log is damaged. */
function goodOf(home: WorkspaceHome, runId: string): Pick<Row, 'iterations' | 'startedAt' | 'parent'> {
  const events = sourceOf(home).log(runId)?.events ?? [];
  const [first] = events;
  return {
    iterations: Math.max(0, ...events.map((one) => (one.kind === 'agent.started' ? one.iteration : 0))),
    startedAt: first?.at ?? '',
    parent: first?.kind === 'run.started' ? (first.parent?.runId ?? null) : null,
  };
}

function rowOf(root: string, startedAt: string, state: RunState, driven: boolean, isLeft: boolean): Row {
  return {
    runId: state.runId,
    root,
    status:
      state.ended?.status ??
      (driven ? 'running' : state.held ? 'held' : state.paused ? 'paused' : 'cut short'),
    code: state.ended?.code ?? null,
    iterations: state.iteration,
    startedAt,
    parent: state.parentRunId,
    task: state.spec?.task ?? '',
    isLeft: state.ended ? state.held !== null && state.ended.status !== 'converged' : isLeft && !driven,
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
