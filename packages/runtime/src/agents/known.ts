import { join } from 'node:path';
import type { ProgramKind } from '@agentgate/core';

/** A coding agent that can be started without a person. */
export interface KnownAgent {
  /** The name of its program. */
  program: string;
  title: string;
  /**
   * How a spec names it: by a kind of its own, or as the command that starts it for one task with leave to edit files
   * and run commands. The prompt comes on its standard input; a text is for the shell, where the agent takes its
   * prompt only as an argument or a file.
   */
  agent: ProgramKind | { run: readonly string[] | string };
  install: string;
  /** Where a login leaves a file, and which variables stand for one. Only looked for, never read. */
  login: { files(env: NodeJS.ProcessEnv, home: string): string[]; variables: readonly string[] };
}

const asArgument = (start: string): string => `${start} "$(cat "$AGENTGATE_PROMPT_FILE")"`;

/** In the order in which one is proposed when several are here. */
export const knownAgents: readonly KnownAgent[] = [
  {
    program: 'claude',
    title: 'Claude Code',
    agent: 'claude',
    install: 'npm install -g @anthropic-ai/claude-code',
    login: {
      files: (env, home) => [join(env['CLAUDE_CONFIG_DIR'] ?? join(home, '.claude'), '.credentials.json')],
      variables: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'],
    },
  },
  {
    program: 'codex',
    title: 'Codex',
    agent: 'codex',
    install: 'npm install -g @openai/codex',
    login: {
      files: (env, home) => [join(env['CODEX_HOME'] ?? join(home, '.codex'), 'auth.json')],
      variables: ['OPENAI_API_KEY', 'CODEX_API_KEY'],
    },
  },
  {
    program: 'gemini',
    title: 'Gemini CLI',
    agent: 'gemini',
    install: 'npm install -g @google/gemini-cli',
    login: {
      files: (_env, home) => [join(home, '.gemini', 'oauth_creds.json')],
      variables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    },
  },
  {
    program: 'opencode',
    title: 'opencode',
    agent: 'opencode',
    install: 'npm install -g opencode-ai',
    login: {
      files: (env, home) => [
        join(env['XDG_DATA_HOME'] ?? join(home, '.local', 'share'), 'opencode', 'auth.json'),
      ],
      variables: [],
    },
  },
  {
    program: 'qwen',
    title: 'Qwen Code',
    agent: 'qwen',
    install: 'npm install -g @qwen-code/qwen-code',
    login: {
      files: (_env, home) => [join(home, '.qwen', 'oauth_creds.json')],
      variables: ['OPENAI_API_KEY', 'DASHSCOPE_API_KEY', 'BAILIAN_CODING_PLAN_API_KEY'],
    },
  },
  {
    program: 'copilot',
    title: 'GitHub Copilot CLI',
    agent: { run: `${asArgument('copilot -p')} --allow-all-tools` },
    install: 'npm install -g @github/copilot',
    login: { files: () => [], variables: ['COPILOT_GITHUB_TOKEN', 'GH_TOKEN', 'GITHUB_TOKEN'] },
  },
  {
    program: 'amp',
    title: 'Amp',
    agent: { run: ['amp', '-x', '--dangerously-allow-all'] },
    install: 'npm install -g @sourcegraph/amp',
    login: { files: () => [], variables: ['AMP_API_KEY'] },
  },
  {
    program: 'cursor-agent',
    title: 'Cursor Agent',
    agent: { run: asArgument('cursor-agent -p --force') },
    install: 'see https://cursor.com/cli',
    login: { files: () => [], variables: ['CURSOR_API_KEY'] },
  },
  {
    program: 'goose',
    title: 'goose',
    agent: { run: ['goose', 'run', '--no-session', '-i', '-'] },
    install: 'see https://block.github.io/goose',
    login: { files: () => [], variables: [] },
  },
  {
    program: 'aider',
    title: 'aider',
    agent: {
      run: 'aider --yes-always --no-auto-commits --no-dirty-commits --message-file "$AGENTGATE_PROMPT_FILE"',
    },
    install: 'pip install aider-chat',
    login: { files: () => [], variables: [] },
  },
];

/** The agent of a spec that a name or a shell command stands for. */
export function agentNamed(words: string): unknown {
  const known = knownAgents.find(({ program }) => program === words.trim());
  return known ? known.agent : { kind: 'command', run: words };
}
