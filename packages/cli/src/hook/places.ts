import { homedir } from 'node:os';
import { join } from 'node:path';
import type { HostName } from '@agentgate/runtime/held';
import type { HookEntry } from './settings.ts';

/** How an agent is told of a hook. */
export interface Place {
  title: string;
  program: string;
  /** The settings of the person, or of the project. */
  file(scope: Scope, root: string, env: NodeJS.ProcessEnv): string;
  entries(command: string): HookEntry[];
  /** What only a person can do. */
  next(scope: Scope): string[];
}

export type Scope = 'user' | 'project';

const seconds = { prompt: 600, stop: 3_600, short: 30 };

const homeOf = (env: NodeJS.ProcessEnv): string => env['HOME'] ?? homedir();

const byStops = (command: string): HookEntry[] => [
  { event: 'SessionStart', command, timeout: seconds.short },
  { event: 'UserPromptSubmit', command, timeout: seconds.prompt },
  { event: 'Stop', command, timeout: seconds.stop },
  { event: 'SessionEnd', command, timeout: seconds.short },
];

/** Agents whose hooks stand in a file of settings. */
export const places: Record<Exclude<HostName, 'copilot'>, Place> = {
  claude: {
    title: 'Claude Code',
    program: 'claude',
    file: (scope, root, env) =>
      scope === 'project'
        ? join(root, '.claude', 'settings.json')
        : join(env['CLAUDE_CONFIG_DIR'] ?? join(homeOf(env), '.claude'), 'settings.json'),
    entries: byStops,
    next: () => [
      'It ends a session after 8 blocks in a row without a tool call; "env": {"CLAUDE_CODE_STOP_HOOK_BLOCK_CAP": "0"} in its settings lifts that.',
    ],
  },
  codex: {
    title: 'Codex',
    program: 'codex',
    file: (scope, root, env) =>
      scope === 'project'
        ? join(root, '.codex', 'hooks.json')
        : join(env['CODEX_HOME'] ?? join(homeOf(env), '.codex'), 'hooks.json'),
    entries: byStops,
    next: () => [
      'Codex skips hooks that you have not trusted, without a word: start codex, open /hooks, look at them and trust them. The same again whenever their command changes.',
    ],
  },
  gemini: {
    title: 'Gemini CLI',
    program: 'gemini',
    file: (scope, root, env) => join(scope === 'project' ? root : homeOf(env), '.gemini', 'settings.json'),
    // Its times are milliseconds.
    entries: (command) => [
      { event: 'SessionStart', name: 'agentgate', command, timeout: seconds.short * 1_000 },
      { event: 'BeforeAgent', name: 'agentgate', command, timeout: seconds.prompt * 1_000 },
      { event: 'AfterAgent', name: 'agentgate', command, timeout: seconds.stop * 1_000 },
      { event: 'SessionEnd', name: 'agentgate', command, timeout: seconds.short * 1_000 },
    ],
    next: (scope) =>
      scope === 'project'
        ? ['Gemini CLI runs the hooks of a project only in a folder that you trust: /permissions in it.']
        : [],
  },
  qwen: {
    title: 'Qwen Code',
    program: 'qwen',
    file: (scope, root, env) => join(scope === 'project' ? root : homeOf(env), '.qwen', 'settings.json'),
    entries: byStops,
    next: () => [],
  },
};
