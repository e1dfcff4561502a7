// Brings a clone to where everything can run: the packages of the lock file, and the built command.
// Quick when nothing changed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Installs and builds what is missing or older than its sources. */
export function setUp({ quiet = false } = {}) {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    console.error(`AgentGate needs Node 20.19, 22.13 or newer; this is ${process.version}.`);
    process.exit(1);
  }
  once(
    'install',
    hashOf(['package-lock.json', 'package.json', ...manifests()]),
    'node_modules/.bin/rolldown',
    () => {
      if (!quiet) console.error('Installing the packages of the lock file …');
      // Not `npm ci`: it refuses a lock file that lacks the optional packages of other platforms, and registries
      // that mirror only a part leave those out.
      run('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error']);
    },
  );
  once(
    'build',
    hashOf([...builders, 'tsconfig.json', 'tsconfig.types.json', ...manifests(), ...sources('packages')]),
    'packages/cli/dist/main.js',
    () => {
      if (!quiet) console.error('Building …');
      run(process.execPath, ['scripts/build.mjs']);
    },
  );
}

export function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options });
  if (error) console.error(`${command} could not be started: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

function once(name, hash, product, act) {
  const stamp = join(root, 'node_modules', '.agentgate', name);
  if (existsSync(join(root, product)) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  act();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, hash);
}

const builders = ['build', 'licences', 'module-child', 'types', 'web'].map((name) => `scripts/${name}.mjs`);
const manifests = () => readdirSync(join(root, 'packages')).map((name) => `packages/${name}/package.json`);

function sources(dir) {
  return readdirSync(join(root, dir), { withFileTypes: true }).flatMap((entry) => {
    const path = `${dir}/${entry.name}`;
    if (entry.isDirectory())
      return ['node_modules', 'dist', 'fixtures', 'golden'].includes(entry.name) ? [] : sources(path);
    return /\.(?:tsx?|css|html|svg)$/.test(entry.name) && !entry.name.endsWith('.test.ts') ? [path] : [];
  });
}

function hashOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths) {
    const full = join(root, path);
    hash.update(path).update(existsSync(full) && statSync(full).isFile() ? readFileSync(full) : '');
  }
  return hash.digest('hex');
}
