import { createHash } from 'node:crypto';
import type { Checked, ProtectRules, Seal, TreeFile, TreeReader } from './checked.ts';
import { checkIntegrity } from './check.ts';

/** A tree in memory: texts by path, or a text with a mode. */
export type Files = Record<string, string | { mode: string; text: string }>;

export const noRules: ProtectRules = { protect: [], unprotect: [], gateFiles: [], grants: [] };

/** Two trees, `base` and `now`, that need no git. Counts what is read. */
export function makeTrees(base: Files, now: Files): TreeReader & { reads(): number } {
  const blobs = new Map<string, Buffer>();
  const trees = new Map(
    Object.entries({ base, now }).map(([name, files]): [string, TreeFile[]] => [
      name,
      Object.entries(files).map(([path, entry]) => {
        const { mode, text } = typeof entry === 'string' ? { mode: '100644', text: entry } : entry;
        const body = Buffer.from(text);
        const oid = oidOf(text);
        blobs.set(oid, body);
        return { path, mode, oid, size: body.length };
      }),
    ]),
  );
  let reads = 0;
  return {
    list: async (tree) => trees.get(tree) ?? [],
    async read(oid) {
      reads++;
      return blobs.get(oid) ?? Buffer.alloc(0);
    },
    reads: () => reads,
  };
}

export function oidOf(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}

/** Checks what happened between two trees. */
export function check(base: Files, now: Files, rules: Partial<ProtectRules> = {}): Promise<Checked & Seal> {
  return checkIntegrity('base', 'now', makeTrees(base, now), { ...noRules, ...rules });
}

/** A check in few words: `modified test a.test.ts`, `suppression a.ts 0 → 1`. */
export async function told(base: Files, now: Files, rules: Partial<ProtectRules> = {}): Promise<string[]> {
  const { changed, ratchets } = await check(base, now, rules);
  return [
    ...changed.map(({ status, what, path }) => `${status} ${what} ${path}`),
    ...ratchets.map(({ kind, file, before, after }) => `${kind} ${file} ${before} → ${after}`),
  ];
}
