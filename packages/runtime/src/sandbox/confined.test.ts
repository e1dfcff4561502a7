import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findProgram } from '../find-program.ts';
import { supervise } from '../process/index.ts';
import { type Confinement, confinedArgv } from './bwrap.ts';
import { inPlaceConfinement } from './in-place.ts';
import { probeSandbox } from './probe.ts';

const sandbox = await probeSandbox();
const bwrap = sandbox.kind === 'bwrap' ? sandbox.path : '';

let place: string;
let root: string;
let state: string;
let server: Server;
let port: number;

beforeAll(async () => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'confined-')));
  root = join(place, 'work');
  state = join(place, 'state');
  for (const dir of [root, state, join(place, 'private'), join(place, 'data')]) mkdirSync(dir);
  writeFileSync(join(state, 'log.jsonl'), 'the log');
  writeFileSync(join(place, 'data', 'rows'), 'rows');
  server = createServer((socket) => socket.end('reached'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as { port: number }).port;
});
afterAll(() => {
  server.close();
  rmSync(place, { recursive: true, force: true });
});

const gate = (): Confinement => ({
  bwrap,
  root,
  network: 'off',
  hide: [state],
  readOnly: [join(place, 'data')],
  home: 'tools',
});

function run(text: string, confinement = gate(), env: NodeJS.ProcessEnv = {}) {
  const argv = confinedArgv(['/bin/sh', '-c', text], confinement);
  return supervise({
    argv,
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', HOME: homedir(), ...env } as Record<string, string>,
    marker: `confined-${process.pid}`,
    timeoutMs: 20_000,
    graceMs: 500,
  });
}

describe.skipIf(sandbox.kind === 'none')('in the sandbox of a gate', () => {
  test.each([
    { act: 'write outside of the root', text: () => `echo x > ${join(place, 'data', 'planted')}` },
    { act: 'change data that is only shown', text: () => `echo x > ${join(place, 'data', 'rows')}` },
    { act: 'write to the home', text: () => 'echo x > "$HOME/planted-by-a-gate"' },
    { act: 'write to the system', text: () => 'echo x > /usr/planted-by-a-gate' },
    { act: 'read what is hidden', text: () => `cat ${join(state, 'log.jsonl')}` },
    { act: 'signal whoever started it', text: () => `kill -0 ${process.pid}` },
    { act: 'see processes of the host', text: () => `test -e /proc/${process.pid}/stat` },
    { act: 'reach a server of the host', text: () => reach() },
    {
      act: 'take a mask away',
      text: () => `umount ${state} && cat ${join(state, 'log.jsonl')}`,
    },
    {
      act: 'take a mask away in a namespace of its own',
      text: () => `unshare -Urm sh -c 'umount ${state}; cat ${join(state, 'log.jsonl')}'`,
    },
    { act: 'open a disk', text: () => 'ls /dev/sd* /dev/vd* /dev/nvme* /dev/mem 2>/dev/null' },
    { act: 'turn a switch of the kernel', text: () => 'echo x > /proc/sys/kernel/hostname' },
    {
      act: 'ask the kernel to restart',
      text: () => 'test -w /proc/sysrq-trigger && echo x >> /proc/sysrq-trigger',
    },
  ])('nobody can $act', async ({ text }) => {
    const { end, output } = await run(text());
    expect(end.kind).toBe('exited');
    expect(end).not.toEqual({ kind: 'exited', code: 0 });
    expect(output).not.toContain('the log');
    expect(output).not.toContain('reached');
  });

  test('the hidden leave an empty folder, and what is written there is gone', async () => {
    const { output } = await run(`ls -A ${state}; echo forged > ${state}/log.jsonl; cat ${state}/log.jsonl`);
    expect(output).toBe('forged\n');
    expect(readFileSync(join(state, 'log.jsonl'), 'utf8')).toBe('the log');
  });

  test('the root can be written, data be read, and /tmp is private', async () => {
    const text = `echo made > made; cat ${place}/data/rows; ls -A /tmp; echo x > /tmp/x`;
    const { end, output } = await run(text);
    expect([end, output]).toEqual([{ kind: 'exited', code: 0 }, expect.stringContaining('rows')]);
    expect(readFileSync(join(root, 'made'), 'utf8')).toBe('made\n');
    expect(existsSync('/tmp/x')).toBe(false);
  });

  test('a host folder can lie over /tmp, and another one over the root', async () => {
    const from = join(place, 'data');
    const { output } = await run('cat rows; echo kept > /tmp/kept; pwd', {
      ...gate(),
      readOnly: [],
      from,
      tmp: join(place, 'private'),
    });
    expect(output).toBe(`rows${root}\n`);
    expect(readFileSync(join(place, 'private', 'kept'), 'utf8')).toBe('kept\n');
  });

  test.each(['off', 'loopback'] as const)(
    'with the network %s a server of its own can be reached',
    async (network) => {
      const text = `node -e "const s=require('net').createServer(c=>c.end('own')).listen(0,'127.0.0.1',()=>require('net').connect(s.address().port,'127.0.0.1').on('data',d=>{console.log(''+d);process.exit()}))"`;
      expect((await run(text, { ...gate(), network })).output).toBe('own\n');
    },
  );

  test('with the network on the host can be reached', async () => {
    expect((await run(reach(), { ...gate(), network: 'on' })).output).toContain('reached');
  });

  test.for([
    { tool: 'node', text: 'node -e "console.log(40 + 2)"', said: '42' },
    { tool: 'git', text: 'git init -q repo && git -C repo status', said: 'No commits yet' },
    { tool: 'python3', text: 'python3 -c "print(40 + 2)"', said: '42' },
    {
      tool: 'npm',
      text: `echo '{"scripts":{"test":"echo tested"}}' > package.json && npm test`,
      said: 'tested',
    },
    {
      tool: 'cargo',
      text: 'mkdir sample && cd sample && cargo init -q --vcs none --name sample && cargo test --offline',
      said: 'test result: ok',
    },
  ])('$tool works', { timeout: 30_000 }, async ({ tool, text, said }, { skip }) => {
    skip(findProgram(tool, '/') === null, `${tool} is not installed`);
    // Some are only a name for what is installed in another home.
    skip(spawnSync(tool, ['--version']).status !== 0, `${tool} does not work outside of the sandbox`);
    expect((await run(text)).output).toContain(said);
  });
});

describe.skipIf(sandbox.kind === 'none')('the end in the sandbox', () => {
  test('is the exit code of the program', async () => {
    expect((await run('exit 7')).end).toEqual({ kind: 'exited', code: 7 });
  });

  test('keeps the last words of a helper that ends by itself', async () => {
    const { output } = await run(
      `exec bash -c 'exec > >(sleep 0.03; while read -r line; do echo "got $line"; done); echo last'`,
    );
    expect(output).toBe('got last\n');
  });

  test('lets a program tidy up when it times out', async () => {
    const argv = confinedArgv(
      ['/bin/sh', '-c', 'trap "echo tidy; exit 0" TERM; echo ready; sleep 300 & wait'],
      gate(),
    );
    const env = { PATH: process.env['PATH'] ?? '' };
    const result = await supervise({ argv, cwd: root, env, marker: 'confined-tidy', timeoutMs: 400 });
    expect(result).toMatchObject({ end: { kind: 'timed-out' }, survivors: [] });
    expect(result.output).toContain('tidy\n');
    expect(result.tookMs).toBeLessThan(4_000);
  });

  test('comes for one that ignores the polite signal', async () => {
    const argv = confinedArgv(['/bin/sh', '-c', 'trap "" TERM; while :; do sleep 1; done'], gate());
    const env = { PATH: process.env['PATH'] ?? '' };
    const request = { argv, cwd: root, env, marker: 'confined-deaf', timeoutMs: 300, graceMs: 300 };
    const result = await supervise(request);
    expect(result).toMatchObject({ end: { kind: 'timed-out' }, survivors: [] });
    expect(result.tookMs).toBeLessThan(3_000);
  });
});

describe.skipIf(sandbox.kind === 'none')('a home', () => {
  test('shows toolchains and caches to gates, and none of its secrets', () => {
    const home = join(place, 'home');
    const secrets = [
      '.ssh/id_ed25519',
      '.aws/credentials',
      '.npmrc',
      '.netrc',
      '.claude/login.json',
      '.bash_history',
    ];
    const kept = ['.cargo/registry/crate', '.cache/tool/entry', '.npm/_cacache/entry', '.gitconfig'];
    for (const path of [...secrets, ...kept]) {
      mkdirSync(join(home, path, '..'), { recursive: true });
      writeFileSync(join(home, path), `content of ${path}\n`);
    }
    const shown = [...secrets, ...kept].map((path) => `cat ${join(home, path)} 2>/dev/null`).join('; ');
    const before = process.env['HOME'];
    process.env['HOME'] = home;
    try {
      const [program, ...args] = confinedArgv(['/bin/sh', '-c', shown], gate());
      const { stdout } = spawnSync(program, args, { encoding: 'utf8' });
      expect(stdout.trim().split('\n')).toEqual(kept.map((path) => `content of ${path}`));
    } finally {
      process.env['HOME'] = before;
    }
  });
});

describe.skipIf(sandbox.kind === 'none')('in the sandbox of an agent', () => {
  const agent = (): Confinement => inPlaceConfinement(root, { bwrap, hide: [state] });

  test('home, workspace and temporary files can be written, and nothing else', async () => {
    const text = `
      echo 1 > own && f=$(mktemp "$HOME/.agentgate-test.XXXXXX") && rm "$f" && f=$(mktemp) && rm "$f" && echo free
      echo x > /usr/planted-by-an-agent || echo closed
      cat ${state}/log.jsonl || echo hidden
      kill -0 ${process.pid} || echo alone`;
    const { output } = await run(text, agent());
    for (const word of ['free', 'closed', 'hidden', 'alone']) expect(output).toContain(`${word}\n`);
  });

  test('the network is there', async () => {
    expect((await run(reach(), agent())).output).toContain('reached');
  });

  test('commits go to the repository of a linked working tree', async () => {
    const main = join(place, 'main');
    const linked = join(place, 'linked');
    const git = (cwd: string, ...args: string[]) =>
      spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd, encoding: 'utf8' });
    mkdirSync(main);
    git(main, 'init', '-q');
    git(main, 'commit', '-q', '--allow-empty', '-m', 'first');
    git(main, 'worktree', 'add', '-q', linked);
    const confinement = { ...inPlaceConfinement(linked, { bwrap, hide: [state] }) };
    const text = 'git -c user.name=a -c user.email=a@b commit -q --allow-empty -m second';
    expect((await run(text, confinement)).end).toEqual({ kind: 'exited', code: 0 });
    expect(git(linked, 'log', '--format=%s').stdout).toBe('second\nfirst\n');
  });
});

function reach(): string {
  return `node -e "require('net').connect(${port},'127.0.0.1').on('data',d=>console.log(''+d)).on('error',e=>{console.log(e.code);process.exit(1)})"`;
}
