import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { Conversation } from './acp-conversation.ts';

/** What a conversation with an agent of this name comes to, when it tells this usage. */
async function saidBy(agentInfo: object | undefined, usage: object | undefined) {
  const toAgent = new PassThrough();
  const conversation = new Conversation(toAgent, {
    root: '/w',
    prompt: 'Do it.',
    sessionId: undefined,
    mode: undefined,
    model: undefined,
    login: undefined,
    isAll: false,
    commands: [],
    tell: () => undefined,
  });
  const results: Record<string, object> = {
    initialize: { protocolVersion: 1, agentCapabilities: {}, ...(agentInfo ? { agentInfo } : {}) },
    'session/new': { sessionId: 's' },
    'session/prompt': { stopReason: 'end_turn', ...(usage ? { usage } : {}) },
  };
  let words = '';
  toAgent.on('data', (chunk) => {
    words += String(chunk);
    const lines = words.split('\n');
    words = lines.pop() ?? '';
    for (const line of lines) {
      const { id, method } = JSON.parse(line) as { id: number; method: string };
      conversation.hear(`${JSON.stringify({ jsonrpc: '2.0', id, result: results[method] })}\n`);
    }
  });
  return conversation.said();
}

const usage = { totalTokens: 900, cachedReadTokens: 200, inputTokens: 600, outputTokens: 100 };

it('opencode tells its last call only, so that its tokens are a lower bound', async () => {
  const said = await saidBy({ name: 'OpenCode', version: '1' }, usage);
  expect(said).toMatchObject({ kind: 'answered', tokens: 700, atLeast: true });
});

it.each([[{ name: 'other', version: '1' }], [undefined]])('%j tells all of them', async (info) => {
  const said = await saidBy(info, usage);
  expect(said).toMatchObject({ kind: 'answered', tokens: 700 });
  expect(said).not.toHaveProperty('atLeast');
});

it('nobody is taken to have used at least nothing', async () => {
  expect(await saidBy({ name: 'opencode' }, undefined)).not.toHaveProperty('atLeast');
});
