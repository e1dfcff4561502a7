import { type RunSpec, testRunners } from '@agentgate/core';
import { type Checked, checkIntegrity, type Move, type Seal } from '../integrity/index.ts';
import { cleanText } from '../process/index.ts';
import type { Baseline } from './baseline.ts';

/** What a tree shows beside the baseline, and how it is judged. */
export interface Compared {
  checked: Checked;
  plan: Seal;
  moves: readonly Move[];
  /** Tests that were not there before, and that no old one needs. */
  newTests: ReadonlySet<string>;
  /** Files that left their code to new ones. */
  stubs: readonly Move[];
}

const mostDiff = 1_500;
const mostChanged = 100;

export async function compareTrees(
  baseline: Baseline,
  tree: string,
  grants: readonly { path: string; oid: string | null }[],
  { spec }: { spec: RunSpec },
): Promise<Compared> {
  const { tree: base, reader, gateFiles, testData } = baseline;
  const { protect, unprotect, grants: allowed } = spec.integrity;
  const testCommands = testCommandsOf(baseline, spec);
  const rules = {
    protect: [...protect, ...spec.gates.flatMap((gate) => gate.protect)],
    unprotect: [...unprotect, ...allowed],
    gateFiles,
    testData,
    grants,
    ...(testCommands ? { testCommands } : {}),
  };
  const { fromBase, replaced, moves, stubs, newTests, ...checked } = await checkIntegrity(
    base,
    tree,
    reader,
    rules,
  );
  return { checked: bounded(checked), plan: { fromBase, replaced }, moves, stubs, newTests };
}

/** What the gates run, where each of them is known to do nothing but run tests. */
function testCommandsOf({ knownRunner }: Baseline, { gates }: RunSpec): string[] | null {
  const known = gates.map((gate) => knownRunner(gate));
  const isTests = known.every((one) => testRunners.some((runner) => runner === one?.runner));
  return isTests ? known.map((one) => [...(one?.program ?? []), ...(one?.args ?? [])].join(' ')) : null;
}

/** Names and contents are other people's text; the log takes a bounded part of them. */
function bounded({ changed, ratchets, dependencies }: Checked): Checked {
  return {
    changed: changed
      .slice(0, mostChanged)
      .map((one) => ({ ...one, diff: cleanText(one.diff).slice(0, mostDiff) })),
    ratchets: ratchets.slice(0, mostChanged).map((one) => ({
      ...one,
      title: cleanText(one.title),
      message: cleanText(one.message).slice(0, mostDiff),
    })),
    dependencies: dependencies.slice(0, mostChanged).map(cleanText),
  };
}
