import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { Script, Turn } from '../model/script.ts';
import { agentgate } from '../support/command.ts';
import type { ProgramName } from './programs.ts';
import { setStage, type Stage } from './stage.ts';

/** The errand of every scenario: one word in a file, which a gate looks for. */
export const task = 'Write the right word into answer.txt.';

export const project = {
  'check.sh': 'grep -qx right answer.txt || { echo "answer.txt: $(cat answer.txt)"; exit 1; }\n',
  'answer.txt': 'nothing\n',
};

/** The same with a spec. */
export const projectWith = (spec: object): Record<string, string> => ({
  ...project,
  'agentgate.yaml': JSON.stringify({ task, gates: { answer: 'sh check.sh' }, ...spec }),
});

/** What a model says and does that writes a word and believes to be done. */
export const writes = (text: string): [Turn, Turn] => [
  {
    say: 'I write.',
    do: [{ write: 'answer.txt', text: `${text}\n` }],
    tokens: { input: 100, output: 10, cached: 50 },
  },
  { say: 'I have finished.', tokens: { input: 100, output: 10 } },
];

export async function stageOf(
  name: ProgramName,
  script: Script,
  files: Record<string, string> = project,
): Promise<Stage> {
  const made = await setStage(name, script, files);
  onTestFinished(() => made.close());
  return made;
}

export type Host = 'claude' | 'codex' | 'gemini';

/** The same, with our hooks in the settings of the agent. */
export async function hookedStage(
  host: Host,
  script: Script,
  files = projectWith({ agent: host, stuck: 'off' }),
): Promise<Stage> {
  const made = await stageOf(host, script, files);
  const installed = await made.agentgate('hook', 'install', '--agent', host);
  expect(installed.exit, installed.stderr).toBe(0);
  return made;
}

/** How each is started for one prompt, with its hooks. */
export const commands: Record<Host, readonly string[]> = {
  claude: ['claude', '-p', '--output-format', 'stream-json', '--verbose', '--permission-mode', 'acceptEdits'],
  codex: [
    'codex',
    'exec',
    '--json',
    '--sandbox',
    'workspace-write',
    '--skip-git-repo-check',
    '--dangerously-bypass-hook-trust',
    '-',
  ],
  gemini: ['gemini', '--output-format', 'stream-json', '--approval-mode', 'yolo', '--skip-trust'],
};

interface Spoken {
  child: ChildProcess;
  ended: Promise<{ exit: number | null; said: string }>;
}

/** One session of the agent, as a person would have it. */
export function prompt(
  stage: Stage,
  host: Host,
  words: string,
  args: readonly string[] = commands[host],
): Spoken {
  const [program, ...rest] = args;
  const child = spawn(program!, rest, {
    cwd: stage.place.workspace,
    env: stage.env,
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  let said = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (said += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
  child.stdin?.end(words);
  return { child, ended: new Promise((done) => child.on('close', (exit) => done({ exit, said }))) };
}

/** Sessions that are held just now. */
export function heldIn({ place }: Stage): string[] {
  const folder = join(place.state, 'agentgate', 'sessions');
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** The newest run, as the list tells it. */
export async function newest({ place }: Stage): Promise<Record<string, unknown>> {
  const { stdout } = await agentgate(place, 'list', '--json');
  return JSON.parse(stdout.split('\n')[0]!) as Record<string, unknown>;
}
