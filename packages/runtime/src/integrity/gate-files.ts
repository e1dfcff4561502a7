import type { TreeFile, TreeReader } from './checked.ts';
import { parseJson } from './manifest/package-json.ts';
import { isDoc, own } from './manifest/reconcile.ts';
import { kindOf } from './protected.ts';
import { joined, loadedBy } from './resolve-file.ts';
import { textOf } from './text.ts';

const mostDepth = 4;
const mostBytes = 256 * 1024;

/**
 * The files of the baseline that the commands of gates are made of: the scripts that they name, and what these
 * call in turn, also through the scripts of a package. A program of the work itself is not one.
 */
export async function gateFilesOf(
  commands: readonly string[],
  files: readonly TreeFile[],
  reader: TreeReader,
): Promise<string[]> {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const scripts = await readScripts(files, reader);
  const found = new Set<string>();
  const seen = new Set<string>();
  const look = async (command: string, dir: string, depth: number): Promise<void> => {
    if (depth > mostDepth || seen.has(`${dir}\n${command}`)) return;
    seen.add(`${dir}\n${command}`);
    for (const [at, line] of scriptLines(command, scripts)) await look(line, at, depth + 1);
    for (const path of implied(command)) if (byPath.has(path)) found.add(path);
    for (const path of pathsIn(command, dir)) {
      const file = byPath.get(path);
      if (file === undefined || !isScript(path, command) || found.has(path)) continue;
      found.add(path);
      if (file.size > mostBytes) continue;
      const text = textOf(await reader.read(file.oid));
      if (isShell(path)) for (const inside of text.split('\n')) await look(inside, '', depth + 1);
      else await follow(path, text, depth + 1);
    }
  };
  /** What a program that judges loads from beside it is part of it; what it loads from elsewhere is the work. */
  const follow = async (from: string, text: string, depth: number): Promise<void> => {
    if (depth > mostDepth) return;
    for (const path of loadedBeside(from, text, byPath)) {
      const file = byPath.get(path)!;
      if (found.has(path) || file.size > mostBytes) continue;
      found.add(path);
      await follow(path, textOf(await reader.read(file.oid)), depth + 1);
    }
  };
  for (const command of commands) await look(command, '', 0);
  return [...found].sort();
}

/** Files below the folder of a program that it loads. A program at the root has no folder of its own. */
function loadedBeside(from: string, text: string, paths: { has(path: string): boolean }): string[] {
  const dir = from.slice(0, from.lastIndexOf('/') + 1);
  return dir === '' ? [] : loadedBy(from, text, paths).filter((path) => path.startsWith(dir));
}

interface PackageScripts {
  dir: string;
  scripts: ReadonlyMap<string, string>;
}

const mostPackages = 100;

async function readScripts(files: readonly TreeFile[], reader: TreeReader): Promise<PackageScripts[]> {
  const manifests = files.filter(
    ({ path, size }) => /(?:^|\/)package\.json$/.test(path) && size < mostBytes && kindOf(path) === 'config',
  );
  const all: PackageScripts[] = [];
  for (const { path, oid } of manifests.slice(0, mostPackages)) {
    const scripts = own(parseJson(textOf(await reader.read(oid))) ?? {}, 'scripts');
    if (!isDoc(scripts)) continue;
    const texts = Object.entries(scripts).filter(
      (one): one is [string, string] => typeof one[1] === 'string',
    );
    all.push({ dir: path.slice(0, -'package.json'.length), scripts: new Map(texts) });
  }
  return all;
}

/** The scripts that a command runs, with what runs before and after them. */
function* scriptLines(command: string, packages: readonly PackageScripts[]): Generator<[string, string]> {
  const calls = command.matchAll(
    /\b(?:npm|pnpm|yarn|bun|nr|turbo|nx|lerna|run-s|run-p|npm-run-all)\b((?:\s+[\w:.@/*=-]+)+)/g,
  );
  for (const [, rest = ''] of calls) {
    const names = rest
      .trim()
      .split(/\s+/)
      .filter((word) => !word.startsWith('-'));
    const wanted = new Set(names.flatMap((name) => [name, `pre${name}`, `post${name}`]));
    if (wanted.has('t')) wanted.add('test');
    for (const { dir, scripts } of packages) {
      for (const [name, line] of scripts) if (wanted.has(name)) yield [dir, line];
    }
  }
}

/** Files that a program reads without being told their names. */
const implications: readonly (readonly [RegExp, string])[] = [
  [/\bdocker\b/, 'Dockerfile docker-compose.yml docker-compose.yaml compose.yml compose.yaml .dockerignore'],
  [/\binv(?:oke)?\b/, 'tasks.py invoke.yaml'],
  [/\bcargo\s+make\b/, 'Makefile.toml'],
  [/\bdoit\b/, 'dodo.py'],
];

function implied(command: string): string[] {
  return implications.filter(([program]) => program.test(command)).flatMap(([, names]) => names.split(' '));
}

function pathsIn(command: string, dir: string): string[] {
  return command
    .split(/[\s"'`;|&()<>=,$]+/)
    .filter((word) => /^[\w@.][\w@./+-]*$/.test(word))
    .map((word) => joined(dir, word));
}

const judgingFolder = /(?:^|\/)(?:scripts?|ci|\.ci|tools?|hack|dev|build-tools|gates?|checks?|tests?)\//;
const judgingName =
  /(?:^|[-_./])(?:check|test|tests|verify|lint|gate|validate|judge|assert|ci|accept|grade|score)(?:$|[-_.])/i;

/** A script that judges, and not the program that is judged: that one the agent must be free to change. */
function isScript(path: string, command: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (isShell(path) && !/(?:^|\/)(?:bin|src|lib|app|dist)\//.test(path)) return true;
  if (judgingName.test(name) || judgingFolder.test(path)) return true;
  // A file without an ending at the root that a gate starts directly.
  return (
    !path.includes('/') &&
    !path.includes('.') &&
    new RegExp(`(?:^|[\\s;&|])\\./${path.replaceAll(/[^\w-]/g, '.')}`).test(command)
  );
}

const isShell = (path: string): boolean => /\.(?:sh|bash|zsh|fish|ps1|bat|cmd)$/.test(path);
