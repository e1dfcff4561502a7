import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { buildCommand, buildRouteMap } from '@stricli/core';
import { answerCall, takeBack } from '@agentgate/runtime';
import type { HostCall } from '@agentgate/runtime/held';
import type { Context } from '../context.ts';
import { exitCode } from '../exit-code.ts';
import { hookInstall, hookPlugin, hookUninstall } from './hook-install.ts';

/** Does what a hook cannot do in its own time; started by it, and by nobody else. */
async function work(this: Context): Promise<void> {
  // While it is open this process does not end, whatever goes wrong, and the hook waits for its end.
  try {
    const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
    const call = JSON.parse((await lines.next()).value as string) as HostCall;
    // White space before the answer says nothing to a hook that waits for it, and fails where there is none.
    const isAwaited = () => isTaken(' ');
    const told = await answerCall(call, { env: this.env, version: this.version, isAwaited });
    // A second line says that the host has the answer; the end of the hook without it, that nobody has.
    const isHeard = isTaken(`${JSON.stringify(told)}\n`) && (await lines.next()).done !== true;
    if (!isHeard) await takeBack(call, told, this.env);
  } finally {
    process.stdin.destroy();
  }
  this.exit(exitCode.ok);
}

/** Whether whoever asked is still there. */
function isTaken(words: string): boolean {
  try {
    writeSync(1, words);
    return true;
  } catch {
    return false;
  }
}

const drive = buildCommand({
  func: work,
  parameters: {},
  docs: { brief: 'what a hook starts to judge a session; not for persons' },
});

const answer = buildCommand({
  func(this: Context) {
    this.terminal.err('agentgate: hook answer is started by an agent, with its words on standard input');
    this.exit(exitCode.usage);
  },
  parameters: {},
  docs: {
    brief: 'answer the hook of an agent: its words come on standard input',
    fullDescription: [
      'One program for the hooks of Claude Code, Codex, Gemini CLI, Copilot CLI and Qwen Code. It holds the session',
      'that was armed until its gates pass, and lets every other one go.',
      '',
      'Example, as a hook of an agent:',
      '  agentgate hook answer',
    ].join('\n'),
  },
});

export const hook = buildRouteMap({
  routes: { install: hookInstall, uninstall: hookUninstall, plugin: hookPlugin, answer, drive },
  docs: { brief: 'hold agents from inside, by their own hooks', hideRoute: { drive: true } },
});
