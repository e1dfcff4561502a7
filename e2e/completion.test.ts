import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agentgate, makePlace, type Place } from './support/command.ts';

const bin = fileURLToPath(new URL('../packages/cli/bin/agentgate.cjs', import.meta.url));
let place: Place;
beforeEach(() => {
  place = makePlace();
  const dir = join(place.workspace, '..', 'bin');
  mkdirSync(dir);
  writeFileSync(join(dir, 'agentgate'), `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`);
  chmodSync(join(dir, 'agentgate'), 0o755);
  place.env['PATH'] = `${dir}:${place.env['PATH']}`;
});
afterEach(() => place.remove());

const has = (program: string): boolean => spawnSync(program, ['--version']).status === 0;
const script = async (shell: string): Promise<string> => {
  const path = join(place.workspace, '..', `agentgate.${shell}`);
  writeFileSync(path, (await agentgate(place, 'completion', shell)).stdout);
  return path;
};
const run = (program: string, ...args: string[]) =>
  spawnSync(program, args, { cwd: place.workspace, env: place.env, encoding: 'utf8' });

/** What bash sets before it calls the function that completes. */
const press = `source "$1"
COMP_LINE=$2 COMP_POINT=\${#2}
read -ra COMP_WORDS <<<"$2"
[[ $2 == *' ' ]] && COMP_WORDS+=('')
COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
_agentgate
printf '%s\\n' "\${COMPREPLY[@]}"`;

describe.skipIf(!has('bash'))('completion in bash', () => {
  const complete = async (line: string): Promise<string[]> => {
    const { stdout, stderr } = run(
      'bash',
      '--noprofile',
      '--norc',
      '-c',
      press,
      'bash',
      await script('bash'),
      line,
    );
    expect(stderr).toBe('');
    return stdout.split('\n').filter((word) => word !== '');
  };
  it('knows commands, flags and their values', async () => {
    expect(await complete('agentgate doc')).toEqual(['doctor']);
    expect(await complete('agentgate run --max-i')).toEqual(['--max-iterations']);
    expect(await complete('agentgate run --strategy=ra')).toEqual(['ralph']);
    expect(await complete('agentgate completion ')).toEqual(['bash', 'zsh', 'fish']);
  });
  it('knows the runs of the workspace', async () => {
    await agentgate(place, 'run', '--quiet', '-p', 'x', '--gate', 'true', '--', 'true');
    const [row] = (await agentgate(place, 'list', '--json')).stdout.split('\n');
    const { runId } = JSON.parse(row!) as { runId: string };
    expect(await complete('agentgate show ')).toEqual([runId]);
    expect(await complete(`agentgate show ${runId.slice(0, 2)}`)).toEqual([runId]);
  });
  it('leaves files and the agent to bash', async () => {
    expect(await complete('agentgate run PROM')).toEqual([]);
    expect(await complete('agentgate run -- no')).toEqual([]);
    expect(
      run('bash', '-c', `source "$1"; complete -p agentgate`, 'bash', await script('bash')).stdout,
    ).toContain('-o default');
  });
});

describe('completion in other shells', () => {
  it.skipIf(!has('zsh'))('is a script that zsh can read', async () => {
    expect(run('zsh', '-n', await script('zsh'))).toMatchObject({ status: 0, stderr: '' });
  });
  it.skipIf(!has('fish'))('knows commands in fish', async () => {
    const { stdout } = run('fish', '-c', `source ${await script('fish')}; complete -C "agentgate doc"`);
    expect(stdout).toContain('doctor');
  });
  it('helps with an example', async () => {
    const { stdout } = await agentgate(place, 'completion', '--help');
    expect(stdout).toContain('Example:\n  source <(agentgate completion bash)');
    expect(stdout).not.toContain('--words');
  });
  it('needs the name of one that we know', async () => {
    expect(await agentgate(place, 'completion')).toMatchObject({ exit: 2 });
    expect(await agentgate(place, 'completion', 'tcsh')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('bash|zsh|fish'),
    });
    const { stdout } = await agentgate(place, 'completion', 'zsh', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'completion', shell: 'zsh' });
  });
});
