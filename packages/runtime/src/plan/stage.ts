import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { PlanState } from '@agentgate/core';
import type { Control } from '../driver/control.ts';
import type { Watcher } from '../driver/ports.ts';
import type { LockResult } from '../process/index.ts';
import type { RunStore, WorkspaceHome } from '../store/index.ts';

/** What the deeds of a plan need of the world. */
export interface Stage {
  home: WorkspaceHome;
  runs: RunStore;
  version: string;
  lock: Extract<LockResult, { kind: 'held' }>;
  env?: NodeJS.ProcessEnv | undefined;
  state(): PlanState;
  /** Who watches the run of an item. */
  watcherFor(item: string): Watcher;
  /** Ends what is under way for an item, when a person wants that. */
  controlFor(item: string): Control;
  signal: AbortSignal;
}

/** Whether a run was begun; a crash may have left its folder alone. */
export const hasRun = ({ runs }: Stage, runId: string): boolean =>
  existsSync(join(runs.dir(runId), 'log.jsonl'));
