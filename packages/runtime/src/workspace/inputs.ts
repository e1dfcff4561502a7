import { createHash } from 'node:crypto';
import picomatch from 'picomatch';
import { checkedTree } from './compare.ts';
import { runGit, safeEnv } from './git.ts';
import { toText } from './path.ts';

/**
 * A key of the entries of a tree that match the patterns, modes and contents included; a folder stands for all
 * that is in it. Empty when nothing matches: then there is nothing to rely on.
 */
export async function readInputsKey(
  gitDir: string,
  tree: string,
  patterns: readonly string[],
): Promise<string> {
  const args = ['ls-tree', '-r', '-z', '--full-tree', checkedTree(tree)];
  const listing = (await runGit({ args, cwd: gitDir, env: safeEnv(gitDir) })).toString('latin1');
  const plain = patterns.map((one) => one.replace(/^\.\//, '').replace(/\/+$/, ''));
  const matches = picomatch([...plain, ...plain.map((one) => `${one}/**`)], { dot: true });
  const found = listing.split('\0').filter((line) => {
    const path = line.slice(line.indexOf('\t') + 1);
    return path !== '' && matches(toText(path));
  });
  return found.length === 0 ? '' : createHash('sha256').update(found.join('\0')).digest('hex').slice(0, 40);
}
