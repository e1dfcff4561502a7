import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

/** The directory of all state: `AGENTGATE_STATE_DIR`, else `$XDG_STATE_HOME/agentgate`, else `~/.local/state/agentgate`. */
export function stateRoot(env: NodeJS.ProcessEnv = process.env): string {
  const own = env['AGENTGATE_STATE_DIR'];
  if (own) return resolve(own);
  const base = env['XDG_STATE_HOME'] ?? '';
  // A relative path there means nothing, says the standard.
  return join(isAbsolute(base) ? base : join(homedir(), '.local', 'state'), 'agentgate');
}
