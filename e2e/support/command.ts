import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The built command, for those who start it in another way. */
export const commandPath = fileURLToPath(new URL('../../packages/cli/bin/agentgate.cjs', import.meta.url));

/** A directory of its own for one test: a workspace, a home, and a state directory outside the workspace. */
export interface Place {
  workspace: string;
  state: string;
  env: Record<string, string>;
  write(files: Record<string, string>): void;
  remove(): void;
}

export function makePlace(files: Record<string, string> = {}): Place {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'agentgate-e2e-')));
  const workspace = join(base, 'work');
  const state = join(base, 'state');
  mkdirSync(workspace);
  mkdirSync(join(base, 'home'));
  const { PATH = '' } = process.env;
  const place: Place = {
    workspace,
    state,
    env: { PATH, HOME: join(base, 'home'), XDG_STATE_HOME: state, NO_COLOR: '1', TERM: 'dumb' },
    write(more) {
      for (const [path, text] of Object.entries(more)) {
        mkdirSync(dirname(join(workspace, path)), { recursive: true });
        writeFileSync(join(workspace, path), text, { mode: path.endsWith('.sh') ? 0o755 : 0o644 });
      }
    },
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
  place.write(files);
  return place;
}

export interface Ended {
  exit: number | null;
  signal: string | null;
  stdout: string;
  stderr: string;
}

/** The command as a user starts it, in a process of its own. */
export function start(
  place: Pick<Place, 'workspace' | 'env'>,
  args: readonly string[],
  input: number | 'ignore' = 'ignore',
): { child: ChildProcess; ended: Promise<Ended> } {
  const child = spawn(process.execPath, [commandPath, ...args], {
    cwd: place.workspace,
    env: place.env,
    stdio: [input, 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = new Promise<Ended>((done) => {
    child.on('close', (exit, signal) => done({ exit, signal, stdout, stderr }));
  });
  return { child, ended };
}

export const agentgate = (place: Place, ...args: string[]): Promise<Ended> => start(place, args).ended;

/** The last JSON line of `--json` output: the outcome. */
export function outcomeOf({ stdout }: Ended): Record<string, unknown> {
  const line = stdout.trim().split('\n').at(-1) ?? '{}';
  return JSON.parse(line === '' ? '{}' : line) as Record<string, unknown>;
}

/** Resolves when the child's output holds the text. */
export function said(child: ChildProcess, text: string): Promise<void> {
  return new Promise((done, fail) => {
    let seen = '';
    child.stdout?.on('data', (chunk: string) => {
      seen += chunk;
      if (seen.includes(text)) done();
    });
    child.on('close', () =>
      fail(new Error(`the command ended without saying ${JSON.stringify(text)}; it said: ${seen}`)),
    );
  });
}
