import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { agentgate } from '../support/command.ts';
import { commands, type Host, newest, projectWith, prompt, stageOf, task, writes } from './errand.ts';

/** The one command that a person gives each agent, with the directory that AgentGate prints. */
const installs: Record<Host, (folder: string) => string[][]> = {
  claude: (folder) => [['claude', 'plugin', 'install', 'agentgate', '--marketplace', folder, '-y']],
  codex: (folder) => [
    ['codex', '--enable', 'plugins', 'plugin', 'marketplace', 'add', folder],
    ['codex', '--enable', 'plugins', 'plugin', 'add', 'agentgate@agentgate'],
  ],
  gemini: (folder) => [['gemini', 'extensions', 'install', `${folder}/plugins/agentgate`, '--consent']],
};

/** Codex keeps its plugins behind a switch. */
const startOf = (host: Host): string[] =>
  host === 'codex' ? ['codex', '--enable', 'plugins', ...commands.codex.slice(1)] : [...commands[host]];

it.each(['claude', 'codex', 'gemini'] as const)('%s is held by the plugin directory alone', async (host) => {
  const script = [...writes('wrong'), ...writes('right')];
  const stage = await stageOf(host, script, projectWith({ agent: host, stuck: 'off' }));
  const folder = (await agentgate(stage.place, 'hook', 'plugin')).stdout.trim();
  for (const [program, ...args] of installs[host](folder)) {
    const around = { cwd: stage.place.workspace, env: stage.env, timeout: 60_000 };
    const running = promisify(execFile)(program!, args, around);
    // One of them asks whether the folder is to be trusted.
    running.child.stdin?.end('y\n');
    await running;
  }
  // Nothing is in the settings that hook install writes, and it is seen all the same, where it can be.
  const seen = {
    claude: /✓ hook claude +as the plugin agentgate@/,
    codex: null,
    gemini: /✓ hook gemini +as the extension/,
  };
  if (seen[host]) expect((await agentgate(stage.place, 'doctor')).stdout).toMatch(seen[host]);
  const { said } = await prompt(stage, host, `/gate ${task}`, startOf(host)).ended;
  expect(await newest(stage), said).toMatchObject({ status: 'converged', iterations: 2 });
  expect(stage.calls[2]?.newest).toContain('answer.txt: wrong');
  // It brings along what the agent can ask, and a skill that teaches it.
  if (host === 'claude') expect(said).toMatch(/"name":"plugin:agentgate:agentgate","status":"connected"/);
  if (host === 'claude') expect(said).toContain('"agentgate:agentgate"');
});
