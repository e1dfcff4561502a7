import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inPlace, type Measured, makeRow } from './figures.ts';

const warmUp = 3;
const rounds = 41;
// The bundle lies in .cache/bench of the repository.
const bin = new URL('../../packages/cli/bin/agentgate.cjs', import.meta.url).pathname;

/** What a session pays at every stop: nobody armed it; it is armed and has nothing to judge; a hook of the shell. */
export async function measureHook(): Promise<Measured[]> {
  return inPlace((dir) => {
    const env = { ...process.env, AGENTGATE_STATE_DIR: join(dir, 'state') } as NodeJS.ProcessEnv;
    // It makes every Node slow to start, ours and the plain one, and hides the difference.
    delete env['NODE_EXTRA_CA_CERTS'];
    delete env['AGENTGATE_RUN_ID'];
    arm(join(dir, 'state'), dir);
    const stop = (session: string, more: object = {}) =>
      JSON.stringify({
        session_id: session,
        cwd: dir,
        hook_event_name: 'Stop',
        last_assistant_message: 'Done.',
        ...more,
      });
    const kinds = {
      plain: () => timeOf(process.execPath, ['-e', '0'], env, ''),
      unarmed: () => timeOf(process.execPath, [bin, 'hook', 'answer'], env, stop('nobody')),
      armed: () =>
        timeOf(
          process.execPath,
          [bin, 'hook', 'answer'],
          env,
          stop('held', { background_tasks: [{ id: 'b' }] }),
        ),
      shell: () => timeOf('/bin/sh', ['-c', 'jq -r .session_id > /dev/null'], env, stop('nobody')),
    };
    const took: Record<keyof typeof kinds, number[]> = { plain: [], unarmed: [], armed: [], shell: [] };
    const names = Object.keys(kinds) as (keyof typeof kinds)[];
    for (let round = 0; round < warmUp + rounds; round++)
      for (const name of round % 2 === 0 ? names : names.toReversed()) took[name].push(kinds[name]());
    const row = (name: string, limit: number, ours: keyof typeof kinds, beside: keyof typeof kinds) =>
      makeRow(name, limit, { ours: took[ours].slice(warmUp), beside: took[beside].slice(warmUp) });
    return [
      row('hook answer, unarmed, beside node -e 0', 1.4, 'unarmed', 'plain'),
      row('hook answer, armed with nothing to judge, beside node -e 0', 1.5, 'armed', 'plain'),
      {
        ...row('hook answer, unarmed, beside a hook of sh and jq', 100, 'unarmed', 'shell'),
        note: 'only to compare; a shell starts faster than Node',
      },
    ];
  });
}

function arm(state: string, root: string): void {
  mkdirSync(join(state, 'sessions'), { recursive: true });
  const binding = {
    v: 1,
    host: 'claude',
    sessionId: 'held',
    root,
    runId: 'r',
    phase: 'working',
    blocks: 0,
    last: null,
    transcriptBytes: 0,
  };
  writeFileSync(join(state, 'sessions', 'held.json'), JSON.stringify(binding));
}

function timeOf(program: string, args: readonly string[], env: NodeJS.ProcessEnv, input: string): number {
  const start = performance.now();
  const { status, stdout } = spawnSync(program, args, { env, input, stdio: ['pipe', 'pipe', 'ignore'] });
  const took = performance.now() - start;
  if (status !== 0 || stdout.length > 0)
    throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${stdout}`);
  return took;
}
