import { type LoadedSpec, proposeGates } from '@agentgate/runtime';
import type { CommonFlags, Context } from './context.ts';
import { exitCode } from './exit-code.ts';

export { placeholderTask } from '@agentgate/runtime';

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
  // In the resource form the same options stand deeper.
  const isWrong = (name: string) =>
    problems.some(({ path }) => path === name || (path.startsWith('spec.') && path.endsWith(`.${name}`)));
  if (isWrong('gates')) for (const line of gateAdvice(root)) terminal.err(line);
  if (isWrong('task') || isWrong('goal.prompt'))
    terminal.err('  say what to do with -p "…", or name a file: agentgate run PROMPT.md');
  if (isWrong('agent')) terminal.err('  name the agent, such as: --agent claude, or any command after --');
  return exitCode.usage;
}

function gateAdvice(root: string): string[] {
  const proposed = proposeGates(root);
  if (proposed.length === 0) {
    return ['  no gates were given, and none were found in this project; give some with --gate "command"'];
  }
  return [
    '  no gates were given; agentgate init would write these:',
    ...proposed.map((gate) =>
      'run' in gate
        ? `    --gate "${gate.name}=${gate.run}"    ${gate.because}`
        : `    ${gate.name}: exists ${gate.exists.join(', ')}    ${gate.because}`,
    ),
  ];
}
