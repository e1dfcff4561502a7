import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, extname, isAbsolute, join, resolve } from 'node:path';
import { FaultError, fault, nearest } from '@agentgate/core';
import { endings, type LocatedProblem, readSource, type SpecSource } from './source.ts';

/** A named part of a spec, in the project or in the user's own folder. */
export interface Profile {
  name: string;
  path: string;
  scope: 'project' | 'user';
  /** The profile of the same name that is used instead. */
  hiddenBy?: string;
}

/** Where profiles lie; the project's own come before the user's. */
export function profileFolders(
  root: string,
  env: NodeJS.ProcessEnv = process.env,
): Record<Profile['scope'], string> {
  return { project: join(root, '.agentgate', 'profiles'), user: join(configRoot(env), 'profiles') };
}

/** `AGENTGATE_CONFIG_DIR`, else `$XDG_CONFIG_HOME/agentgate`, else `~/.config/agentgate`. */
function configRoot(env: NodeJS.ProcessEnv): string {
  const own = env['AGENTGATE_CONFIG_DIR'];
  if (own) return resolve(own);
  const base = env['XDG_CONFIG_HOME'] ?? '';
  // A relative path there means nothing, says the standard.
  return join(isAbsolute(base) ? base : join(env['HOME'] || homedir(), '.config'), 'agentgate');
}

/** Every profile there is, by name. */
export function listProfiles(root: string, env?: NodeJS.ProcessEnv): Profile[] {
  const folders = profileFolders(root, env);
  const own = profilesIn(folders.project, 'project');
  const others = profilesIn(folders.user, 'user').map((one): Profile => {
    const hiding = own.find(({ name }) => name === one.name);
    return hiding ? { ...one, hiddenBy: hiding.path } : one;
  });
  return [...own, ...others].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

function profilesIn(folder: string, scope: Profile['scope']): Profile[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((file) => endings.includes(extname(file)));
  const profiles = files.sort().map((file) => ({
    name: basename(file, extname(file)),
    path: join(folder, file),
    scope,
  }));
  const twice = profiles.find(({ name }, at) => profiles[at + 1]?.name === name);
  if (!twice) return profiles;
  const both = profiles.filter(({ name }) => name === twice.name).map(({ path }) => basename(path));
  throw new FaultError(
    fault('usage', `${both.join(' and ')} in ${folder} are both profile ${twice.name}; keep one`),
  );
}

/** The longest chain of profiles that a person could still follow. */
const deepest = 10;

/** Who asks for profiles, and where that stands. */
interface Asking {
  where: string;
  /** The option that asks; a flag has none. */
  path?: string;
  chain: readonly string[];
}

/** Reads profiles with all they extend, what is extended before what extends it. */
export class ProfileReader {
  readonly problems: LocatedProblem[] = [];
  readonly #root: string;
  readonly #profiles: Profile[];

  constructor(root: string, env?: NodeJS.ProcessEnv) {
    this.#root = root;
    this.#profiles = listProfiles(root, env).filter(({ hiddenBy }) => hiddenBy === undefined);
  }

  has(name: string): boolean {
    return this.#profiles.some((one) => one.name === name);
  }

  /** The profile of this name upon all it extends. */
  async read(name: string, { where, path = '', chain }: Asking): Promise<SpecSource[]> {
    const say = (message: string) => {
      this.problems.push({ where, path, message });
      return [];
    };
    const way = [...chain, name];
    if (chain.includes(name)) return say(`profiles extend each other in a circle: ${way.join(' → ')}`);
    if (way.length > deepest) return say(`more than ${deepest} profiles in a row: ${way.join(' → ')}`);
    const profile = this.#profiles.find((one) => one.name === name);
    if (!profile) return say(`unknown profile "${name}"${this.#hint(name)}`);
    const source = await readSource(this.#root, profile.path);
    this.problems.push(...source.problems);
    return [...(await this.below(source, way)), source];
  }

  /** What a source extends. */
  async below(source: SpecSource, chain: readonly string[]): Promise<SpecSource[]> {
    const all: SpecSource[] = [];
    for (const [at, name] of this.#extendsOf(source).entries()) {
      const where = source.where(isList(source.value) ? ['extends', at] : ['extends']);
      all.push(...(await this.read(name, { where, path: 'extends', chain })));
    }
    return all;
  }

  #extendsOf(source: SpecSource): string[] {
    const names = namesOf(source.value);
    if (names) return names;
    const message = 'expected the name of a profile, or a list of names';
    this.problems.push({ where: source.where(['extends']), path: 'extends', message });
    return [];
  }

  #hint(name: string): string {
    const names = this.#profiles.map((one) => one.name);
    const near = nearest(name, names);
    if (near) return `: did you mean "${near}"?`;
    return names.length === 0
      ? '; there are none, see agentgate profiles'
      : `: expected one of ${names.join(', ')}`;
  }
}

/** What a file says it extends; null when it cannot be read as names. */
export function namesOf(value: unknown): string[] | null {
  const said =
    typeof value === 'object' && value !== null ? (value as { extends?: unknown }).extends : undefined;
  if (said === undefined || said === null) return [];
  const names = Array.isArray(said) ? said : [said];
  return names.every((name) => typeof name === 'string' && name.trim() !== '') ? (names as string[]) : null;
}

const isList = (value: unknown): boolean => Array.isArray((value as { extends?: unknown } | null)?.extends);
