/**
 * Whether a path of the spec leads out of the project, by its words alone; links are followed where it is opened.
 * An absolute path is inside when it lies below the root; without a root it is left to those who know one.
 */
export function leavesProject(path: string, root?: string): boolean {
  if (path.startsWith('/')) {
    if (root === undefined) return false;
    const below = resolved(path);
    return below !== root && !below.startsWith(root === '/' ? root : `${root}/`);
  }
  let depth = 0;
  for (const part of path.split('/')) {
    if (part === '..') depth--;
    else if (part !== '' && part !== '.') depth++;
    if (depth < 0) return true;
  }
  return false;
}

function resolved(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}
