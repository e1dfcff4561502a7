import { type LoadedSpec, proposeGates } from '@agentgate/runtime';
import type { CommonFlags, Context } from './context.ts';
import { exitCode } from './exit-code.ts';

/** What `init` writes where a person has to say what to do. */
export const placeholderTask = 'Describe the work here.';

/** Tells every mistake of a spec at once. Nothing ran. */
export function refuseSpec(
  { terminal }: Context,
  flags: CommonFlags,
  root: string,
  { problems }: Extract<LoadedSpec, { kind: 'invalid' }>,
): number {
  if (flags.json) terminal.out(JSON.stringify({ kind: 'refused', code: 'spec.invalid', problems }));
  const { colors } = terminal;
  terminal.err(
    `agentgate: ${problems.length === 1 ? 'a mistake' : `${problems.length} mistakes`} in the spec; nothing was run`,
  );
  for (const { where, path, message } of problems) {
    terminal.err(
      `  ${colors.bold(where)}  ${path && !message.startsWith('gate name') ? `${path}: ` : ''}${message}`,
    );
  }
  const missing = new Set(problems.map((one) => one.path));
  if (missing.has('gates')) for (const line of gateAdvice(root)) terminal.err(line);
  if (missing.has('task'))
    terminal.err('  say what to do with -p "…", or name a file: agentgate run PROMPT.md');
  if (missing.has('agent')) terminal.err('  name the agent after --, such as: -- claude -p');
  return exitCode.usage;
}

function gateAdvice(root: string): string[] {
  const proposed = proposeGates(root);
  if (proposed.length === 0) {
    return ['  no gates were given, and none were found in this project; give some with --gate "command"'];
  }
  return [
    '  no gates were given; agentgate init would write these:',
    ...proposed.map(({ name, run, because }) => `    --gate "${name}=${run}"    ${because}`),
  ];
}
