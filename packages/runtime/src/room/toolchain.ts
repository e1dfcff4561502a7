import { execFile } from 'node:child_process';
import { type Fault, fault, type Rung } from '@agentgate/core';
import type { Room } from './room.ts';

/**
 * Compares the program that a command begins with, inside and outside: where it is found and which version it is.
 * Null when they are the same, or when it is a program of the project.
 */
export async function checkToolchain(
  room: Room,
  rung: Rung,
  root: string,
  run: string | readonly string[],
): Promise<Fault | null> {
  const program = programOf(run);
  if (program === null) return null;
  const question = ['/bin/sh', '-c', asks(program), 'sh', program];
  const [outside, inside] = await Promise.all([
    answer(question, root),
    answer(room.argv(question, rung), root),
  ]);
  if (inside === outside) return null;
  const say = (said: string) => (said === '' ? 'not there' : said.replace('\n', ', '));
  return fault(
    'room.toolchain',
    `${program} is another one in the gates' room: ${say(inside)}, and outside ${say(outside)}; install it where gates can see it`,
  );
}

/** The first word that is a program: neither a setting, nor the shell's own, nor a file of the project. */
export function programOf(run: string | readonly string[]): string | null {
  const words = typeof run === 'string' ? run.trim().split(/\s+/) : run;
  const program = words.find((word) => !/^\w+=/.test(word)) ?? '';
  return /^[\w.+-]+$/.test(program) && !BUILT_IN.has(program) ? program : null;
}

const BUILT_IN = new Set(
  '. : [ break cd command continue echo eval exec exit export false for if printf pwd read return set shift source test times trap true type ulimit umask unset until wait while'.split(
    ' ',
  ),
);

// Any other program may take the question for an order.
const SAYS_ITS_VERSION =
  /^(?:node|npm|npx|pnpm|yarn|bun|deno|tsc|eslint|jest|vitest|mocha|python[\d.]*|pip[\d.]*|pytest|tox|nox|uv|poetry|ruff|mypy|cargo|rustc|make|gmake|cmake|ninja|java|javac|mvn|gradle|ruby|bundle|rspec|rake|php|composer|phpunit|dotnet|mix|elixir|swift|gcc|g\+\+|clang|bash|git)$/;

function asks(program: string): string {
  const version =
    program === 'go' ? 'go version' : SAYS_ITS_VERSION.test(program) ? '"$1" --version' : 'true';
  return `command -v "$1" && ${version} </dev/null 2>/dev/null`;
}

function answer(argv: readonly string[], cwd: string): Promise<string> {
  const [program, ...args] = argv as [string, ...string[]];
  return new Promise((resolve) => {
    execFile(program, args, { cwd, timeout: 20_000, killSignal: 'SIGKILL' }, (_, stdout) =>
      resolve(stdout.trim()),
    );
  });
}
