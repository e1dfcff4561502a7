import { buildCommand } from '@stricli/core';
import { fold, type RunState } from '@agentgate/core';
import {
  findSpecFile,
  openHome,
  openRunStore,
  readHistory,
  resumeRun,
  startRun,
  type WorkspaceHome,
} from '@agentgate/runtime';
import { busyBySession } from '../busy.ts';
import {
  type CommonFlags,
  type Context,
  common,
  commonAliases,
  configFlag,
  guarded,
  quietFlag,
  taskArgument,
} from '../context.ts';
import { driveRun, type OutputFlags } from '../drive-run.ts';
import { exitCode, exitCodeOf } from '../exit-code.ts';
import { tellNotes } from '../notes.ts';
import { loadTask } from '../load-task.ts';
import { type SpecFlags, specFlags } from '../spec-flags.ts';
import { rootOf } from '../wire.ts';

interface Flags extends CommonFlags, OutputFlags, SpecFlags {
  config?: string;
  new?: boolean;
}

const act = guarded(async function step(this: Context, flags: Flags, task?: string): Promise<number> {
  const home = openHome(rootOf(this, flags), this.env);
  const taken = busyBySession(this, flags, home.root);
  if (taken !== null) return taken;
  const door = { home, version: this.version, steps: 1 };
  const goOn = (runId: string) =>
    driveRun(this, flags, home, (watched) => resumeRun({ ...door, ...watched }, runId, {}));
  const file = findSpecFile(home.root, flags.config);
  const left = isBare(this, flags, task) && file === null ? await newestIn(home) : null;
  if (left !== null)
    return tellEnded(this, flags, left, 'give a task and gates to begin another one') ?? goOn(left.runId);
  const loaded = await loadTask(this, flags, home.root, { taskFile: task });
  if (typeof loaded === 'number') return loaded;
  tellNotes(this, flags, loaded.notes);
  const before = flags.new ? null : await lastOf(home, loaded.hash);
  if (before === null || (isOver(before.state) && before.hash !== loaded.hash))
    return driveRun(this, flags, home, (watched) => startRun({ ...door, ...watched }, loaded));
  const told = tellEnded(this, flags, before.state, '--new begins another one');
  if (told !== null) return told;
  if (before.hash !== loaded.hash)
    this.terminal.err(
      `agentgate: the spec has changed since run ${before.state.runId} began; it goes on with its own, and --new begins one with the new spec`,
    );
  return goOn(before.state.runId);
});

/** Nothing was given by which a run could be begun. */
const isBare = (
  { agentCommand }: Context,
  { prompt, gate, softGate, agent, new: isNew }: Flags,
  task?: string,
): boolean =>
  [task, prompt, gate, softGate, agent, isNew].every((one) => one === undefined) && agentCommand.length === 0;

/** What is suspended or was left in between goes on; everything else has come to its end. */
const isOver = ({ ended }: RunState): boolean => ended !== null && ended.status !== 'suspended';

/** The truth about a run that has ended, and its exit code; null where another step may go on with it. */
function tellEnded({ terminal }: Context, { json }: Flags, state: RunState, another: string): number | null {
  const { runId, ended } = state;
  if (!ended) return null;
  const isAsking = ended.code === 'awaiting-answer';
  if (!isOver(state) && !isAsking) return null;
  const next = isAsking ? `agentgate resume ${runId} --redirect "your answer" goes on` : another;
  terminal.err(
    `agentgate: run ${runId} has ended: ${ended.status} (${ended.code}): ${ended.reason}; ${next}`,
  );
  if (json) terminal.out(JSON.stringify({ ...ended, runId }));
  // A stop is the end of it; only what can go on is told to go on.
  return ended.status === 'stopped' ? exitCode.notConverged : exitCodeOf(ended.status, null);
}

interface Found {
  state: RunState;
  /** Of the spec that it began with. */
  hash: string;
}

/** So many runs are looked through. */
const mostRuns = 50;

/** The newest run of this spec, or else the newest of all. */
async function lastOf(home: WorkspaceHome, hash: string): Promise<Found | null> {
  const store = openRunStore(home.runs);
  let newest: Found | null = null;
  for (const runId of store.list().slice(0, mostRuns)) {
    const events = await readHistory(store, runId);
    const first = events.find((one) => one.kind === 'run.started');
    const found = { state: fold(events), hash: first?.kind === 'run.started' ? first.specHash : '' };
    if (found.hash === hash) return found;
    newest ??= found;
  }
  return newest;
}

/** The newest run, which a step without a spec is about; null where it never started, or is a session's. */
async function newestIn(home: WorkspaceHome): Promise<RunState | null> {
  const store = openRunStore(home.runs);
  const [runId] = store.list();
  const state = runId === undefined ? null : fold(await readHistory(store, runId));
  return state?.spec && !state.held ? state : null;
}

export const step = buildCommand({
  func: act,
  parameters: {
    positional: taskArgument,
    flags: {
      ...specFlags,
      config: configFlag,
      new: {
        kind: 'boolean',
        brief: 'begin a new run, whatever became of the last one',
        optional: true,
        withNegated: false,
      },
      quiet: quietFlag,
      ...common,
    },
    aliases: { ...commonAliases, p: 'prompt' },
  },
  docs: {
    brief: 'do one iteration and exit with the truth, for CI and cron',
    fullDescription: [
      'Begins a run, or goes on with the one that is open here, by one iteration: build, snapshot, gates, decision.',
      'Limits and detectors count across the steps. The state lies where AGENTGATE_STATE_DIR says, so that a job',
      'can carry it in a cache from one step to the next.',
      '',
      'Example:',
      '  agentgate step --gate "npm test" --agent claude',
      '',
      'Exit codes: 0 converged, 1 ended and not converged, 3 not done yet, go on with another step, 4 could not judge.',
    ].join('\n'),
  },
});
