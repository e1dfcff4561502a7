import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Place } from './command.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Tarball {
  name: string;
  /** Where it lies. */
  file: string;
  /** The paths inside it. */
  paths: string[];
}

/** The packages as they would be published, packed from what is built. */
export function pack(place: Place, folders: readonly string[]): Tarball[] {
  const to = join(place.workspace, '..', 'packed');
  mkdirSync(to);
  const args = ['pack', '--json', '--pack-destination', to, ...folders.flatMap((one) => ['-w', one])];
  const { status, stdout, stderr } = npm(place, root, args);
  if (status !== 0) throw new Error(`npm pack failed: ${stderr}`);
  const packed = JSON.parse(stdout) as { name: string; filename: string; files: { path: string }[] }[];
  return packed.map(({ name, filename, files }) => ({
    name,
    file: join(to, filename),
    paths: files.map(({ path }) => path),
  }));
}

/** Installs into a folder that holds nothing else. Answers what was missing, or null. */
export function install(place: Place, folder: string, tarballs: readonly Tarball[]): string | null {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  const ci = process.env['CI'] === 'true';
  // Where there is no network, npm would try for minutes.
  const patience = [`--fetch-retries=${ci ? 2 : 0}`, '--fetch-timeout=60000'];
  const files = tarballs.map(({ file }) => file);
  const { status, stderr } = npm(place, folder, [
    'install',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    ...patience,
    ...files,
  ]);
  if (status === 0) return null;
  const lost = /E(?:NOTFOUND|CONNREFUSED|CONNRESET|TIMEDOUT|AI_AGAIN|NETUNREACH|HOSTUNREACH)/.exec(stderr);
  if (!lost || ci) throw new Error(`npm install failed: ${stderr}`);
  return `the registry of npm, for the packages these depend on (${lost[0]})`;
}

const npm = (place: Place, cwd: string, args: readonly string[]) => run(place, cwd, 'npm', args);

/** A command in a folder, in the clean home of the place. */
export function run(place: Place, cwd: string, command: string, args: readonly string[]) {
  const env = { ...place.env, ...registry(), TMPDIR: join(place.workspace, '..') };
  return spawnSync(command, args, { cwd, env, encoding: 'utf8', timeout: 120_000 });
}

/** Which registry is used, and how it is reached, is a matter of the machine. Nothing is fetched unasked. */
function registry(): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name]) =>
    /^(https?_proxy|no_proxy|node_extra_ca_certs|ssl_cert_(file|dir)|npm_config_(registry|cache|cafile))$/i.test(
      name,
    ),
  );
  const { npm_config_userconfig = join(homedir(), '.npmrc') } = process.env;
  return {
    ...Object.fromEntries(kept as [string, string][]),
    npm_config_userconfig,
    npm_config_yes: 'false',
  };
}

export interface Installed {
  name: string;
  dir: string;
  manifest: {
    version: string;
    scripts?: Record<string, string>;
    gypfile?: boolean;
    dependencies?: Record<string, string>;
  };
}

/** Every package below a folder, those inside other packages too. */
export function installed(folder: string): Installed[] {
  const modules = join(folder, 'node_modules');
  return list(modules)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) =>
      name.startsWith('@') ? list(join(modules, name)).map((one) => `${name}/${one}`) : name,
    )
    .flatMap((name) => {
      const dir = join(modules, name);
      const manifest = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) as Installed['manifest'];
      return [{ name, dir, manifest }, ...installed(dir)];
    });
}

function list(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    // A package without packages of its own.
    return [];
  }
}

/** Whether installing it runs anything. */
export function hasInstallScript({ dir, manifest }: Installed): boolean {
  const { scripts = {}, gypfile } = manifest;
  const named = ['preinstall', 'install', 'postinstall'].some((name) => name in scripts);
  return named || gypfile === true || existsSync(join(dir, 'binding.gyp'));
}

/** The packages that the built files of a package name in their imports. */
export function importedBy(dir: string): string[] {
  const files = readdirSync(join(dir, 'dist')).filter((name) => name.endsWith('.js'));
  const texts = files.map((name) => readFileSync(join(dir, 'dist', name), 'utf8'));
  const imports = texts.flatMap((text) => [
    ...text.matchAll(/^(?:import|export)\b[^'"\n]*\bfrom\s*"([^".][^"]*)"|\bimport\("([^".][^"]*)"\)/gm),
  ]);
  const names = imports.map(([, first, second]) => /^(?:@[^/]+\/)?[^/]+/.exec((first ?? second)!)![0]);
  return [...new Set(names)].filter((name) => !isBuiltin(name));
}
