import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A small repository of one kind, a change that breaks it, and an honest one. */
export interface Kind {
  name: string;
  /** Programs without which it cannot be made. */
  programs: readonly string[];
  /** Made in every test run, because it is quick and needs nothing from the network. */
  short?: true;
  make(at: Fixture): void;
  gates: Record<string, unknown>;
  /** Where each gate judges, in their order; sealed unless told. */
  rungs?: readonly string[];
  /** What the gates say of the untouched tree; passed unless told. */
  untouched?: string;
  /** The broken tree fails unless told. */
  broken?: string;
  breakIt(at: Fixture): void;
  mendIt(at: Fixture): void;
}

/** The folder of a repository that is being made. */
export interface Fixture {
  root: string;
  write(files: Record<string, string>): void;
  run(program: string, ...args: string[]): void;
  /** Runs git without anyone's settings. */
  git(folder: string, ...args: string[]): void;
  /** A folder beside the repository, such as another checkout. */
  beside(name: string): string;
}

export function makeFixture(home: string): Fixture {
  const root = join(home, 'work');
  mkdirSync(root, { recursive: true });
  const env = { ...process.env, ...person, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  const run = (cwd: string, program: string, args: string[]) =>
    execFileSync(program, args, { cwd, env, stdio: 'pipe', timeout: 240_000 });
  return {
    root,
    write(files) {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), text);
      }
    },
    run: (program, ...args) => run(root, program, args),
    git: (folder, ...args) => run(join(root, folder), 'git', args),
    beside: (name) => join(home, name),
  };
}

const person = {
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@b',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@b',
};
