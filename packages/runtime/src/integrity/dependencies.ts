import { cleanText } from '../process/index.ts';
import type { Delta } from './delta.ts';
import { compareDependencies, compareLocks, compareManifests, manifestKindOf } from './manifest/index.ts';
import { kindOf } from './protected.ts';
import { bodyOf, type Standing, standingOf, type Surroundings } from './standing.ts';
import { shownPath, textOf } from './text.ts';

/** What manifests ask for that they did not ask for before. */
export async function readDependencies(
  deltas: readonly Delta[],
  { reader }: Surroundings,
): Promise<{ said: string[]; manifestsMoved: boolean }> {
  const said: string[] = [];
  for (const { path, before, after } of deltas) {
    const kind = manifestKindOf(path);
    if (kind === null || kindOf(path) !== 'config') continue;
    const [was, is] = await Promise.all([before, after].map((file) => (file ? bodyOf(reader, file) : null)));
    const { before: asked, after: asks } = compareManifests(text(was), text(is), kind);
    said.push(...compareDependencies(asked, asks, shownPath(path)));
  }
  const lines = said.map((line) => cleanText(line).replaceAll('\n', ' '));
  return { said: lines, manifestsMoved: lines.length > 0 };
}

/**
 * A lock file may follow its manifest. It may not move by itself, and what keeps its version must keep its source:
 * otherwise another program has come in under an old name.
 */
export async function standingOfLock(
  delta: Delta,
  around: Surroundings,
  manifestsMoved: boolean,
  said: string[],
): Promise<Standing> {
  const { path, before, after } = delta;
  const usual = await standingOf(delta, around);
  if (usual.change === null || before === null || after === null) return usual;
  const [was, is] = await Promise.all([before, after].map((file) => bodyOf(around.reader, file, mostLock)));
  const found = was && is ? compareLocks(path, textOf(was), textOf(is)) : null;
  if (found === null) return usual;
  const { swapped, added, removed } = found;
  if (swapped.length === 0 && manifestsMoved) {
    said.push(`${shownPath(path)} pins ${added.length} more packages and ${removed.length} fewer`);
    return { change: null, origin: 'agent' };
  }
  const others = swapped.map((pin) => `${pin}: another source or checksum for the same version`);
  const why = manifestsMoved ? [] : ['it changed although no manifest asks for anything else'];
  return {
    ...usual,
    change: { ...usual.change, diff: [...why, ...others.slice(0, 50), usual.change.diff].join('\n') },
  };
}

/** Lock files are larger than what people write. */
const mostLock = 16 * 1024 * 1024;

const text = (body: Buffer | null | undefined): string => (body ? textOf(body) : '');
