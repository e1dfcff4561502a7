import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { agentgate } from '../support/command.ts';
import { newest, projectWith, stageOf, task, writes } from './errand.ts';

/** The server of opencode, as its own screen uses it. */
async function serve(
  stage: Awaited<ReturnType<typeof stageOf>>,
): Promise<(path: string, body: object) => Promise<Response>> {
  const child = spawn('opencode', ['serve', '--port', '0', '--hostname', '127.0.0.1'], {
    cwd: stage.place.workspace,
    env: stage.env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void process.kill(-child.pid!, 'SIGKILL'));
  let said = '';
  child.stderr.on('data', (text) => (said += String(text)));
  const url = await new Promise<string>((done, fail) => {
    child.stdout.on('data', (text) => {
      said += String(text);
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(said);
      if (found) done(found[0]);
    });
    child.on('exit', () => fail(new Error(said)));
  });
  return (path, body) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
}

it('a session on the server of opencode is held by its plugin', async () => {
  const script = [...writes('wrong'), ...writes('right')];
  const stage = await stageOf('opencode', script, projectWith({ agent: 'opencode', stuck: 'off' }));
  const installed = await agentgate(stage.place, 'hook', 'install', '--agent', 'opencode');
  expect(installed.stdout).toContain('agentgate.js');
  const post = await serve(stage);
  const { id } = (await (await post('/session', {})).json()) as { id: string };
  await post(`/session/${id}/message`, { parts: [{ type: 'text', text: `/gate ${task}` }] });
  for (let tries = 0; tries < 100; tries++) {
    const { stdout } = await agentgate(stage.place, 'list', '--json');
    if (stdout.includes('"status":"converged"')) break;
    await pause(300);
  }
  expect(await newest(stage)).toMatchObject({ status: 'converged', iterations: 2 });
  expect(stage.calls[0]?.all).toContain('AgentGate holds this session');
  expect(stage.calls[2]?.newest).toContain('answer.txt: wrong');
});
