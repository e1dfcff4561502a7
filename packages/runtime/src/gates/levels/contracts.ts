import type { Finding } from '@agentgate/core';
import { findPath } from '../find-path.ts';
import { isGlob } from '../glob.ts';
import { outsideFault } from '../inside.ts';
import { type Halt, halt } from '../step.ts';
import { add, type Level, nothingSeen, type Scene, type Seen } from './level.ts';
import { matcher } from './matcher.ts';
import { judgeNaming } from './naming.ts';
import { judgeSchemas } from './schemas.ts';

/** L0: which files there are, and how they look. Nothing is run. */
export const judgeContracts: Level = async (scene) => {
  const seen = nothingSeen();
  for (const part of [judgeRequired, judgeForbidden, judgeSchemas, judgeNaming]) {
    const halted = await part(scene, seen);
    if (halted !== undefined) return halted;
  }
  return seen;
};

async function judgeRequired({ request, gate }: Scene, seen: Seen): Promise<Halt | undefined> {
  for (const path of gate.contracts?.required ?? []) {
    const found = await findPath(request, path);
    if (found.kind === 'outside') return halt({ kind: 'unable', fault: outsideFault(gate.name, found.path) });
    const title = isGlob(path) ? `nothing matches ${path}` : `${path} does not exist`;
    add(
      seen,
      `required ${path}`,
      found.kind === 'inside' ? [] : [{ id: `required:${path}`, title, file: path }],
    );
  }
  return undefined;
}

async function judgeForbidden({ gate, files }: Scene, seen: Seen): Promise<undefined> {
  const globs = gate.contracts?.forbidden ?? [];
  const paths = globs.length === 0 ? [] : await files();
  // An empty folder holds nothing forbidden, and that proves nothing.
  const isEmpty = globs.length > 0 && paths.length === 0 && seen.checks.length === 0;
  if (isEmpty) add(seen, 'files to look at', [{ id: 'empty', title: 'the project has no files' }]);
  for (const glob of globs) {
    const present = paths.filter(matcher([glob]));
    add(seen, `forbidden ${glob}`, present.map(forbidden));
  }
}

const forbidden = (path: string): Finding => ({
  id: `forbidden:${path}`,
  title: `${path} must not be in the project`,
  file: path,
  message: 'delete it, or let .gitignore name it',
});
