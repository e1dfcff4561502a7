import { findMatches, folderOf, isGlob } from './glob.ts';
import { type View, viewRoot } from './in-room.ts';
import { look } from './inside.ts';

export type Found = { kind: 'inside' | 'outside' | 'dangling'; path: string } | { kind: 'missing' };

/** Finds what a path or a glob names, the first match of a glob. Never looks outside of the root. */
export async function findPath(view: View, path: string): Promise<Found> {
  if (!isGlob(path)) {
    const { kind } = await look(view, path);
    return { kind, path };
  }
  // A glob's folder may be a link that leads out, or climb out with dots.
  const folder = await look(view, folderOf(path));
  if (folder.kind === 'outside') return { kind: 'outside', path };
  for await (const match of findMatches(viewRoot(view), path)) {
    const { kind } = await look(view, match);
    if (kind !== 'missing') return { kind, path: match };
  }
  return { kind: 'missing' };
}
