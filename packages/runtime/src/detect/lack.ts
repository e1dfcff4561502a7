import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { findProgram } from '../find-program.ts';
import { readManifest } from './manifest.ts';
import { openProject } from './project.ts';
import { hasModule } from './python-module.ts';

/** Something that a gate's command needs and that is not here, with the way to get it. */
export interface Lack {
  what: string;
  next: string;
}

/** Looks whether what a command starts is here. Null when it is, or when that cannot be told without running it. */
export async function findLack(run: string | readonly string[], root: string): Promise<Lack | null> {
  if (typeof run !== 'string') return lackOf(run, root);
  const moved = /^cd (\S+) && /.exec(run);
  const cwd = moved ? resolve(root, moved[1]!) : root;
  for (const part of run.slice(moved?.[0].length ?? 0).split(/\s*(?:&&|\|\||;|\|)\s*/)) {
    const words = part
      .replace(/^(\w+=\S*\s+)+/, '')
      .trim()
      .split(/\s+/);
    const lack = await lackOf(words, cwd);
    if (lack) return lack;
  }
  return null;
}

async function lackOf(words: readonly string[], cwd: string): Promise<Lack | null> {
  const [program = ''] = words;
  if (!/^[\w./@+-]+$/.test(program) || shellWords.has(program)) return null;
  if (findProgram(program, cwd) === null) return missingProgram(program);
  if (program === 'npx' || managers.has(program)) return missingTool(words, cwd);
  if (program === 'cargo' && words[1] === 'clippy' && findProgram('cargo-clippy', cwd) === null) {
    return { what: 'clippy is not installed', next: 'rustup component add clippy' };
  }
  return /(^|\/)python[\d.]*$/.test(program) && words[1] === '-m'
    ? missingModule(program, words[2] ?? '', cwd)
    : null;
}

async function missingModule(python: string, module: string, cwd: string): Promise<Lack | null> {
  if (await hasModule(python, module, cwd)) return null;
  return { what: `${python} has no module ${module}`, next: `${python} -m pip install ${module}` };
}

/** Words that the shell itself understands. */
const shellWords = new Set(
  '. : [ { ! cd test true false echo printf exit export set unset if then else fi for while do done case esac trap eval exec command type umask wait read'.split(
    ' ',
  ),
);

const managers = new Set(['npm', 'pnpm', 'yarn', 'bun']);

function missingProgram(program: string): Lack {
  if (program.includes('/')) return { what: `there is no program ${program}`, next: waysForPaths(program) };
  return { what: `${program} is not installed`, next: ways[program] ?? `install ${program}` };
}

function waysForPaths(program: string): string {
  if (program.startsWith('vendor/bin/')) return 'composer install';
  return /(^|\/)(gradlew|mvnw)$/.test(program) ? `chmod +x ${program}` : 'create it, or correct the command';
}

const ways: Record<string, string> = {
  npm: 'install Node.js with npm',
  npx: 'install Node.js with npm',
  pnpm: 'npm install -g pnpm',
  yarn: 'npm install -g yarn',
  python: 'install Python 3',
  python3: 'install Python 3',
  uv: 'pip install uv',
  poetry: 'pip install poetry',
  pipenv: 'pip install pipenv',
  pdm: 'pip install pdm',
  tox: 'pip install tox',
  ruff: 'pip install ruff',
  pyright: 'pip install pyright',
  go: 'install Go from https://go.dev/dl',
  cargo: 'install Rust from https://rustup.rs',
  bundle: 'gem install bundler',
};

/** A tool of the project's own is in node_modules/.bin, here or above, or it is not installed. */
function missingTool(words: readonly string[], cwd: string): Lack | null {
  const tool = words[0] === 'npx' ? npxTool(words) : scriptTool(words, cwd);
  if (tool === null || findProgram(tool, cwd) !== null || isLocal(tool, cwd)) return null;
  return { what: `${tool} is not installed here`, next: `${words[0] === 'npx' ? 'npm' : words[0]} install` };
}

function npxTool(words: readonly string[]): string | null {
  // Without that flag npx fetches what is missing.
  return words.includes('--no-install')
    ? (words.slice(1).find((word) => !word.startsWith('-')) ?? null)
    : null;
}

function scriptTool([, ...rest]: readonly string[], cwd: string): string | null {
  const [first, second] = rest.filter((word) => !word.startsWith('-'));
  const name = first === 'run' ? second : first;
  const script = readManifest(openProject(cwd))?.scripts[name ?? ''];
  const tool =
    script
      ?.replace(/^(\w+=\S*\s+)+/, '')
      .trim()
      .split(/\s+/)[0] ?? '';
  return /^[\w@.-]+$/.test(tool) && !shellWords.has(tool) ? tool : null;
}

function isLocal(tool: string, dir: string): boolean {
  if (existsSync(join(dir, 'node_modules', '.bin', tool))) return true;
  return dirname(dir) !== dir && isLocal(tool, dirname(dir));
}
