import { readFileSync } from 'node:fs';
import { run, type StricliProcess } from '@stricli/core';
import { makeApp } from './app.ts';
import { exitCode } from './exit-code.ts';
import { hearSignals, leaveAtOnce } from './signals.ts';
import { spreadLists } from './spread.ts';
import { makeTerminal } from './terminal.ts';

/** Runs the command that the process was started with. */
export async function main(argv: readonly string[] = process.argv.slice(2)): Promise<void> {
  hearSignals(leaveAtOnce);
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  const cwd = whereWeStand();
  const at = argv.indexOf('--');
  const own = at === -1 ? argv : argv.slice(0, at);
  await run(makeApp(version), spreadLists(withCommand(own)), {
    process: process as StricliProcess & { exitCode?: number | string | null },
    terminal: makeTerminal(process.stdout, process.stderr, process.env, cwd),
    desk:
      process.stdin.isTTY && process.stdout.isTTY && !process.env['CI']
        ? { input: process.stdin, output: process.stdout }
        : null,
    cwd,
    env: process.env,
    version,
    agentCommand: at === -1 ? [] : argv.slice(at + 1),
    exit(code) {
      process.exitCode = code;
    },
  });
  // The library answers wrong usage with codes below zero; ours are documented.
  if (typeof process.exitCode === 'number' && process.exitCode < 0) process.exitCode = exitCode.usage;
}

/** Without a command, `agentgate` and `agentgate -C dir` look at the project and ask. */
function withCommand(words: readonly string[]): readonly string[] {
  const [first] = words;
  const own = ['--help', '-h', '--helpAll', '--help-all', '-H', '--version', '-v'];
  if (first === undefined) return ['begin'];
  if (first === 'help') return [...words.slice(1), '--help'];
  // `agentgate -C dir list` is as good as `agentgate list -C dir`.
  const [, dir, command, ...rest] = words;
  if ((first === '-C' || first === '--directory') && dir !== undefined && command && !command.startsWith('-'))
    return [command, first, dir, ...rest];
  return first.startsWith('-') && !own.includes(first) ? ['begin', ...words] : words;
}

/** The directory may have been removed under the shell; what needs it then says so by itself. */
function whereWeStand(): string {
  try {
    return process.cwd();
  } catch {
    // Any path that does not exist leads to the same clear message as a wrong -C.
    return process.env['PWD'] ?? '/nowhere';
  }
}
