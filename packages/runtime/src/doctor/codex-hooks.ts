import { spawn } from 'node:child_process';
import { group, groups, type Loose } from '../agents/programs/values.ts';

/** Whether Codex runs the hooks of ours that it knows of: those that nobody trusted it skips without a word. */
export type CodexTrust = 'trusted' | 'untrusted' | 'none' | 'unknown';

const inTimeMs = 15_000;

/** Asks Codex itself, by its server on standard input and output. Starts no session and calls no model. */
export function askCodexTrust(program: string, cwd: string, env: NodeJS.ProcessEnv): Promise<CodexTrust> {
  return new Promise((done) => {
    const child = spawn(program, ['app-server'], { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] });
    const finish = (trust: CodexTrust) => {
      clearTimeout(timer);
      child.kill('SIGKILL');
      done(trust);
    };
    const timer = setTimeout(() => finish('unknown'), inTimeMs);
    const say = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`);
    let rest = '';
    child.on('error', () => finish('unknown'));
    child.on('close', () => finish('unknown'));
    child.stdin.on('error', () => undefined);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const { id, result } = messageIn(line);
        if (id === 1) {
          say({ method: 'initialized' });
          say({ id: 2, method: 'hooks/list', params: { cwds: [cwd] } });
        }
        if (id === 2) finish(trustIn(result));
      }
    });
    say({
      id: 1,
      method: 'initialize',
      params: { clientInfo: { name: 'agentgate', version: '1' } },
    });
  });
}

function messageIn(line: string): Loose {
  try {
    return group(JSON.parse(line));
  } catch {
    // Something else on the line; what matters is JSON.
    return {};
  }
}

/** All of ours must be trusted: one that is not leaves a session half held. */
export function trustIn(result: unknown): CodexTrust {
  const data = group(result)['data'];
  if (!Array.isArray(data)) return 'unknown';
  const ours = groups(data)
    .flatMap((one) => groups(one['hooks']))
    .filter((hook) => String(hook['command']).includes('hook answer'));
  if (ours.length === 0) return 'none';
  const isGood = (hook: Loose) => hook['trustStatus'] === 'trusted' || hook['trustStatus'] === 'managed';
  return ours.every(isGood) ? 'trusted' : 'untrusted';
}
