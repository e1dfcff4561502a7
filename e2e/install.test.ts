import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agentgate, makePlace, type Place } from './support/command.ts';

let place: Place;
let home: string;
beforeEach(() => {
  place = makePlace();
  home = place.env['HOME']!;
});
afterEach(() => place.remove());

const install = (...words: string[]) => agentgate(place, 'hook', 'install', ...words);
const uninstall = (...words: string[]) => agentgate(place, 'hook', 'uninstall', ...words);
const read = (...path: string[]): string => readFileSync(join(home, ...path), 'utf8');

/** A program on the PATH that does what a script says. */
function program(name: string, text: string): void {
  const bin = join(dirname(place.workspace), 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
  chmodSync(join(bin, name), 0o755);
  place.env = { ...place.env, PATH: `${bin}:${place.env['PATH']}` };
}

/** As on a machine where nobody has put us on the PATH. */
function unnamed(): void {
  const folders = place.env['PATH']!.split(':').filter((one) => !existsSync(join(one, 'agentgate')));
  place.env = { ...place.env, PATH: folders.join(':') };
}

describe('hook install', () => {
  it.each([
    ['claude', ['.claude/settings.json', '.claude/commands/gate.md']],
    ['codex', ['.codex/hooks.json', '.codex/prompts/gate.md']],
    ['gemini', ['.gemini/settings.json', '.gemini/commands/gate.toml']],
    ['qwen', ['.qwen/settings.json', '.qwen/commands/gate.toml']],
    ['opencode', ['.config/opencode/plugin/agentgate.js', '.config/opencode/command/gate.md']],
  ])(
    'of %s writes its files, keeps them the second time, and uninstall takes them away',
    async (agent, files) => {
      expect((await install('--agent', agent)).exit).toBe(0);
      for (const file of files) expect(read(file)).toMatch(/agentgate|AgentGate/);
      expect((await install('--agent', agent)).stdout).toContain('was there already');
      expect((await uninstall('--agent', agent)).exit).toBe(0);
      for (const file of files) expect(existsSync(join(home, file)), file).toBe(false);
    },
  );
  it('leaves it to the file who may read it, also where a project shares it', async () => {
    const folder = join(place.workspace, '.claude');
    mkdirSync(folder);
    const settings = join(folder, 'settings.json');
    const mode = () => (statSync(settings).mode & 0o777).toString(8);
    for (const wanted of ['644', '600', '664']) {
      writeFileSync(settings, '{"model": "opus"}\n');
      chmodSync(settings, Number.parseInt(wanted, 8));
      expect((await install('--agent', 'claude', '--scope', 'project')).exit).toBe(0);
      expect(mode()).toBe(wanted);
      expect((await uninstall('--agent', 'claude', '--scope', 'project')).exit).toBe(0);
      expect([mode(), readFileSync(settings, 'utf8')]).toEqual([wanted, '{"model": "opus"}\n']);
    }
  });
  it('of all is kept by one that cannot be read from that one alone, and so are uninstall and doctor', async () => {
    for (const name of ['claude', 'codex', 'gemini']) program(name, 'exit 0');
    mkdirSync(join(home, '.claude', 'settings.json'), { recursive: true });
    mkdirSync(join(home, '.codex'));
    writeFileSync(join(home, '.codex', 'hooks.json'), '{"hooks":{"Stop":{}}}');
    const all = await install('--no-proof');
    expect([all.exit, all.stderr]).toMatchObject([
      4,
      expect.stringMatching(
        /claude\/settings\.json cannot be read[^]*codex\/hooks\.json holds something else/,
      ),
    ]);
    expect(read('.gemini/settings.json')).toContain('hook answer');
    expect((await agentgate(place, 'doctor')).stdout).toMatch(/hook claude .*cannot be read[^]*hook gemini /);
    expect((await uninstall()).exit).toBe(4);
    expect(existsSync(join(home, '.gemini', 'settings.json'))).toBe(false);
  });
  it("leaves a command of the same name alone that is somebody else's", async () => {
    mkdirSync(join(home, '.claude', 'commands'), { recursive: true });
    writeFileSync(join(home, '.claude', 'commands', 'gate.md'), 'Open the gate.\n');
    expect((await install('--agent', 'claude')).stdout).toContain("is somebody else's");
    await uninstall('--agent', 'claude');
    expect(read('.claude', 'commands', 'gate.md')).toBe('Open the gate.\n');
  });
  it('says when an agent that was started did not call the hook, and when it did', async () => {
    program('claude', 'exit 0');
    expect((await install('--agent', 'claude')).stdout).toContain('NOT working yet');
    program('claude', 'echo UserPromptSubmit > "$AGENTGATE_HOOK_PROOF"; sleep 60');
    expect((await install('--agent', 'claude')).stdout).toContain('proved: Claude Code');
    expect((await install('--agent', 'claude', '--no-proof')).stdout).not.toContain('proved');
  });
  it('is not wanted where the plugin is enabled, unless nearer settings switch it off', async () => {
    program('claude', 'echo 2.1.325');
    const hook = async () =>
      /hook claude +.*/.exec((await agentgate(place, 'doctor')).stdout)?.[0] ?? 'not looked at';
    const settings = (folder: string, file: string, on: boolean) => {
      mkdirSync(join(folder, '.claude'), { recursive: true });
      const enabledPlugins = { 'other@market': true, 'agentgate@agentgate': on };
      writeFileSync(join(folder, '.claude', file), JSON.stringify({ enabledPlugins }));
    };
    expect(await hook()).toContain('not installed');
    settings(home, 'settings.json', true);
    expect(await hook()).toMatch(/as the plugin agentgate@agentgate, in .*settings\.json/);
    settings(place.workspace, 'settings.local.json', false);
    expect(await hook()).toContain('not installed');
  });
  it('is no use where what it starts is not there, and doctor says so', async () => {
    unnamed();
    for (const name of ['claude', 'opencode']) program(name, 'echo 2.1.325');
    const hook = async (name: string) =>
      new RegExp(`. hook ${name} +.*`).exec((await agentgate(place, 'doctor')).stdout)?.[0];
    const mark = (name: string) => hook(name).then((line) => line?.[0]);
    for (const name of ['claude', 'opencode']) await install('--agent', name, '--no-proof');
    expect([await mark('claude'), await mark('opencode')]).toEqual(['✓', '✓']);
    // As after an update that moved the program, or from another machine.
    const moved = (path: string, to: string) =>
      writeFileSync(join(home, path), read(path).replaceAll(/\/[^"\\]*agentgate\.cjs/g, to));
    moved('.claude/settings.json', '/gone/agentgate.cjs');
    moved('.config/opencode/plugin/agentgate.js', '/gone/agentgate.cjs');
    for (const name of ['claude', 'opencode'])
      expect(await hook(name)).toMatch(/^~ .*starts \/gone\/agentgate\.cjs, which is not there/);
  });
  it('is no use where Claude Code is told to call no hooks, and doctor says so', async () => {
    program('claude', 'echo 2.1.325');
    const hook = async () => /. hook claude +.*/.exec((await agentgate(place, 'doctor')).stdout)?.[0];
    await install('--agent', 'claude', '--no-proof');
    expect(await hook()).toMatch(/^✓ .* in \S*settings\.json$/);
    const off = (file: string, disableAllHooks: boolean) =>
      place.write({ [`.claude/${file}`]: JSON.stringify({ disableAllHooks }) });
    off('settings.json', true);
    expect(await hook()).toMatch(/^~ .*disableAllHooks in \S*\/work\/\.claude\/settings\.json keeps/);
    // The nearer settings count.
    off('settings.local.json', false);
    expect(await hook()).toMatch(/^✓/);
  });
  it('is not wanted where Codex knows the plugin, which it may not trust yet', async () => {
    const hooks = [{ command: 'agentgate hook answer', trustStatus: 'untrusted' }];
    const list = JSON.stringify({ id: 2, result: { data: [{ hooks }] } });
    program(
      'codex',
      `[ "$1" = app-server ] || { echo codex-cli 0.166.0; exit; }
while read -r line; do case $line in
  *'"id":1'*) echo '{"id":1,"result":{}}';;
  *'"id":2'*) echo '${list}';;
esac; done`,
    );
    const hook = async () => /hook codex +.*/.exec((await agentgate(place, 'doctor')).stdout)?.[0];
    expect(await hook()).toMatch(/codex +as a plugin, NOT trusted/);
    // What it knows of is in its settings then.
    await install('--agent', 'codex', '--no-proof');
    expect(await hook()).toMatch(/codex +in \S*hooks\.json, NOT trusted/);
  });
  it('lets Copilot install the plugin itself, and tells what it refuses', async () => {
    unnamed();
    program('copilot', `case $1 in plugin) echo "$@" >> ${home}/asked;; *) echo 1.0.102.;; esac`);
    expect((await install('--agent', 'copilot')).exit).toBe(0);
    expect(read('asked')).toMatch(
      /^plugin marketplace add \/.*\/plugin\nplugin install agentgate@agentgate\n$/,
    );
    const hook = async () => /. hook copilot +.*/.exec((await agentgate(place, 'doctor')).stdout)?.[0];
    expect(await hook()).toContain('not installed');
    // It keeps its plugins itself, and says in its settings which are on.
    mkdirSync(join(home, '.copilot'));
    const settings = JSON.stringify({ enabledPlugins: { 'agentgate@agentgate': true } });
    writeFileSync(join(home, '.copilot', 'settings.json'), settings);
    expect(await hook()).toMatch(/^~ .*as the plugin agentgate@agentgate, in .*\.copilot\/settings\.json/);
    // It starts us by our name and says nothing where that leads nowhere.
    expect(await hook()).toContain('agentgate, which is not on the PATH');
    const named = await install('--agent', 'copilot', '--scope', 'project');
    expect(named.stdout).toMatch(/NOT working yet: the plugin starts agentgate by its name/);
    expect(named.stdout).toContain('for you everywhere');
    program('agentgate', 'exit 0');
    expect(await hook()).toMatch(/^✓/);
    const there = await install('--agent', 'copilot');
    expect(there.stdout).not.toMatch(/NOT working yet|for you everywhere/);
    program('copilot', 'echo "not today" >&2; exit 1');
    expect((await install('--agent', 'copilot')).stderr).toContain('not today');
  });
  it('asks for an agent that it knows', async () => {
    expect((await install('--agent', 'other')).stderr).toContain('there are no hooks for "other"');
  });
});

describe('the plugin directory', () => {
  const folder = fileURLToPath(new URL('../packages/cli/plugin', import.meta.url));
  const json = (...path: string[]): Record<string, unknown> =>
    JSON.parse(readFileSync(join(folder, ...path), 'utf8')) as Record<string, unknown>;
  it('is what agentgate hook plugin prints, and has the version of the command', async () => {
    expect((await agentgate(place, 'hook', 'plugin')).stdout.trim()).toBe(folder);
    const { version } = json('..', 'package.json');
    expect(json('plugins', 'agentgate', '.claude-plugin', 'plugin.json')['version']).toBe(version);
    expect(json('plugins', 'agentgate', 'gemini-extension.json')['version']).toBe(version);
    expect(json('.claude-plugin', 'marketplace.json')['plugins']).toMatchObject([{ version }]);
  });
  it('has a skill whose head can be read', () => {
    const text = readFileSync(join(folder, 'plugins/agentgate/skills/agentgate/SKILL.md'), 'utf8');
    expect(parse(text.split('---')[1]!)).toMatchObject({ name: 'agentgate' });
    expect(readdirSync(join(folder, 'plugins/agentgate')).sort()).toContain('.mcp.json');
  });
});
