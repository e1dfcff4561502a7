/**
 * The programs whose sessions can be held from inside, and how each of them speaks to a hook. Loaded at every stop of
 * every session, so it stands on nothing else.
 */
export const hostNames = ['claude', 'codex', 'gemini', 'copilot', 'qwen', 'opencode'] as const;
export type HostName = (typeof hostNames)[number];

interface Host {
  title: string;
  /** How many blocks in a row it honours; null where it has no limit. */
  cap: { most: number; variable?: string; isReset: boolean } | null;
  /** Where it shows a word to the person beside the answer. */
  hears: readonly HostCall['event'][];
}

const everywhere = ['start', 'prompt', 'stop'] as const;

export const hosts: Record<HostName, Host> = {
  claude: {
    title: 'Claude Code',
    cap: { most: 8, variable: 'CLAUDE_CODE_STOP_HOOK_BLOCK_CAP', isReset: true },
    hears: everywhere,
  },
  codex: { title: 'Codex', cap: null, hears: everywhere },
  gemini: { title: 'Gemini CLI', cap: null, hears: everywhere },
  copilot: { title: 'GitHub Copilot CLI', cap: { most: 8, isReset: false }, hears: [] },
  qwen: { title: 'Qwen Code', cap: null, hears: ['stop'] },
  opencode: { title: 'opencode', cap: null, hears: ['stop'] },
};

/** What a host tells a hook, in words of our own. */
export interface HostCall {
  host: HostName;
  event: 'start' | 'prompt' | 'stop' | 'substop' | 'failure' | 'end' | 'other';
  /** As the host names it. */
  name: string;
  sessionId: string;
  cwd: string;
  prompt: string;
  /** The last words of the agent, where they are told. */
  said: string | null;
  transcript: string | null;
  /** What tells this stop from others, where the host has a name for it. */
  stopId: string | null;
  /** Work goes on behind the session: it pauses and is not finished. */
  isPausing: boolean;
}

/**
 * How long a hook waits for its own work: a little below the time that our entries in the settings of the host give it.
 * Codex takes no more than three seconds for the end of a session, whatever an entry says.
 */
export function deadlineMs({ host, event }: Pick<HostCall, 'host' | 'event'>): number {
  if (event === 'stop') return 3_500_000;
  if (event === 'prompt') return 570_000;
  return host === 'codex' && event === 'end' ? 2_500 : 25_000;
}

const events: Record<string, HostCall['event']> = {
  SessionStart: 'start',
  UserPromptSubmit: 'prompt',
  BeforeAgent: 'prompt',
  Stop: 'stop',
  AfterAgent: 'stop',
  SubagentStop: 'substop',
  StopFailure: 'failure',
  SessionEnd: 'end',
};

/** Names of sessions become names of files, so only plain ones are known. */
const plainName = /^[\w-]{1,128}$/;

/** Reads what a host wrote to a hook; null for anything else. */
export function readCall(words: string, env: NodeJS.ProcessEnv, told?: HostName): HostCall | null {
  const value = parse(words);
  if (!value) return null;
  const name = textOf(value['hook_event_name']) ?? '';
  const sessionId = textOf(value['session_id']) ?? '';
  const cwd = textOf(value['cwd']) ?? '';
  if (!plainName.test(sessionId) || !cwd.startsWith('/') || cwd.includes('\0')) return null;
  return {
    host: told ?? hostOf(name, value, env),
    event: Object.hasOwn(events, name) ? events[name]! : 'other',
    name,
    sessionId,
    cwd,
    prompt: textOf(value['prompt']) ?? '',
    said: textOf(value['last_assistant_message']) ?? textOf(value['prompt_response']),
    transcript: textOf(value['transcript_path']),
    stopId: textOf(value['stop_id']),
    isPausing: isFilled(value['background_tasks']) || isFilled(value['session_crons']),
  };
}

/** Each has something in its words or around it that no other one has. */
function hostOf(name: string, value: Record<string, unknown>, env: NodeJS.ProcessEnv): HostName {
  if (name === 'AfterAgent' || name === 'BeforeAgent') return 'gemini';
  if (
    typeof value['turn_id'] === 'string' ||
    (typeof value['model'] === 'string' && env['CLAUDECODE'] === undefined)
  )
    return 'codex';
  if (
    env['QWEN_CODE'] !== undefined ||
    env['QWEN_PROJECT_DIR'] !== undefined ||
    (textOf(value['transcript_path']) ?? '').includes('/.qwen/')
  )
    return 'qwen';
  if (env['GEMINI_SESSION_ID'] !== undefined && env['CLAUDECODE'] === undefined) return 'gemini';
  if (
    env['COPILOT_CLI'] !== undefined ||
    (typeof value['timestamp'] === 'string' && env['CLAUDECODE'] === undefined)
  )
    return 'copilot';
  return 'claude';
}

function parse(words: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(words);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const isFilled = (value: unknown): boolean => Array.isArray(value) && value.length > 0;

/** What a hook answers. `begins`: the run of which an iteration begins with it, should it come to the session. */
export type Answer =
  /** The session may do as it likes; `say` is for the person. */
  | { kind: 'let'; say?: string }
  /** The session goes on with these words. */
  | { kind: 'hold'; reason: string; begins?: string }
  /** The session is told something beside its prompt. */
  | { kind: 'tell'; text: string; say?: string; begins?: string };

/**
 * An answer in the contract of its host, to the byte; nothing means that the host may go on. Where the host shows the
 * person nothing beside a prompt, its agent is asked to say it.
 */
export function wordsFor(
  { host, name, event }: Pick<HostCall, 'host' | 'name' | 'event'>,
  answer: Answer,
): string {
  const say = answer.kind === 'hold' ? undefined : answer.say;
  const isShown = hosts[host].hears.includes(event);
  const shown = say !== undefined && isShown ? { systemMessage: say } : {};
  // Words for the agent beside a stop would make it go on.
  const isRelayed = say !== undefined && !isShown && (event === 'prompt' || event === 'start');
  const relayed = !isRelayed ? [] : [`Tell the person now, before anything else: ${say}`];
  const told = (texts: readonly string[]) =>
    JSON.stringify({
      ...shown,
      hookSpecificOutput: { hookEventName: name, additionalContext: texts.join('\n\n') },
    });
  switch (answer.kind) {
    case 'let':
      if (isRelayed) return told(relayed);
      return Object.keys(shown).length > 0 ? JSON.stringify(shown) : '';
    case 'hold':
      return JSON.stringify({ decision: 'block', reason: answer.reason });
    case 'tell':
      return told(answer.text === say && isRelayed ? relayed : [answer.text, ...relayed]);
  }
}

/** Claude Code tells the end of work in the background as a prompt, which no person gave. */
export const isNotice = (prompt: string): boolean => /^\s*<task-notification>/.test(prompt);

/** `/gate fix the tests`, also with the name of a plugin before it. The task, or null where it is no such line. */
export function taskIn(prompt: string): string | null {
  const found = /^\s*\/(?:[\w-]+:)?gate(?:\s+([\s\S]*))?$/.exec(prompt);
  return found ? (found[1] ?? '').trim() : null;
}
