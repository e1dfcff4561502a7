import { homedir } from 'node:os';
import { join } from 'node:path';
import type { HostName } from '@agentgate/runtime/held';
import { opencodePlugin } from './opencode-plugin.ts';
import type { HookEntry } from './settings.ts';

export type Scope = 'user' | 'project';

/** Where something is installed. */
export interface At {
  scope: Scope;
  root: string;
  env: NodeJS.ProcessEnv;
}

/** How an agent is told of a hook. */
export interface Place {
  title: string;
  program: string;
  /** The settings of the person or of the project, and what goes into them. */
  settings?: { file(at: At): string; entries(command: string): HookEntry[] };
  /** Files of our own: `/gate` as a command of the agent, or a plugin. */
  files(at: At, argv: readonly string[]): { path: string; text: string }[];
  /** Commands of the agent itself that install our plugin directory, and take it away. */
  plugin?: { install(folder: string): string[][]; uninstall: string[][] };
  /** How it is started once, with no model in reach, to see that the prompt comes to the hook. */
  proof?: { args: string[]; env: Record<string, string> };
  /** What only a person can do. */
  next(scope: Scope): string[];
}

const seconds = { prompt: 600, stop: 3_600, short: 30 };
/** A port at which nobody listens: no model is called. */
const nowhere = 'http://127.0.0.1:9';

const homeOf = (env: NodeJS.ProcessEnv): string => env['HOME'] ?? homedir();

/** A path in a folder of the agent's own, which a variable may move for the person. */
const inFolder =
  (folder: string, moved?: string) =>
  ({ scope, root, env }: At, ...path: string[]): string => {
    const elsewhere = scope === 'user' && moved !== undefined ? env[moved] : undefined;
    return join(elsewhere ?? join(scope === 'project' ? root : homeOf(env), folder), ...path);
  };

const claudeFolder = inFolder('.claude', 'CLAUDE_CONFIG_DIR');
const codexFolder = inFolder('.codex', 'CODEX_HOME');
const geminiFolder = inFolder('.gemini');
const qwenFolder = inFolder('.qwen');
const opencodeFolder = ({ scope, root, env }: At, ...path: string[]): string =>
  scope === 'project'
    ? join(root, '.opencode', ...path)
    : join(env['XDG_CONFIG_HOME'] ?? join(homeOf(env), '.config'), 'opencode', ...path);

const byStops = (command: string, leave = seconds.short): HookEntry[] => [
  { event: 'SessionStart', command, timeout: seconds.short },
  { event: 'UserPromptSubmit', command, timeout: seconds.prompt },
  { event: 'Stop', command, timeout: seconds.stop },
  { event: 'SessionEnd', command, timeout: leave },
];

const about = 'Hold this session until its gates pass (AgentGate)';
/** Some agents hand on what was typed, others what the command makes of it. */
const markdown = (words: string): string =>
  `---\ndescription: ${about}\nargument-hint: what to do\n---\n\n${words}\n`;
const toml = `description = "${about}"\nprompt = "/gate {{args}}"\n`;

/** Agents that can be held from inside. */
export const places: Record<HostName, Place> = {
  claude: {
    title: 'Claude Code',
    program: 'claude',
    settings: { file: (at) => claudeFolder(at, 'settings.json'), entries: byStops },
    files: (at) => [{ path: claudeFolder(at, 'commands', 'gate.md'), text: markdown('$ARGUMENTS') }],
    proof: {
      args: ['-p', '--no-session-persistence', 'hello'],
      env: { ANTHROPIC_BASE_URL: nowhere, ANTHROPIC_API_KEY: 'none', CLAUDE_CODE_MAX_RETRIES: '0' },
    },
    next: () => [
      'It ends a session after 8 blocks in a row without a tool call; "env": {"CLAUDE_CODE_STOP_HOOK_BLOCK_CAP": "0"} in its settings lifts that.',
    ],
  },
  codex: {
    title: 'Codex',
    program: 'codex',
    // It gives a session that ends three seconds at most, and complains about more.
    settings: { file: (at) => codexFolder(at, 'hooks.json'), entries: (command) => byStops(command, 3) },
    files: (at) =>
      at.scope === 'user'
        ? [{ path: codexFolder(at, 'prompts', 'gate.md'), text: markdown('/gate $ARGUMENTS') }]
        : [],
    proof: {
      args: [
        'exec',
        '--skip-git-repo-check',
        '--ephemeral',
        '--sandbox',
        'read-only',
        '-c',
        'model_provider="nowhere"',
        '-c',
        `model_providers.nowhere={name="nowhere",base_url="${nowhere}/v1",wire_api="responses",request_max_retries=0,stream_max_retries=0}`,
        'hello',
      ],
      env: {},
    },
    next: () => [
      'Codex skips hooks that you have not trusted, without a word: start codex, open /hooks, look at them and trust them. The same again whenever their command changes.',
      'On its own screen the line is /prompts:gate and a task, or a space before /gate.',
    ],
  },
  gemini: {
    title: 'Gemini CLI',
    program: 'gemini',
    settings: {
      file: (at) => geminiFolder(at, 'settings.json'),
      // Its times are milliseconds.
      entries: (command) => [
        { event: 'SessionStart', name: 'agentgate', command, timeout: seconds.short * 1_000 },
        { event: 'BeforeAgent', name: 'agentgate', command, timeout: seconds.prompt * 1_000 },
        { event: 'AfterAgent', name: 'agentgate', command, timeout: seconds.stop * 1_000 },
        { event: 'SessionEnd', name: 'agentgate', command, timeout: seconds.short * 1_000 },
      ],
    },
    files: (at) => [{ path: geminiFolder(at, 'commands', 'gate.toml'), text: toml }],
    next: (scope) =>
      scope === 'project'
        ? ['Gemini CLI runs the hooks of a project only in a folder that you trust: /permissions in it.']
        : [],
  },
  qwen: {
    title: 'Qwen Code',
    program: 'qwen',
    settings: {
      file: (at) => qwenFolder(at, 'settings.json'),
      // Milliseconds, as in the program that it comes from.
      entries: (command) => byStops(command).map((one) => ({ ...one, timeout: one.timeout * 1_000 })),
    },
    files: (at) => [{ path: qwenFolder(at, 'commands', 'gate.toml'), text: toml }],
    next: () => [],
  },
  copilot: {
    title: 'GitHub Copilot CLI',
    program: 'copilot',
    files: () => [],
    plugin: {
      install: (folder) => [
        ['plugin', 'marketplace', 'add', folder],
        ['plugin', 'install', 'agentgate@agentgate'],
      ],
      uninstall: [
        ['plugin', 'uninstall', 'agentgate@agentgate'],
        ['plugin', 'marketplace', 'remove', 'agentgate'],
      ],
    },
    next: (scope) => [
      ...(scope === 'project'
        ? [
            'It keeps its plugins for you everywhere and starts no hooks of a project, so that is where it is installed.',
          ]
        : []),
      'It ends a session after 8 blocks per prompt, and nothing lifts that.',
    ],
  },
  opencode: {
    title: 'opencode',
    program: 'opencode',
    files: (at, argv) => [
      { path: opencodeFolder(at, 'plugin', 'agentgate.js'), text: opencodePlugin(argv) },
      { path: opencodeFolder(at, 'command', 'gate.md'), text: markdown('/gate $ARGUMENTS') },
    ],
    next: () => [
      'Its server and its own screen are held; opencode run ends before it can be, so let agentgate run drive that.',
    ],
  },
};
