import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The real programs, each in the version that the scenarios were written against. */
export const pinned = {
  claude: { package: '@anthropic-ai/claude-code', version: '2.1.325' },
  codex: { package: '@openai/codex', version: '0.166.0' },
  gemini: { package: '@google/gemini-cli', version: '0.61.0' },
  opencode: { package: 'opencode-ai', version: '1.18.33' },
  copilot: { package: '@github/copilot', version: '1.0.102' },
  qwen: { package: '@qwen-code/qwen-code', version: '0.15.10' },
} as const;

export type ProgramName = keyof typeof pinned;

/** Where the programs are kept from one run of the tests to the next. */
const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'agentgate-agents');

export type Found = { kind: 'here'; bin: string } | { kind: 'absent'; why: string };

const found = new Map<ProgramName, Promise<Found>>();

/** The folder with the program in it, fetched from the registry the first time. */
export function findProgram(name: ProgramName, limitMs = 600_000): Promise<Found> {
  const known = found.get(name) ?? fetchProgram(name, limitMs);
  found.set(name, known);
  return known;
}

async function fetchProgram(name: ProgramName, limitMs: number): Promise<Found> {
  const { package: from, version } = pinned[name];
  const folder = join(cache, `${name}-${version}`);
  const bin = join(folder, 'node_modules', '.bin');
  if (existsSync(join(bin, name))) return { kind: 'here', bin };
  // Whoever is ended in the middle leaves a folder of another name.
  const made = `${folder}.${process.pid}`;
  mkdirSync(made, { recursive: true });
  writeFileSync(join(made, 'package.json'), '{"private":true}');
  try {
    const words = ['install', `${from}@${version}`, '--no-audit', '--no-fund', '--loglevel=error'];
    await promisify(execFile)('npm', words, { cwd: made, timeout: limitMs });
    rmSync(folder, { recursive: true, force: true });
    renameSync(made, folder);
    return existsSync(join(bin, name))
      ? { kind: 'here', bin }
      : { kind: 'absent', why: `${from} has no ${name}` };
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    const last = String((error as { stderr?: string }).stderr || error)
      .trim()
      .split('\n')
      .at(-1);
    return { kind: 'absent', why: `${from}@${version} could not be installed: ${last}` };
  }
}
