import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inPlace, type Measured, makeRow } from './figures.ts';

const warmUp = 3;
const rounds = 41;
// The bundle lies in .cache/bench of the repository.
const bin = new URL('../../packages/cli/bin/agentgate.cjs', import.meta.url).pathname;

const stopRounds = 9;

/**
 * What a session pays at every stop: nobody armed it; it is armed, but its host still works in the background, so that
 * nothing is judged; it is armed and judged by one gate that takes no time; a hook of the shell.
 */
export async function measureHook(): Promise<Measured[]> {
  return inPlace((dir) => {
    const env = { ...process.env, AGENTGATE_STATE_DIR: join(dir, 'state') } as NodeJS.ProcessEnv;
    // It makes every Node slow to start, ours and the plain one, and hides the difference.
    delete env['NODE_EXTRA_CA_CERTS'];
    delete env['AGENTGATE_RUN_ID'];
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
      paused: () => {
        // A session that pauses again and again is judged all the same.
        arm(join(dir, 'state'), dir);
        const words = stop('held', { background_tasks: [{ id: 'b' }] });
        return timeOf(process.execPath, [bin, 'hook', 'answer'], env, words);
      },
      shell: () => timeOf('/bin/sh', ['-c', 'jq -r .session_id > /dev/null'], env, stop('nobody')),
    };
    const took: Record<keyof typeof kinds, number[]> = { plain: [], unarmed: [], paused: [], shell: [] };
    const names = Object.keys(kinds) as (keyof typeof kinds)[];
    for (let round = 0; round < warmUp + rounds; round++)
      for (const name of round % 2 === 0 ? names : names.toReversed()) took[name].push(kinds[name]());
    const row = (name: string, limit: number, ours: keyof typeof kinds, beside: keyof typeof kinds) =>
      makeRow(name, limit, { ours: took[ours].slice(warmUp), beside: took[beside].slice(warmUp) });
    return [
      row('hook answer, unarmed, beside node -e 0', 1.4, 'unarmed', 'plain'),
      row('hook answer, armed and working in the background, beside node -e 0', 1.5, 'paused', 'plain'),
      {
        ...row('hook answer, unarmed, beside a hook of sh and jq', 100, 'unarmed', 'shell'),
        note: 'only to compare; a shell starts faster than Node',
      },
      measureStop(join(dir, 'judged'), env),
    ];
  });
}

/**
 * A stop that is judged and held. The limit is by reasoning: beside the gate and one start of Node stand a second start
 * with the whole program, which is worth about eight; some fifteen processes of git, for a snapshot and a clean room; and
 * as many facts, each on the disk before the next. All of these together are taken as forty starts.
 */
function measureStop(dir: string, around: NodeJS.ProcessEnv): Measured {
  const work = join(dir, 'work');
  const env = {
    ...around,
    AGENTGATE_STATE_DIR: join(dir, 'state'),
    CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '0',
  };
  mkdirSync(work, { recursive: true });
  writeFileSync(join(work, 'agentgate.yaml'), judgedSpec);
  const call = (name: string, more: object): string =>
    JSON.stringify({ session_id: 'judged', cwd: work, hook_event_name: name, ...more });
  const answer = (input: string) =>
    timeOf(process.execPath, [bin, 'hook', 'answer'], env, input, /additionalContext|"block"/);
  answer(call('UserPromptSubmit', { prompt: '/gate' }));
  const [ours, beside]: [number[], number[]] = [[], []];
  for (let round = 0; round < stopRounds; round++) {
    // Something new each time, or an earlier verdict would count.
    writeFileSync(join(work, 'work.txt'), `${round}\n`);
    ours.push(answer(call('Stop', { last_assistant_message: `Done ${round}.` })));
    beside.push(timeOf('/bin/sh', ['-c', '"$0" -e 0; false; exit 0', process.execPath], env, ''));
  }
  const name = 'hook answer, armed, held by one gate that takes no time, beside node -e 0 and that gate';
  return makeRow(name, 40, { ours: ours.slice(1), beside: beside.slice(1) });
}

const judgedSpec = `task: Do it.
agent: claude
stuck: off
detectors: { enabled: false }
strategy: { kind: fixed, iterations: 1000 }
gates: { never: 'false' }
`;

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

function timeOf(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  input: string,
  says = /^$/,
): number {
  const start = performance.now();
  const { status, stdout } = spawnSync(program, args, { env, input, stdio: ['pipe', 'pipe', 'ignore'] });
  const took = performance.now() - start;
  if (status !== 0 || !says.test(String(stdout)))
    throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${stdout}`);
  return took;
}
