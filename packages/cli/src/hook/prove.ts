import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentEnvironment, askCodexTrust, supervise } from '@agentgate/runtime';
import type { At, Place } from './places.ts';

/**
 * `fires`: a prompt came to the hook. `silent`: none did. `untrusted`: the agent says itself that it will skip it.
 * `unproven`: it cannot be tried without a model.
 */
export type Proof = 'fires' | 'silent' | 'untrusted' | 'unproven';

const longestMs = 20_000;

/**
 * Starts the agent once with a prompt and no model in reach, and looks whether the prompt comes to our hook. That is
 * the one proof there is: settings that look right may be skipped, overruled or never read.
 */
export async function proveHook(
  { proof, ...place }: Place,
  program: string,
  { scope, root, env }: At,
): Promise<Proof> {
  if (!proof) return 'unproven';
  if (place.program === 'codex' && (await askCodexTrust(program, root, env)) === 'untrusted')
    return 'untrusted';
  const folder = mkdtempSync(join(tmpdir(), 'agentgate-proof-'));
  const mark = join(folder, 'fired');
  const over = new AbortController();
  const look = setInterval(() => existsSync(mark) && over.abort(), 100);
  try {
    await supervise({
      argv: [program, ...proof.args],
      cwd: scope === 'project' ? root : folder,
      env: agentEnvironment(env, { ...proof.env, AGENTGATE_HOOK_PROOF: mark }),
      marker: `agentgate-proof-${process.pid}`,
      signal: over.signal,
      stdin: '',
      timeoutMs: longestMs,
    });
    return existsSync(mark) ? 'fires' : 'silent';
  } finally {
    clearInterval(look);
    rmSync(folder, { recursive: true, force: true });
  }
}
