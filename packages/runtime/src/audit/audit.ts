import { join } from 'node:path';
import { type Gate, type NamedGate, type RunSpec, substanceOf } from '@agentgate/core';
import { stateRoot, type WorkspaceHome } from '../store/index.ts';
import { openWorkspace } from '../workspace/index.ts';
import { findBase } from './base.ts';
import { compareTrees } from './compare.ts';
import { openElsewhere } from './elsewhere.ts';
import { auditGate } from './gates.ts';
import type { Audit, AuditedGate, Compared } from './result.ts';
import { openTrees } from './trees.ts';

export interface AuditOptions {
  /** The workspace, which the caller holds. */
  home: WorkspaceHome;
  spec: RunSpec;
  /** A commit; without one the place where the work left its upstream or the main branch. */
  since?: string | undefined;
  judge: Gate;
  signal: AbortSignal;
  keepFds: readonly number[];
  onGate?: (gate: NamedGate) => void;
}

/** Judges what somebody claims to have done, against a commit: what is red, and what was done to the judging. */
export async function auditWork(options: AuditOptions): Promise<Audit> {
  const { home, spec, since, signal } = options;
  const { base, repository } = await findBase(home.root, since);
  const { exclude, include } = spec.workspace;
  const workspace = await openWorkspace({ ...home, exclude, include, outside: [stateRoot()], substanceOf });
  try {
    const { tree, leftOut } = await workspace.snapshot({ ref: 'audit' });
    const dir = join(home.dir, 'audit');
    const sides = { base: base.tree, tree, leftOut: leftOut.map(({ path }) => path) };
    const trees = openTrees(dir, repository, home.gitDir, sides);
    try {
      const { compared, seal } = await compareTrees(sides, trees.reader, spec);
      const { gitDir } = trees;
      const { root } = home;
      const place = {
        dir,
        gitDir,
        root,
        base: base.tree,
        tree,
        workspace,
        judge: options.judge,
        hide: [stateRoot()],
      };
      const request = {
        ...options,
        root,
        base: base.tree,
        tree,
        seal,
        elsewhere: openElsewhere(place),
        marker: `agentgate-audit-${process.pid}`,
      };
      const gates: AuditedGate[] = [];
      for (const gate of spec.gates.filter(isOfTree)) {
        if (signal.aborted) break;
        options.onGate?.(gate);
        gates.push(await auditGate(gate, request));
      }
      const notes = notesOf(spec, leftOut, gates);
      return { base, tree, compared, gates, notes, result: resultOf(compared, gates) };
    } finally {
      trees.close();
    }
  } finally {
    await workspace.close();
  }
}

/** Gates that ask a person, a forge or a model say nothing about what lies here. */
const isOfTree = ({ kind }: NamedGate): boolean => !['approval', 'judge', 'ci', 'convergence'].includes(kind);

function notesOf(
  { gates: all }: RunSpec,
  leftOut: readonly { path: string; why: string }[],
  gates: readonly AuditedGate[],
): string[] {
  const unasked = all.filter((gate) => !isOfTree(gate)).map(({ name }) => name);
  return [
    ...(unasked.length === 0 ? [] : [`not asked: ${unasked.join(', ')}`]),
    ...(gates.length === 0 ? ['no gate was found to judge by; name one with --gate'] : []),
    ...(leftOut.length === 0
      ? []
      : [
          `not compared: ${leftOut
            .slice(0, 5)
            .map(({ path, why }) => `${path} (${why})`)
            .join(', ')}`,
        ]),
  ];
}

function resultOf(compared: Compared, gates: readonly AuditedGate[]): Audit['result'] {
  const { deletedTests, skipped, weakened, suppressions } = compared;
  const isWorse = [deletedTests, skipped, weakened, suppressions].some((group) => group.length > 0);
  const hard = gates.filter(({ gate }) => gate.severity === 'hard');
  const isRed = hard.some(
    ({ verdict, withOldFiles }) => verdict.kind === 'failed' || withOldFiles !== undefined,
  );
  if (isWorse || isRed) return 'red';
  return hard.length > 0 && hard.every(({ verdict }) => verdict.kind === 'passed') ? 'clean' : 'unable';
}
