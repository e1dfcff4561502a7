import type { Activity } from '@agentgate/core';
import { type Leave, needsPerson, type Program, type Reader, refused, type Told } from './program.ts';
import { group, type Loose, number, oneLine, subject, text } from './values.ts';

/** opencode. */
export const opencode: Program = {
  args: (spec, _leave, sessionId) => [
    'run',
    '--format',
    'json',
    ...(spec.model === undefined ? [] : ['--model', spec.model]),
    ...(spec.effort === undefined ? [] : ['--variant', spec.effort]),
    ...(sessionId === undefined ? [] : ['--session', sessionId]),
  ],
  env: (_spec, leave) => ({ OPENCODE_CONFIG_CONTENT: configFor(leave) }),
  read: () => makeReader(),
  isLost: (words) => /session not found/i.test(words),
};

/**
 * Looking around harms nobody, and an agent that may not look is lost. `find` and `rg` are not among them: some of their
 * options write, or start programs, and tools of opencode itself look for names and for text.
 */
const looking = [
  'ls',
  'pwd',
  'cat',
  'head',
  'tail',
  'wc',
  'grep',
  'git status',
  'git diff',
  'git log',
  'git show',
];

/** What makes one of them write or start something. What a shell would put together is not read by a pattern. */
const notLooking = [
  ...['>', '$(', '`'].map((sign) => `*${sign}*`),
  ...['--ou', '--ext', '"', "'", '\\', '$'].map((sign) => `git *${sign}*`),
];

/** Tools that only read, or work within the session; everything else is named, or refused. */
const reading = ['list', 'glob', 'grep', 'lsp', 'todoread', 'todowrite', 'task', 'skill', 'agentgate_*'];
const secretFiles = { '*.env': 'deny', '*.env.*': 'deny', '*.env.example': 'allow' };

/** What is asked about would end the turn where nobody is there to answer; so it is refused. Of rules, the last counts. */
function configFor({ isAll, commands }: Leave): string {
  const allowed = (some: readonly string[]) => some.flatMap((one) => [one, `${one} *`]).map(ruled('allow'));
  const permission = isAll
    ? { '*': 'allow' }
    : {
        '*': 'deny',
        ...Object.fromEntries(reading.map(ruled('allow'))),
        read: { '*': 'allow', ...secretFiles },
        edit: 'allow',
        bash: Object.fromEntries([
          ['*', 'deny'],
          ...allowed(looking),
          ...notLooking.map(ruled('deny')),
          ...allowed(commands),
        ]),
        external_directory: 'deny',
      };
  const own = process.env['OPENCODE_CONFIG_CONTENT'];
  return JSON.stringify({ ...(own === undefined ? {} : parsed(own)), permission });
}

const ruled =
  (rule: 'allow' | 'deny') =>
  (pattern: string): [string, string] => [pattern, rule];

function parsed(words: string): Loose {
  try {
    return group(JSON.parse(words));
  } catch {
    return {};
  }
}

function makeReader(): Reader {
  let sessionId = '';
  let reason = '';
  let error: Loose | null = null;
  let steps = 0;
  let tokens = 0;
  let costUsd = 0;
  return {
    take(event) {
      sessionId ||= text(event['sessionID']);
      const part = group(event['part']);
      switch (event['type']) {
        case 'text':
          return [{ kind: 'text', text: `${text(part['text'])}\n` }];
        case 'tool_use':
          return deedIn(part);
        case 'step_finish':
          steps += 1;
          reason = text(part['reason']);
          tokens += tokensIn(group(part['tokens']));
          costUsd += number(part['cost']);
          return [];
        case 'error':
          error = group(event['error']);
          return [];
        default:
          return [];
      }
    },
    end() {
      const used =
        steps === 0 ? {} : { tokens, ...(costUsd > 0 ? { costUsd: Number(costUsd.toFixed(9)) } : {}) };
      return { ...endOf(reason, error), used, ...(sessionId === '' ? {} : { sessionId }) };
    },
  };
}

function deedIn(part: Loose): Activity[] {
  const { status, input, error } = group(part['state']);
  const told = { tool: text(part['tool']), what: subject(input) };
  const isDenied = status === 'error' && /rule which prevents|rejected permission/i.test(text(error));
  return [{ kind: isDenied ? 'denied' : 'tool', ...told }];
}

function endOf(reason: string, error: Loose | null): Pick<Told, 'problem' | 'away' | 'isLost'> {
  if (error) {
    const { message, statusCode } = group(error['data']);
    const status = number(statusCode);
    const problem = oneLine(text(message) || text(error['name']) || 'it ended with an error', 300);
    if (status === 401 || status === 403)
      return { problem, ...needsPerson(`opencode is not logged in (${problem}); run opencode auth login`) };
    return { problem, isLost: /session not found/i.test(problem), ...refused(status, problem) };
  }
  if (reason === 'stop') return { problem: null };
  return { problem: reason === '' ? 'it ended without an answer' : `its answer was cut off (${reason})` };
}

/** Input that came out of the cache is not counted. */
function tokensIn({ input, output, reasoning, cache }: Loose): number {
  return number(input) + number(output) + number(reasoning) + number(group(cache)['write']);
}
