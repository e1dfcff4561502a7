import {
  findSpecFile,
  flatSpec,
  type LocatedProblem,
  loadSpec,
  namesIn,
  type Override,
} from '../spec/load.ts';
import type { PlacedItem } from '@agentgate/core';
import type { ReadPlan } from './read-plan.ts';

/** What holds for every item of a plan before these say anything themselves. */
export interface BaseSpec {
  /** Whether the plan or the project brings gates that judge every item. */
  hasGates: boolean;
  /** What the project's own spec says. */
  value: Record<string, unknown>;
  problems: LocatedProblem[];
}

type Path = readonly (string | number)[];

/** What the project's own spec brings, and whatever is wrong with it together with what the plan says of every run. */
export async function readBase(
  root: string,
  { run, placed }: { run: Record<string, unknown>; placed: readonly PlacedItem[] },
  read: ReadPlan,
  env?: NodeJS.ProcessEnv,
): Promise<BaseSpec> {
  const file = findSpecFile(root);
  const own = Object.keys((run['gates'] as object | undefined) ?? {}).length > 0;
  const hasGates = own || namesIn(file).gates.length > 0;
  const top = (read.value ?? {}) as Record<string, unknown>;
  // What stands at the top of a plan, or under `run`, is one spec together.
  const placeOf = (path: Path) => (Object.hasOwn(top, String(path[0])) ? path : ['run', ...path]);
  const where: Override['where'] = (path, inName) => read.where(placeOf(path), inName);
  const set = (path: string[], value: unknown): Override => ({ path, value, flag: 'the plan', where });
  const hasAgents = placed.every(({ item }) => item.agent !== undefined || item.resolvedBy !== null);
  const options = env ? { env } : {};
  const loaded = await loadSpec(
    root,
    file,
    (there) => [
      ...Object.entries(run).flatMap(([key, value]) =>
        key === 'gates' && typeof value === 'object' && value !== null
          ? Object.entries(value).map(([name, gate]) => set(['gates', name], gate))
          : [set([key], value)],
      ),
      set(['task'], 'a task'),
      ...(hasGates ? [] : [set(['gates'], { any: 'true' })]),
      ...(hasAgents && !there.options.includes('agent') && !('agent' in run)
        ? [set(['agent'], ['true'])]
        : []),
    ],
    options,
  );
  if (loaded.kind === 'loaded') return { hasGates, value: await flatSpec(root, file, options), problems: [] };
  // What nobody said is missing in the plan.
  const problems = loaded.problems.map((one) =>
    one.where === 'command line' ? { ...one, where: read.where([]) } : one,
  );
  return { hasGates, value: {}, problems };
}
