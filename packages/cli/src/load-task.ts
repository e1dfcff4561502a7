import { FaultError, fault } from '@agentgate/core';
import { findSpecFile, type LoadedSpec, type LoadOptions, loadSpec } from '@agentgate/runtime';
import type { CommonFlags, Context } from './context.ts';
import { placeholderTask, refuseSpec } from './refuse.ts';
import { overridesOf, type SpecFlags } from './spec-flags.ts';

type Loaded = Extract<LoadedSpec, { kind: 'loaded' }>;

/** The spec of a run that is to begin, from file and flags; or the exit code of a refusal that was told. */
export async function loadTask(
  context: Context,
  flags: CommonFlags & SpecFlags & { config?: string },
  root: string,
  { taskFile, below }: { taskFile: string | undefined; below?: LoadOptions['below'] },
): Promise<Loaded | number> {
  const loaded = await loadSpec(
    root,
    findSpecFile(root, flags.config),
    ({ gates }) => overridesOf(flags, { taskFile, agent: context.agentCommand, gateNames: gates }),
    { profile: flags.profile, env: context.env, below },
  );
  if (loaded.kind === 'invalid') return refuseSpec(context, flags, root, loaded);
  if (loaded.spec.task.trim() === placeholderTask)
    throw new FaultError(fault('usage', `say what to do in "task" of ${loaded.source} first`));
  return loaded;
}
