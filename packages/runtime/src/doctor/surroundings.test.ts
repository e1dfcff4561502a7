import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { takeLock } from '../process/index.ts';
import { diskKind, openHome, warnOfNetwork } from '../store/index.ts';
import { lookAtGit } from './git.ts';
import { lookAtIsolation } from './isolation.ts';
import { lookAtLock } from './lock.ts';
import { lookAtRoom, lookAtState } from './state.ts';
import { lookAtSize } from './size.ts';
import { makeMachine } from './testing.ts';
import { lookAtWorkspace } from './workspace.ts';

const machine = makeMachine();
const isRoot = process.getuid?.() === 0;

describe('git', () => {
  const look = () => lookAtGit(machine.root, machine.env);
  it('is found with its version', async () => {
    expect(await look()).toMatchObject({ mark: 'good', what: expect.stringMatching(/^2\.\d+/) });
  });
  it.each([
    ['is missing', null, /not on the PATH/],
    ['is too old', 'echo git version 2.30.1', /2\.30\.1 is too old/],
    ['does not start', 'exit 1', /does not work/],
  ])('%s', async (_name, script, expected) => {
    machine.bare();
    if (script !== null) machine.program('git', script);
    expect(await look()).toMatchObject({
      mark: 'bad',
      what: expect.stringMatching(expected),
      next: 'install git 2.34 or newer',
    });
  });
  it.skipIf(!isRoot)('tells of a repository that belongs to somebody else', async () => {
    execFileSync('git', ['init', '-q', machine.root], { env: machine.env });
    chownSync(machine.root, 12_345, 12_345);
    chownSync(join(machine.root, '.git'), 12_345, 12_345);
    expect(await look()).toMatchObject({
      mark: 'lacking',
      what: expect.stringContaining('belongs to somebody else'),
      next: `git config --global --add safe.directory '${machine.root}'`,
    });
  });
});

describe('the state directory', () => {
  it('is told with the room it has, and not made by looking', () => {
    expect(lookAtState(machine.env)).toMatchObject({
      what: expect.stringContaining(`${machine.state}, `),
      facts: { path: machine.state, writable: true, freeBytes: expect.any(Number) },
    });
    expect(existsSync(machine.state)).toBe(false);
  });
  it('is tried where it is there, and left as it was', () => {
    mkdirSync(machine.state);
    expect(lookAtState(machine.env).mark).not.toBe('bad');
    expect(readdirSync(machine.state)).toEqual([]);
  });
  it('cannot be a file', () => {
    writeFileSync(machine.state, '');
    expect(lookAtState(machine.env)).toMatchObject({
      mark: 'bad',
      next: expect.stringContaining('AGENTGATE_STATE_DIR'),
    });
  });
  it.skipIf(process.platform !== 'linux')('cannot lie where nothing can be written', () => {
    const env = { ...machine.env, AGENTGATE_STATE_DIR: '/proc/agentgate' };
    expect(lookAtState(env)).toMatchObject({ mark: 'bad' });
  });
  it('is told of when it has grown large, with the command that helps, and not before', () => {
    expect(lookAtSize(machine.env)).toEqual([]);
    const home = openHome(machine.root, machine.env);
    writeFileSync(join(home.runs, 'x'), Buffer.alloc(300_000, 1));
    expect(lookAtSize(machine.env)).toEqual([]);
    expect(lookAtSize(machine.env, 200_000)).toMatchObject([
      {
        about: 'state size',
        mark: 'lacking',
        what: expect.stringMatching(/ kB in .*state, in 1 workspace/),
        next: 'agentgate prune --all-workspaces --older-than 30d --keep 10 --dry-run',
      },
    ]);
  });
  it.each([
    ['much room', 50, false, 'good', '50 GiB free'],
    ['little room', 0.5, false, 'lacking', '512 MiB free'],
    ['hardly any', 0.01, false, 'bad', 'too little'],
    ['a network', 50, true, 'lacking', 'network file system (nfs)'],
  ] as const)('has %s', (_name, gib, network, mark, words) => {
    const disk = { freeBytes: gib * 1024 ** 3, name: 'nfs', network };
    expect(lookAtRoom('/s', disk)).toMatchObject({ mark, what: expect.stringContaining(words) });
  });
  it.each([
    [0x6969, 'linux', { name: 'nfs', network: true }],
    [0xfe534d42 | 0, 'linux', { name: 'smb2', network: true }],
    [0xef53, 'linux', { name: 'local', network: false }],
    [0x6969, 'darwin', { name: 'local', network: false }],
  ] as const)('knows the file system %s on %s', (type, platform, kind) =>
    expect(diskKind(type, platform)).toEqual(kind),
  );
});

describe('a run', () => {
  it.skipIf(process.platform !== 'linux').each([
    [0x6969, 'nfs'],
    [0xff534d42, 'cifs'],
    [0xfe534d42 | 0, 'smb2'],
    [0x65735546, 'fuse'],
  ])('is warned of a state directory on %s, with the way out', (type, name) =>
    expect(warnOfNetwork('/s', () => type)).toMatch(
      new RegExp(`network file system \\(${name}, /s\\).*set AGENTGATE_STATE_DIR`),
    ),
  );
  it('is not warned of a local disk, nor of one of which the system does not tell', () => {
    expect(warnOfNetwork(machine.root)).toBeNull();
    expect(
      warnOfNetwork('/s', () => {
        throw new Error('ENOSYS');
      }),
    ).toBeNull();
  });
});

describe('locks', () => {
  const look = () => lookAtLock(machine.root, machine.env);
  it('work here, and leave nothing behind', async () => {
    mkdirSync(machine.state);
    expect(await look()).toMatchObject({
      mark: 'good',
      what: expect.stringMatching(/^works, by (flock|perl)$/),
    });
    expect(readdirSync(machine.state)).toEqual([]);
  });
  it('are weaker without a locker, and work', async () => {
    machine.bare();
    expect(await look()).toMatchObject({ mark: 'lacking', next: 'install flock (util-linux)' });
  });
  it('tell who holds the workspace', async () => {
    const home = openHome(machine.root, machine.env);
    const held = await takeLock(home.lock, { pid: process.pid, runId: 'abc234', since: 'now' });
    expect(await look()).toMatchObject({
      mark: 'bad',
      what: expect.stringContaining(`run abc234 (process ${process.pid}`),
      next: expect.stringContaining('agentgate stop'),
    });
    if (held.kind === 'held') held.release();
    expect((await look()).mark).not.toBe('bad');
  });
});

describe('the workspace', () => {
  const look = (root = machine.root) => lookAtWorkspace(root);
  it('is told with its size', () => {
    machine.write({ a: '', 'b/c': '' });
    expect(look()).toMatchObject({
      mark: 'good',
      what: `${machine.root}, no git repository, small (2 files)`,
    });
  });
  it('is a repository, or inside one, with others in it', () => {
    machine.write({ 'sub/a': '' });
    for (const dir of ['.', 'sub/x', 'sub/y']) execFileSync('git', ['init', '-q', join(machine.root, dir)]);
    expect(look()).toMatchObject({ facts: { git: 'own', nested: ['sub/x', 'sub/y'] } });
    expect(look().what).toContain('2 nested repositories');
    expect(look(join(machine.root, 'sub'))).toMatchObject({ facts: { git: 'above' } });
  });
  it('is better no whole home', () => {
    expect(look('/')).toMatchObject({
      mark: 'lacking',
      next: expect.stringContaining('directory of a project'),
    });
  });
});

describe.skipIf(process.platform !== 'linux')('isolation', () => {
  it.each([
    ['works', 'exit 0', 'good', 'bubblewrap works'],
    ['is refused', 'exit 1', 'lacking', 'bubblewrap does not work'],
  ])('%s', async (_name, script, mark, words) => {
    machine.program('bwrap', script);
    machine.program('unshare', script);
    expect(await lookAtIsolation(machine.env)).toMatchObject({ mark, what: expect.stringContaining(words) });
  });
  it('is not needed', async () => {
    machine.bare();
    expect(await lookAtIsolation(machine.env)).toMatchObject({
      mark: 'lacking',
      facts: { userNamespaces: 'missing', bubblewrap: 'missing' },
    });
  });
});
