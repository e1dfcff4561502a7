import { makeReader } from './claude.ts';
import { needsPerson, type Program, refused, type Told } from './program.ts';
import { group, type Loose, number, oneLine, text } from './values.ts';

/** Qwen Code: the flags of the program that it comes from, and the events of another one. */
export const qwen: Program = {
  args: (spec, { isAll, commands }, sessionId) => [
    '--output-format',
    'stream-json',
    '--approval-mode',
    isAll ? 'yolo' : 'auto-edit',
    ...(isAll
      ? []
      : [...ours, ...commands.map((command) => `run_shell_command(${command})`)].flatMap((tool) => [
          '--allowed-tools',
          tool,
        ])),
    ...(spec.model === undefined ? [] : ['--model', spec.model]),
    ...(sessionId === undefined ? [] : ['--resume', sessionId]),
  ],
  // Started anew by itself it would hear no signal.
  env: () => ({ QWEN_CODE_NO_RELAUNCH: 'true' }),
  read: () => makeReader(endOf),
  isLost: (words) => /No saved session found with ID/i.test(words),
};

/** The tools of `agentgate mcp`: they run the gates, which it may, and change nothing. */
const ours = ['mcp__agentgate'];

/** What its service refused it says as if it were an answer, and calls that a success. */
const refusal = /^\[API Error: (?:(\d{3}) )?(.*)\]/s;

function endOf(result: Loose | null): Told {
  if (!result) return { problem: 'it ended without telling how', used: {} };
  const used = usedIn(group(result['usage']));
  const words = text(result['result']);
  const found = refusal.exec(words);
  if (!found && result['is_error'] === false && result['subtype'] === 'success')
    return { problem: null, used };
  const problem = oneLine(words || text(group(result['error'])['message']) || 'it ended with an error', 300);
  const status = Number(found?.[1] ?? 0);
  if (status === 401 || status === 403)
    return {
      problem,
      used,
      ...needsPerson(`Qwen Code is not logged in (${problem}); start qwen once and log in`),
    };
  return { problem, used, ...refused(status, problem) };
}

/** Told for the whole session; what came out of the cache is in the input. */
function usedIn(usage: Loose): Told['used'] {
  const input = number(usage['input_tokens']) - number(usage['cache_read_input_tokens']);
  const tokens = Math.max(0, input) + number(usage['output_tokens']);
  return tokens === 0 ? {} : { total: { tokens } };
}
