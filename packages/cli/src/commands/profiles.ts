import { buildCommand, buildRouteMap } from '@stricli/core';
import { FaultError, fault, nearest } from '@agentgate/core';
import {
  extendedBy,
  findHome,
  listProfiles,
  type Profile,
  profileFolders,
  readProfile,
} from '@agentgate/runtime';
import { type CommonFlags, type Context, common, commonAliases, guarded } from '../context.ts';
import { exitCode } from '../exit-code.ts';
import { tellNotes } from '../notes.ts';
import { refuseSpec } from '../refuse.ts';
import { profileText, sourcesOf } from '../view/profile.ts';
import { rootOf } from '../wire.ts';

const actList = guarded(async function profiles(this: Context, flags: CommonFlags): Promise<number> {
  const { root } = findHome(rootOf(this, flags), this.env);
  const all = listProfiles(root, this.env);
  for (const profile of all) await tell(this, flags, root, profile);
  if (all.length === 0 && !flags.json) {
    const { project, user } = profileFolders(root, this.env);
    this.terminal.out(`There are no profiles yet. They lie in ${project} and ${user}.`);
  }
  return exitCode.ok;
});

const list = buildCommand({
  func: actList,
  parameters: { flags: common, aliases: commonAliases },
  docs: {
    brief: 'list the profiles a spec can build upon',
    fullDescription: [
      'A profile is a part of a spec with a name: YAML, JSON or TypeScript in .agentgate/profiles of the project',
      'or in ~/.config/agentgate/profiles. The one called default is always built upon; others by',
      '"extends" in a spec, or by --profile.',
      '',
      'Example:',
      '  agentgate profiles',
    ].join('\n'),
  },
});

async function tell(
  { terminal }: Context,
  flags: CommonFlags,
  root: string,
  profile: Profile,
): Promise<void> {
  const { name, path, scope, hiddenBy } = profile;
  const upon = await extendedBy(root, profile);
  if (flags.json)
    return terminal.out(JSON.stringify({ kind: 'profile', name, path, scope, extends: upon, hiddenBy }));
  const about = [
    ...(upon.length > 0 ? [`extends ${upon.join(', ')}`] : []),
    ...(hiddenBy === undefined ? [] : [`not used: the project has one of this name`]),
  ];
  terminal.out(`${name.padEnd(12)} ${path}${about.length > 0 ? `   ${about.join('; ')}` : ''}`);
}

const actShow = guarded(async function show(
  this: Context,
  flags: CommonFlags,
  name: string,
): Promise<number> {
  const { root } = findHome(rootOf(this, flags), this.env);
  const names = listProfiles(root, this.env).map((one) => one.name);
  if (!names.includes(name)) {
    const near = nearest(name, names);
    const hint = near ? `: did you mean "${near}"?` : '; agentgate profiles lists them';
    throw new FaultError(fault('usage', `there is no profile ${name}${hint}`));
  }
  const read = await readProfile(root, name, this.env);
  if (read.kind === 'invalid') return refuseSpec(this, flags, root, { ...read, source: name });
  const { value, sources, notes } = read;
  if (flags.json) {
    const said = sourcesOf(value, read.whereOf);
    this.terminal.out(JSON.stringify({ kind: 'profile', name, sources, value, said, notes }));
    return exitCode.ok;
  }
  this.terminal.out(profileText(value, read.whereOf));
  tellNotes(this, flags, notes);
  return exitCode.ok;
});

const show = buildCommand({
  func: actShow,
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [{ parse: String, brief: 'the profile', placeholder: 'name' }],
    },
    flags: common,
    aliases: commonAliases,
  },
  docs: {
    brief: 'show the values of a profile with all it extends',
    fullDescription:
      'Each value is followed by the place it comes from.\n\nExample:\n  agentgate profiles show ci',
  },
});

export const profiles = buildRouteMap({
  routes: { list, show },
  defaultCommand: 'list',
  docs: { brief: 'list the profiles a spec can build upon, or show one' },
});
