import { join } from 'node:path';
import type { Act, Call } from './script.ts';

/** A call of a tool in the words of the agent that offered it. */
export interface Deed {
  id: string;
  name: string;
  namespace?: string;
  input: Record<string, unknown>;
  /** For a tool that takes plain text. */
  plain?: string;
}

type Made = Omit<Deed, 'id'>;

/** Every agent has its own tools; a script says what is to be done, and this says it with theirs. */
export function deedOf(act: Act, call: Call, root: string): Made {
  if ('tool' in act)
    return { name: act.tool, input: act.input, ...(act.namespace ? { namespace: act.namespace } : {}) };
  return 'shell' in act ? shell(act.shell, call) : write(act.write, act.text, call, root);
}

function shell(command: string, call: Call): Made {
  const is = offered(call);
  if (is('exec_command')) return { name: 'exec_command', input: { cmd: command } };
  if (is('exec'))
    return {
      name: 'exec',
      input: {},
      plain: `text(await tools.exec_command(${JSON.stringify({ cmd: command })}))`,
    };
  const input = { command, description: 'runs a command' };
  for (const name of ['Bash', 'bash', 'run_shell_command', 'shell']) if (is(name)) return { name, input };
  // What was not offered is asked for all the same, as models do.
  return { name: call.protocol === 'gemini' ? 'run_shell_command' : 'Bash', input };
}

function write(path: string, text: string, call: Call, root: string): Made {
  const is = offered(call);
  // Some tools want whole paths.
  const whole = join(root, path);
  if (is('Write')) return { name: 'Write', input: { file_path: whole, content: text } };
  if (is('write_file')) return { name: 'write_file', input: { file_path: whole, content: text } };
  if (is('write')) return { name: 'write', input: { filePath: whole, content: text } };
  if (is('create')) return { name: 'create', input: { path: whole, file_text: text } };
  const patch = [
    '*** Begin Patch',
    `*** Add File: ${path}`,
    ...text
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => `+${line}`),
    '*** End Patch',
    '',
  ].join('\n');
  const patcher = call.tools.find((tool) => tool.name === 'apply_patch');
  if (patcher)
    return patcher.isPlain
      ? { name: 'apply_patch', input: {}, plain: patch }
      : { name: 'apply_patch', input: { input: patch } };
  return shell(`printf %s ${Buffer.from(text).toString('base64')} | base64 -d > '${path}'`, call);
}

const offered =
  ({ tools }: Call) =>
  (name: string) =>
    tools.some((tool) => tool.name === name);
