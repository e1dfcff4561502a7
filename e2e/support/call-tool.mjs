// Calls one tool of `agentgate mcp` as the agents do, and prints what it answers: node call-tool.mjs TOOL '{…}'
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const [name, words = '{}', around = 'whole'] = process.argv.slice(2);
const client = new Client({ name: 'an agent', version: '1.0.0' });
await client.connect(
  new StdioClientTransport({
    command: process.execPath,
    args: [fileURLToPath(new URL('../../packages/cli/bin/agentgate.cjs', import.meta.url)), 'mcp'],
    // Some agents give their servers a bare environment.
    ...(around === 'whole' ? { env: { ...process.env } } : {}),
  }),
);
const told =
  name === 'tools' ? await client.listTools() : await client.callTool({ name, arguments: JSON.parse(words) });
console.log(JSON.stringify(told));
await client.close();
