import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '@agentgate/runtime';
import { serverDir } from './token.ts';

/**
 * Codes by which a browser is let in. Each is good for one use and one day. They lie in the state under their hashes, so
 * that another process of the same user can make one for a server that runs, without sending its token anywhere.
 */
export interface Links {
  make(): string;
  /** Whether it was good until now. */
  use(code: string): boolean;
  /** None that was made before is good any more. */
  clear(): void;
}

const goodMs = 86_400_000;

export function openLinks(stateRoot: string): Links {
  const folder = join(serverDir(stateRoot), 'links');
  const pathOf = (code: string) => join(folder, createHash('sha256').update(code).digest('hex'));
  return {
    make() {
      makeFolder(folder, 0o700);
      const code = randomBytes(32).toString('base64url');
      writeFileSync(pathOf(code), '', { mode: 0o600, flag: 'wx' });
      return code;
    },
    use(code) {
      const path = pathOf(code);
      const made = statSync(path, { throwIfNoEntry: false });
      if (!made) return false;
      try {
        // Of two who come at once only one removes it.
        rmSync(path);
      } catch {
        return false;
      }
      return Date.now() - made.mtimeMs < goodMs;
    },
    clear() {
      makeFolder(folder, 0o700);
      for (const name of readdirSync(folder)) rmSync(join(folder, name), { force: true });
    },
  };
}
