import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { opencodePlugin } from './opencode-plugin.ts';

type Told = { hook_event_name: string; session_id: string; prompt?: string };

interface Plugin {
  'chat.message'(at: { sessionID: string }, out: { parts: { type: string; text: string }[] }): Promise<void>;
  event(one: { event: { type: string; properties: object } }): Promise<void>;
}

let dir = '';
beforeEach(() => void (dir = mkdtempSync(join(tmpdir(), 'agentgate-plugin-'))));
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** The plugin in an opencode that remembers what it was asked; the hook answers by the event. */
async function load(answers: Record<string, object>, refusals: readonly unknown[] = [], parentID?: string) {
  const [heard, hook, file] = ['heard.jsonl', 'hook.cjs', 'plugin.mjs'].map((name) => join(dir, name));
  writeFileSync(heard!, '');
  writeFileSync(
    hook!,
    `const words = require('fs').readFileSync(0, 'utf8');
    require('fs').appendFileSync(${JSON.stringify(heard)}, words + '\\n');
    const answer = ${JSON.stringify(answers)}[JSON.parse(words).hook_event_name];
    if (answer) process.stdout.write(JSON.stringify(answer));`,
  );
  writeFileSync(file!, opencodePlugin([process.execPath, hook!]));
  const [prompts, toasts, left] = [[] as string[], [] as string[], [...refusals]];
  const client = {
    app: { log: async () => ({}) },
    tui: { showToast: async ({ body }: { body: { message: string } }) => void toasts.push(body.message) },
    session: {
      get: async () => ({ data: { parentID } }),
      messages: async () => ({
        data: [{ info: { id: 'm', role: 'assistant' }, parts: [{ type: 'text', text: 'Done.' }] }],
      }),
      promptAsync: async ({ body }: { body: { parts: { text: string }[] } }) => {
        const refused = left.shift();
        if (refused instanceof Error) throw refused;
        if (refused) return { error: refused };
        prompts.push(body.parts[0]!.text);
        return {};
      },
    },
  };
  const { AgentGate } = (await import(pathToFileURL(file!).href)) as {
    AgentGate(around: object): Promise<Plugin>;
  };
  const plugin = await AgentGate({ client, directory: dir });
  const asks = () =>
    readFileSync(heard!, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Told);
  const say = async (text: string) => {
    const parts = [{ type: 'text', text }];
    await plugin['chat.message']({ sessionID: 's' }, { parts });
    return parts[0]!.text;
  };
  const idle = () => plugin.event({ event: { type: 'session.idle', properties: { sessionID: 's' } } });
  return { prompts, toasts, asks, say, idle };
}

const context = (additionalContext: string) => ({ hookSpecificOutput: { additionalContext } });

it('tells before the first words of a session what was left unfinished, and once', async () => {
  const { say, asks } = await load({ SessionStart: context('NOT converged: run 1.') });
  expect(await say('Hello.')).toBe('Hello.\n\nNOT converged: run 1.');
  expect(await say('And now?')).toBe('And now?');
  expect(asks().map((one) => one.hook_event_name)).toEqual([
    'SessionStart',
    'UserPromptSubmit',
    'UserPromptSubmit',
  ]);
  // The person's words alone are the prompt.
  expect(asks()[1]?.prompt).toBe('Hello.');
});

it('tells a subagent nothing that a person is to read, and takes its words for no prompt', async () => {
  const { say, idle, asks } = await load({ SessionStart: context('NOT converged: run 1.') }, [], 'parent');
  expect(await say('Look.')).toBe('Look.');
  await idle();
  expect(asks()).toEqual([]);
});

it('shows its person what the hook says', async () => {
  const { idle, say, toasts } = await load({
    UserPromptSubmit: { systemMessage: 'Armed.', ...context('By these gates.') },
    Stop: { systemMessage: 'Gates met.' },
  });
  expect(await say('/gate x')).toContain('By these gates.');
  await idle();
  expect(toasts).toEqual(['Armed.', 'Gates met.']);
});

it.each([
  ['throws', new Error('gone')],
  ['answers with an error', { message: 'gone' }],
])('asks again where opencode %s, and goes on', async (_name, refusal) => {
  const { idle, prompts, asks } = await load({ Stop: { decision: 'block', reason: 'Tests fail.' } }, [
    refusal,
  ]);
  await idle();
  expect(prompts).toEqual(['Tests fail.']);
  expect(asks().map((one) => one.hook_event_name)).toEqual(['Stop']);
});

it('gives the session up where opencode takes nothing, and says so', async () => {
  const refusals = [1, 2, 3].map(() => ({ message: 'gone' }));
  const { idle, prompts, asks, toasts } = await load(
    { Stop: { decision: 'block', reason: 'Tests fail.' } },
    refusals,
  );
  await idle();
  expect(prompts).toEqual([]);
  expect(asks().map((one) => one.hook_event_name)).toEqual(['Stop', 'SessionEnd']);
  expect(toasts).toEqual([expect.stringMatching(/NOT converged.*\(gone\).*agentgate status/)]);
});
