import { dirname, join } from 'node:path';
import { type Learned, learnedFrom, modelVersion, type StrategySpec, StoredModel } from '@agentgate/core';
import { type Disk, systemDisk, type WorkspaceHome } from '../store/index.ts';

type Adaptive = Extract<StrategySpec, { kind: 'adaptive' }>;

/** What a model was fitted for: another aim is another model. */
export type Aim = Pick<Adaptive, 'mode' | 'target' | 'value' | 'explore'>;

/** A model as it lies in the state of a workspace, or why there is none. */
export type KeptModel = { model: StoredModel } | { model: null; why: string };

/** Where everything lies that was learned from the runs of a workspace; items of a plan that work beside it share it. */
export const learnedDir = ({ runs }: Pick<WorkspaceHome, 'runs'>): string => join(dirname(runs), 'learned');

/** Lies there while the last time that somebody learned in the background was cut short, and says since when. */
export const unfinishedPath = (home: Pick<WorkspaceHome, 'runs'>): string =>
  join(learnedDir(home), 'unfinished');

/** What a run knows that begins in this workspace now; nothing for strategies that do not ask. */
export function learnedAtStart(
  home: Pick<WorkspaceHome, 'runs'>,
  strategy: StrategySpec,
  runId: string,
): Learned | undefined {
  if (strategy.kind !== 'adaptive') return undefined;
  const kept = readModel(home, strategy);
  return learnedFrom(kept.model, runId, kept.model ? undefined : kept.why);
}

/** Reads the newest model for an aim. Never throws: a run begins without it, too. */
export function readModel(home: Pick<WorkspaceHome, 'runs'>, aim: Aim, disk: Disk = systemDisk): KeptModel {
  const path = pathOf(home, aim);
  try {
    if (!disk.exists(path)) return { model: null, why: whyNone(disk.exists(unfinishedPath(home))) };
    return { model: StoredModel.parse(JSON.parse(disk.read(path).toString('utf8'))) };
  } catch {
    return { model: null, why: 'what was learned cannot be read; agentgate lab fit learns anew' };
  }
}

const whyNone = (isUnfinished: boolean): string =>
  isUnfinished
    ? 'learning from the runs of this project took too long; agentgate lab fit takes the time it needs'
    : 'nothing was learned from runs of this project yet';

/** Puts a model in the place of the one before it, in one step, and answers with its version. */
export function keepModel(
  home: Pick<WorkspaceHome, 'runs'>,
  aim: Aim,
  model: StoredModel,
  disk: Disk = systemDisk,
): string {
  disk.makeDir(learnedDir(home));
  disk.put(pathOf(home, aim), `${JSON.stringify(model)}\n`);
  return modelVersion(model);
}

const pathOf = (home: Pick<WorkspaceHome, 'runs'>, aim: Aim): string =>
  join(learnedDir(home), `${nameOf(aim)}.json`);

const nameOf = ({ mode, target, value, explore }: Aim): string =>
  mode === 'value' ? `value-${value ?? 0}-${explore}` : `retention-${target}-${explore}`;
