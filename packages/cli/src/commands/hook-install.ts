import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildCommand } from '@stricli/core';
import { FaultError, fault } from '@agentgate/core';
import { findProgram } from '@agentgate/runtime';
import { type CommonFlags, type Context, common, commonAliases, guarded } from '../context.ts';
import { exitCode } from '../exit-code.ts';
import { oneOf } from '../flag.ts';
import { type Place, places, type Scope } from '../hook/places.ts';
import { hasHooks, withHooks, withoutHooks } from '../hook/settings.ts';
import { rootOf } from '../wire.ts';

interface Flags extends CommonFlags {
  agent?: string;
  scope?: Scope;
}

type Name = keyof typeof places;
const names = Object.keys(places) as Name[];

interface Done {
  agent: string;
  file: string;
  did: 'wrote' | 'kept' | 'removed' | 'nothing';
  next: string[];
}

const install = guarded(function install(this: Context, flags: Flags): number {
  const root = rootOf(this, flags);
  const command = commandOf(root, this.env);
  const done = chosen(this, flags, root).map((name): Done => {
    const { file, entries, next } = places[name];
    const scope = flags.scope ?? 'user';
    const path = file(scope, root, this.env);
    const before = existsSync(path) ? readFileSync(path, 'utf8') : '';
    const after = withHooks(before, entries(command), path);
    if (after !== before) put(path, after);
    return { agent: name, file: path, did: after === before ? 'kept' : 'wrote', next: next(scope) };
  });
  return tell(this, flags, done);
});

const uninstall = guarded(function uninstall(this: Context, flags: Flags): number {
  const root = rootOf(this, flags);
  const wanted = flags.agent === undefined || flags.agent === 'all' ? names : chosen(this, flags, root);
  const done = wanted.map((name): Done => {
    const path = places[name].file(flags.scope ?? 'user', root, this.env);
    const before = existsSync(path) ? readFileSync(path, 'utf8') : '';
    if (before === '' || !hasHooks(before)) return { agent: name, file: path, did: 'nothing', next: [] };
    put(path, withoutHooks(before, path));
    return { agent: name, file: path, did: 'removed', next: [] };
  });
  return tell(this, flags, done);
});

/** The agents that were named, or all that are here. */
function chosen({ env }: Context, { agent = 'all' }: Flags, root: string): Name[] {
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
function commandOf(root: string, env: NodeJS.ProcessEnv): string {
  const own = realpathSync(fileURLToPath(new URL('../bin/agentgate.cjs', import.meta.url)));
  const found = findProgram('agentgate', root, env);
  return found !== null && realpathSync(found) === own
    ? 'agentgate hook answer'
    : `node "${own}" hook answer`;
}

/** Whoever reads the settings meanwhile finds the old ones or the new ones. */
function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const real = existsSync(path) ? realpathSync(path) : path;
  const made = `${real}.${process.pid}`;
  writeFileSync(made, text, { mode: 0o600 });
  renameSync(made, real);
}

const said: Record<Done['did'], (place: Place, file: string) => string> = {
  wrote: ({ title }, file) => `${title}: hooks written to ${file}; everything else in it is as it was.`,
  kept: ({ title }, file) => `${title}: the hooks are in ${file} already.`,
  removed: ({ title }, file) => `${title}: hooks removed from ${file}; everything else in it is as it was.`,
  nothing: ({ title }, file) => `${title}: no hooks of ours in ${file}.`,
};

function tell({ terminal }: Context, { json }: Flags, done: readonly Done[]): number {
  for (const one of done) {
    if (json) {
      terminal.out(JSON.stringify({ kind: 'hook', ...one }));
      continue;
    }
    terminal.out(said[one.did](places[one.agent as Name], one.file));
    for (const line of one.next) terminal.out(`  ${line}`);
  }
  if (!json && done.some(({ did }) => did === 'wrote'))
    terminal.out('In a session, /gate and a task arms it; from a terminal, agentgate arm does.');
  return exitCode.ok;
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
  parameters: { flags, aliases: commonAliases },
  docs: {
    brief: 'let the agents that are here be held: write our hooks into their settings',
    fullDescription: [
      'Every other entry of the settings stays as it is, to the byte. Unarmed the hooks let everything through.',
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
