import type { Repository } from '../workspace/repository.ts';
import { readSetting } from './clean.ts';

export interface Identity {
  name: string;
  email: string;
}

/** The user's own name where they told git one, ours where they did not. A name is never guessed from the machine. */
export async function readIdentity(repository: Repository | null): Promise<Identity> {
  const ask = async (key: 'name' | 'email'): Promise<string> => {
    const said = process.env[`GIT_AUTHOR_${key.toUpperCase()}`];
    const set = said ?? (repository === null ? '' : await readSetting(repository, `user.${key}`));
    return set.replace(/[<>\n\r\0]/g, '').trim();
  };
  const [name, email] = [await ask('name'), await ask('email')];
  return name === '' || email === '' ? { name: 'AgentGate', email: 'agentgate@localhost' } : { name, email };
}
