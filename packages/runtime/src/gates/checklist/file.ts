import { findPath } from '../find-path.ts';
import { isGlob } from '../glob.ts';
import { outsideFault } from '../inside.ts';
import { type Answer, type ItemOf, type Look, met, unmet } from './answer.ts';

/** A file that must be there, or must not; a glob stands for the first that matches. */
export async function judgeFileItem(item: ItemOf<'file' | 'not-file'>, { request }: Look): Promise<Answer> {
  const { path } = item;
  const found = await findPath(request, path);
  if (found.kind === 'outside') return { kind: 'unable', fault: outsideFault(request.gate.name, found.path) };
  // A link that leads nowhere is there, but nothing can be read through it.
  const isThere = item.kind === 'file' ? found.kind === 'inside' : found.kind !== 'missing';
  if (isThere === (item.kind === 'file')) return met;
  const missing = isGlob(path) ? `nothing matches ${path}` : `${path} does not exist`;
  const title =
    item.kind === 'file' ? missing : `${found.kind === 'missing' ? path : found.path} exists, but must not`;
  return unmet(item, item.name === undefined ? title : `${item.name}: ${title}`, { file: path });
}
