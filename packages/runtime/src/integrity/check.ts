import type { ProtectedChange } from '@agentgate/core';
import type { Checked, ProtectRules, Seal, TreeFile, TreeReader } from './checked.ts';
import { compareTrees, type Delta, findMoves, findStubs, type Move } from './delta.ts';
import { readDependencies, standingOfLock } from './dependencies.ts';
import { withNamedFiles } from './named-files.ts';
import { newTestsOf } from './new-tests.ts';
import { isProtected } from './protected.ts';
import { readRatchets } from './ratchets.ts';
import { type Standing, standingOf, type Surroundings } from './standing.ts';
import { surroundingsOf } from './surroundings.ts';

/** What was done between two trees to that by which the work is judged. Reads only what differs. */
export async function checkIntegrity(
  base: string,
  tree: string,
  reader: TreeReader,
  rules: ProtectRules,
): Promise<Checked & Seal & Pick<Comparison, 'moves' | 'stubs'> & { newTests: ReadonlySet<string> }> {
  const {
    deltas,
    moves,
    stubs,
    before,
    standings,
    dependencies,
    rules: all,
  } = await compare(base, tree, reader, rules);
  const changed = [...standings.values()].flatMap(({ change }): ProtectedChange[] =>
    change ? [change] : [],
  );
  changed.sort((a, b) => (a.path < b.path ? -1 : 1));
  const ratchets =
    deltas.length === 0 ? [] : await readRatchets(deltas, { moves, stubs }, before, reader, all);
  const newTests = await newTestsOf(deltas, moves, reader);
  return { changed, ratchets, dependencies, ...sealOf(standings), moves, stubs, newTests };
}

function sealOf(standings: ReadonlyMap<string, Standing>): Seal {
  const fromBase = new Set<string>();
  const replaced = new Map<string, string>();
  for (const [path, { origin }] of standings) {
    if (origin === 'base') fromBase.add(path);
    else if (origin !== 'agent') replaced.set(path, origin.text);
  }
  return { fromBase, replaced };
}

interface Comparison {
  deltas: readonly Delta[];
  moves: readonly Move[];
  /** Files that stayed where they are, and left their code to others. */
  stubs: readonly Move[];
  /** The files of the baseline. */
  before: readonly TreeFile[];
  standings: ReadonlyMap<string, Standing>;
  dependencies: string[];
  rules: ProtectRules;
}

async function compare(
  base: string,
  tree: string,
  reader: TreeReader,
  given: ProtectRules,
): Promise<Comparison> {
  const nothing = {
    deltas: [],
    moves: [],
    stubs: [],
    before: [],
    standings: new Map(),
    dependencies: [],
    rules: given,
  };
  if (base === tree) return nothing;
  const [before, after] = await Promise.all([reader.list(base), reader.list(tree)]);
  const deltas = compareTrees(before, after);
  if (deltas.length === 0) return nothing;
  const rules = await withNamedFiles(before, reader, given);
  const moves = await findMoves(deltas, reader);
  const stubs = await findStubs(deltas, reader);
  const around = surroundingsOf({ before, after, deltas, moves, reader, rules });
  const standings = new Map<string, Standing>();
  const { said, manifestsMoved } = await readDependencies(deltas, around);
  for (const delta of deltas) {
    const standing = isLockDelta(delta, around)
      ? await standingOfLock(delta, around, manifestsMoved, said)
      : await standingOf(delta, around);
    if (standing.change !== null || standing.origin !== 'agent') standings.set(delta.path, standing);
  }
  return { deltas, moves, stubs, before, standings, dependencies: [...new Set(said)], rules };
}

/** A lock file whose content went from one to another; that it came or went is like with any file. */
function isLockDelta({ path, before, after }: Delta, { rules }: Surroundings): boolean {
  const both = before !== null && after !== null && before.oid !== after.oid;
  return both && before.mode === after.mode && isProtected(path, rules) === 'lock';
}
