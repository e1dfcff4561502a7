import { closeSync, openSync } from 'node:fs';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listMarked } from '../process/index.ts';
import { gateFrom, judgeGate } from './testing.ts';

let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'agentgate-parallel-')));
});
afterEach(() => rm(root, { recursive: true }));

const waits = 'until [ -e go ]; do sleep 0.01; done';

/** A server that answers only when the others have ended. */
const server = `
  const { existsSync } = require('node:fs');
  const answer = (r) => (existsSync('go') ? r.end('served') : setTimeout(answer, 10, r));
  require('node:http').createServer((q, r) => answer(r)).listen(process.argv[2], '127.0.0.1');
`;

async function freePort(): Promise<number> {
  const listener = createServer();
  await new Promise<void>((resolve) => void listener.listen(0, '127.0.0.1', resolve));
  const { port } = listener.address() as AddressInfo;
  await new Promise((resolve) => void listener.close(resolve));
  return port;
}

test('gates of every kind run side by side and end nothing of each other', async () => {
  await writeFile(join(root, 'server.cjs'), server);
  const port = await freePort();
  const slow = {
    // A daemon in a session of its own, with and without its environment, as build tools leave them.
    daemons: `(setsid sh -c 'echo $$ > pid; exec sleep 60' &); env -i sleep 60 & e=$!; ${waits}; kill -0 $(cat pid) && kill -0 $e`,
    served: { url: `http://127.0.0.1:${port}/`, start: `node server.cjs ${port}; true`, contains: 'served' },
    levels: {
      tests: { run: waits },
      blackbox: [{ name: 'b', run: 'echo b', expect: { stdoutContains: 'b' } }],
    },
    list: { items: [{ command: waits }, { not_command: 'exit 1' }] },
  };
  const fast = {
    files: { exists: 'server.cjs' },
    command: 'true',
    contracts: { contracts: true, sanity: true },
    short: { items: [{ command: 'true' }, { file: 'server.cjs' }] },
  };
  const lock = openSync(join(root, 'lock'), 'w');
  const marker = `parallel-${process.pid}`;
  const judge = async (name: string, options: unknown) => {
    const { verdict } = await judgeGate(gateFrom(options, name), root, { marker, keepFds: [lock] });
    return `${name}: ${verdict.kind}`;
  };
  const judgeAll = (gates: object) =>
    Promise.all(Object.entries(gates).map(([name, options]) => judge(name, options)));
  try {
    const going = judgeAll(slow);
    const ended = [...(await judgeAll(fast)), ...(await judgeAll(fast))];
    await writeFile(join(root, 'go'), '');
    expect([...ended, ...(await going)].filter((one) => !one.endsWith(': passed'))).toEqual([]);
    expect(await listMarked(marker)).toEqual([]);
  } finally {
    closeSync(lock);
  }
});
