import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, vi } from 'vitest';

/** A machine for one test: a workspace, a home, a state directory, and programs of its own before the system's. */
export interface Machine {
  readonly root: string;
  readonly home: string;
  readonly state: string;
  readonly env: NodeJS.ProcessEnv;
  write(files: Record<string, string>): void;
  /** Puts a shell script on the PATH. */
  program(name: string, script: string): void;
  /** Leaves nothing on the PATH but what the test put there. */
  bare(): void;
}

export function makeMachine(): Machine {
  let base: string;
  let env: NodeJS.ProcessEnv;
  const put = (path: string, text: string, mode = 0o644) => {
    mkdirSync(dirname(join(base, path)), { recursive: true });
    writeFileSync(join(base, path), text, { mode });
  };
  beforeEach(() => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'agentgate-doctor-')));
    for (const dir of ['work', 'home', 'bin']) mkdirSync(join(base, dir));
    env = {
      PATH: `${join(base, 'bin')}:${process.env['PATH'] ?? ''}`,
      HOME: join(base, 'home'),
      AGENTGATE_STATE_DIR: join(base, 'state'),
    };
    vi.stubEnv('PATH', env['PATH']!);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(base, { recursive: true, force: true });
  });
  return {
    get root() {
      return join(base, 'work');
    },
    get home() {
      return join(base, 'home');
    },
    get state() {
      return join(base, 'state');
    },
    get env() {
      return env;
    },
    write(files) {
      for (const [path, text] of Object.entries(files)) put(join('work', path), text);
    },
    program: (name, script) => put(join('bin', name), `#!/bin/sh\n${script}\n`, 0o755),
    bare() {
      env['PATH'] = join(base, 'bin');
      vi.stubEnv('PATH', env['PATH']);
    },
  };
}
