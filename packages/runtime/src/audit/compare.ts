import type { NamedGate, ProtectedChange, Ratchet, RunSpec } from '@agentgate/core';
import { checkIntegrity, gateFilesOf, type Seal, type TreeReader } from '../integrity/index.ts';
import type { Compared } from './result.ts';

/** What was done to that by which the work is judged, and how the gates are sealed against it. */
export async function compareTrees(
  { base, tree }: { base: string; tree: string },
  reader: TreeReader,
  spec: RunSpec,
): Promise<{ compared: Compared; seal: Seal }> {
  const [before, after] = await Promise.all([reader.list(base), reader.list(tree)]);
  const { protect, unprotect, grants } = spec.integrity;
  const rules = {
    protect: [...protect, ...spec.gates.flatMap((gate) => gate.protect)],
    unprotect: [...unprotect, ...grants],
    gateFiles: await gateFilesOf(spec.gates.flatMap(commandsOf), before, reader),
    grants: [],
  };
  const { changed, ratchets, dependencies, fromBase, replaced } = await checkIntegrity(
    base,
    tree,
    reader,
    rules,
  );
  const was = new Map(before.map(({ path, oid, mode }) => [path, `${mode} ${oid}`]));
  const differing = after.filter(({ path, oid, mode }) => was.get(path) !== `${mode} ${oid}`).length;
  const gone = before.filter(({ path }) => !after.some((file) => file.path === path)).length;
  return {
    compared: { files: differing + gone, dependencies, ...grouped(changed, ratchets) },
    seal: { fromBase, replaced },
  };
}

function grouped(
  changed: readonly ProtectedChange[],
  ratchets: readonly Ratchet[],
): Omit<Compared, 'files' | 'dependencies'> {
  const isDeletedTest = ({ status, what }: ProtectedChange) =>
    status === 'deleted' && (what === 'test' || what === 'snapshot');
  const of = (...kinds: Ratchet['kind'][]) => ratchets.filter(({ kind }) => kinds.includes(kind));
  return {
    deletedTests: changed.filter(isDeletedTest),
    skipped: of('skip'),
    weakened: of('assertion', 'exit'),
    suppressions: of('suppression', 'type-escape'),
    protected: changed.filter((one) => !isDeletedTest(one)),
    smells: of('smell'),
  };
}

function commandsOf(gate: NamedGate): string[] {
  if (gate.kind === 'command') return [asText(gate.run)];
  if (gate.kind === 'levels')
    return [...(gate.tests?.setup ?? []), ...(gate.tests?.run ?? [])].map(({ run }) => asText(run));
  return [];
}

const asText = (run: string | readonly string[]): string => (typeof run === 'string' ? run : run.join(' '));
