import { execFile } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildCommand } from '@stricli/core';
import { FaultError, fault } from '@agentgate/core';
import { findProgram } from '@agentgate/runtime';
import type { HostName } from '@agentgate/runtime/held';
import { type CommonFlags, type Context, common, commonAliases, guarded } from '../context.ts';
import { exitCode } from '../exit-code.ts';
import { oneOf } from '../flag.ts';
import { type Did, put, putOwn, readIf, remove, removeOwn } from '../hook/own-files.ts';
import { type At, type Place, places, type Scope } from '../hook/places.ts';
import { type Proof, proveHook } from '../hook/prove.ts';
import { hasHooks, isOursAlone, withHooks, withoutHooks } from '../hook/settings.ts';
import { rootOf } from '../wire.ts';

interface Flags extends CommonFlags {
  agent?: string;
  scope?: Scope;
}

interface InstallFlags extends Flags {
  proof?: boolean;
}

const names = Object.keys(places) as HostName[];

interface Done {
  agent: HostName;
  files: { path: string; did: Did }[];
  proof: Proof;
  /** Why it could not be done. */
  problem?: string;
  next: string[];
}

/** The directory that is a marketplace, a plugin and an extension at the same time. */
const pluginFolder = (): string => fileURLToPath(new URL('../plugin', import.meta.url));

const install = guarded(async function install(this: Context, flags: InstallFlags): Promise<number> {
  const at: At = { scope: flags.scope ?? 'user', root: rootOf(this, flags), env: this.env };
  const argv = argvOf(at);
  const done: Done[] = [];
  for (const name of chosen(flags, at)) {
    const place = places[name];
    const program = findProgram(place.program, at.root, this.env);
    try {
      const files = [...(await installIn(place, at, argv)), ...ownFiles(place, at, argv)];
      this.terminal.status(this.terminal.colors.dim(`trying whether ${place.title} calls the hook`));
      const isTried = program !== null && flags.proof !== false;
      const proof = isTried ? await proveHook(place, program, at) : 'unproven';
      const absent = program === null ? [`${place.program} is not on the PATH, so nothing was tried`] : [];
      const next = [...absent, ...unnamed(place, at), ...place.next(at.scope)];
      done.push({ agent: name, files, proof, next });
    } catch (error) {
      done.push(refusedBy(name, error));
    }
    this.terminal.status(null);
  }
  return tell(this, flags, done);
});

const uninstall = guarded(async function uninstall(this: Context, flags: Flags): Promise<number> {
  const at: At = { scope: flags.scope ?? 'user', root: rootOf(this, flags), env: this.env };
  const wanted = flags.agent === undefined || flags.agent === 'all' ? names : chosen(flags, at);
  const done: Done[] = [];
  for (const name of wanted) {
    const place = places[name];
    try {
      const files = [
        ...(await uninstallFrom(place, at)),
        ...place.files(at, []).map(({ path }) => ({ path, did: removeOwn(path) })),
      ];
      done.push({ agent: name, files, proof: 'unproven', next: [] });
    } catch (error) {
      done.push(refusedBy(name, error));
    }
  }
  return tell(this, flags, done);
});

/** One that refuses does not keep the others from it. */
function refusedBy(agent: HostName, error: unknown): Done {
  if (!(error instanceof FaultError)) throw error;
  return { agent, files: [], proof: 'unproven', problem: error.fault.message, next: [] };
}

/** A plugin is the same for everyone, so it cannot know where we lie. */
const unnamed = ({ plugin }: Place, { root, env }: At): string[] =>
  plugin && findProgram('agentgate', root, env) === null
    ? [
        'NOT working yet: the plugin starts agentgate by its name, which is not on the PATH; an alias is not enough',
      ]
    : [];

const ownFiles = (place: Place, at: At, argv: readonly string[]): Done['files'] =>
  place.files(at, argv).map(({ path, text }) => ({ path, did: putOwn(path, text) }));

async function installIn(place: Place, at: At, argv: readonly string[]): Promise<Done['files']> {
  if (place.plugin) {
    const folder = pluginFolder();
    await byItself(place, at, place.plugin.install(folder));
    return [{ path: folder, did: 'wrote' }];
  }
  if (!place.settings) return [];
  const path = place.settings.file(at);
  const before = readIf(path) ?? '';
  const after = withHooks(before, place.settings.entries(shellWords(argv)), path);
  if (after === before) return [{ path, did: 'kept' }];
  put(path, after);
  return [{ path, did: 'wrote' }];
}

async function uninstallFrom(place: Place, at: At): Promise<Done['files']> {
  if (place.plugin) {
    if (findProgram(place.program, at.root, at.env) === null) return [];
    const did = await byItself(place, at, place.plugin.uninstall).then(
      (): Did => 'removed',
      // It does not know the plugin.
      (): Did => 'nothing',
    );
    return [{ path: pluginFolder(), did }];
  }
  if (!place.settings) return [];
  const path = place.settings.file(at);
  const before = readIf(path) ?? '';
  if (before === '' || !hasHooks(before)) return [{ path, did: 'nothing' }];
  if (isOursAlone(before, path)) remove(path);
  else put(path, withoutHooks(before, path));
  return [{ path, did: 'removed' }];
}

/** Some agents keep their plugins themselves and are asked to do it. */
async function byItself({ title, program }: Place, { root, env }: At, words: string[][]): Promise<void> {
  const path = findProgram(program, root, env);
  if (path === null) throw new FaultError(fault('usage', `${program} was not found on the PATH`));
  for (const args of words)
    await promisify(execFile)(path, args, { cwd: root, env, timeout: 60_000 }).catch((error: unknown) => {
      const { stderr = '', stdout = '' } = error as { stderr?: string; stdout?: string };
      const last = `${stdout}\n${stderr}`.trim().split('\n').at(-1) ?? '';
      // Who installs again finds it there.
      if (/already/i.test(last)) return;
      throw new FaultError(fault('hook.refused', `${title} refused ${program} ${args.join(' ')}: ${last}`));
    });
}

/** The agents that were named, or all that are here. */
function chosen({ agent = 'all' }: Flags, { root, env }: At): HostName[] {
  if (agent !== 'all') {
    const name = names.find((one) => one === agent);
    if (name) return [name];
    throw new FaultError(
      fault('usage', `there are no hooks for "${agent}"; there are for ${names.join(', ')}`),
    );
  }
  const here = names.filter((name) => findProgram(places[name].program, root, env) !== null);
  if (here.length > 0) return here;
  throw new FaultError(
    fault('usage', `none of ${names.join(', ')} was found on the PATH; name one with --agent`),
  );
}

/** By its name where that leads here, since a path changes with every update; else by its path. */
function argvOf({ root, env }: At): string[] {
  const own = realpathSync(fileURLToPath(new URL('../bin/agentgate.cjs', import.meta.url)));
  const found = findProgram('agentgate', root, env);
  const program = found !== null && realpathSync(found) === own ? ['agentgate'] : ['node', own];
  return [...program, 'hook', 'answer'];
}

const shellWords = (argv: readonly string[]): string =>
  argv.map((word) => (/^[\w.-]+$/.test(word) ? word : `"${word}"`)).join(' ');

const said: Record<Did, (path: string) => string> = {
  wrote: (path) => `installed: ${path}; what others have there is as it was`,
  kept: (path) => `was there already: ${path}`,
  removed: (path) => `removed from ${path}; what others have there is as it was`,
  nothing: (path) => `nothing of ours in ${path}`,
  foreign: (path) => `left alone: ${path} is somebody else's`,
};

const proved: Record<Proof, (place: Place) => string[]> = {
  fires: ({ title }) => [`proved: ${title} was started once, without a model, and called the hook`],
  silent: ({ title }) => [`NOT working yet: ${title} was started once, and did not call the hook`],
  untrusted: ({ title }) => [
    `NOT working yet: ${title} was asked, and says that it skips the hook, which nobody has trusted`,
  ],
  unproven: () => [],
};

function tell({ terminal }: Context, { json }: Flags, done: readonly Done[]): number {
  for (const one of done) {
    if (json) {
      terminal.out(JSON.stringify({ kind: 'hook', ...one }));
      continue;
    }
    const place = places[one.agent];
    terminal.out(place.title);
    for (const { path, did } of one.files) terminal.out(`  ${said[did](path)}`);
    if (one.problem !== undefined) terminal.err(`agentgate: ${one.problem}`);
    for (const line of [...proved[one.proof](place), ...one.next]) terminal.out(`  ${line}`);
  }
  if (!json && done.some(({ files }) => files.some(({ did }) => did === 'wrote')))
    terminal.out('In a session, /gate and a task arms it; from a terminal, agentgate arm does.');
  return done.some(({ problem }) => problem !== undefined) ? exitCode.error : exitCode.ok;
}

const flags = {
  agent: {
    kind: 'parsed',
    parse: String,
    brief: `all that are here, or one of ${names.join(', ')}`,
    optional: true,
    placeholder: 'name',
  },
  scope: oneOf('for you everywhere, or for this project', ['user', 'project']),
  ...common,
} as const;

export const hookInstall = buildCommand({
  func: install,
  parameters: {
    flags: {
      ...flags,
      proof: {
        kind: 'boolean',
        brief: 'start each agent once, without a model, to see that it calls the hook (default)',
        optional: true,
      },
    },
    aliases: commonAliases,
  },
  docs: {
    brief: 'let the agents that are here be held: write our hooks into their settings',
    fullDescription: [
      'Every other entry of the settings stays as it is, to the byte. Unarmed the hooks let everything through.',
      'Where it can be proven, it is: the agent is started once with no model in reach.',
      '',
      'Example:',
      '  agentgate hook install --agent claude --scope project',
    ].join('\n'),
  },
});

export const hookUninstall = buildCommand({
  func: uninstall,
  parameters: { flags, aliases: commonAliases },
  docs: {
    brief: 'take our hooks out of the settings again, and nothing else',
    fullDescription: ['Example:', '  agentgate hook uninstall'].join('\n'),
  },
});

const printPlugin = guarded(function plugin(this: Context, { json }: CommonFlags): number {
  const folder = pluginFolder();
  this.terminal.out(json ? JSON.stringify({ kind: 'plugin', folder }) : folder);
  if (findProgram('agentgate', this.cwd, this.env) === null)
    this.terminal.err(
      'agentgate: the plugin starts agentgate by its name, which is not on the PATH; an alias is not enough',
    );
  return exitCode.ok;
});

export const hookPlugin = buildCommand({
  func: printPlugin,
  parameters: { flags: common, aliases: commonAliases },
  docs: {
    brief: 'print the directory that agents can install as a plugin or an extension',
    fullDescription: [
      'The same directory is a marketplace and a plugin for Claude Code, Codex and Copilot CLI, and in it lies an',
      'extension for Gemini CLI: hooks, tools, a skill and /gate.',
      '',
      'Example:',
      '  claude plugin install agentgate --marketplace "$(agentgate hook plugin)" -y',
    ].join('\n'),
  },
});
