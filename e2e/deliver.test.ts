import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, lchownSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agentgate, type Ended, makePlace, outcomeOf, type Place } from './support/command.ts';

let place: Place;
const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: place.workspace, env: place.env, stdio: 'pipe' }).toString();

beforeEach(() => {
  place = makePlace({ '.gitignore': 'node_modules/\n', 'a.txt': 'one\n', 'mine.txt': 'mine\n' });
  place.write({
    '../agent.sh':
      'echo "$AGENTGATE_ITERATION" >> a.txt\nmkdir -p node_modules; echo x > node_modules/x; echo k > .env\n',
  });
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'Ann');
  git('config', 'user.email', 'ann@example.org');
  git('add', '.');
  git('commit', '-qm', 'one');
  // What a person has under way stays theirs.
  place.write({ 'mine.txt': 'half done\n' });
  git('add', 'mine.txt');
});
afterEach(() => place.remove());

const run = (...args: string[]) =>
  agentgate(place, 'run', '--json', '-p', 'Count to two', ...args, '--', 'sh', '../agent.sh');
const two = ['--gate', 'count=grep -q 2 a.txt'];
const never = ['--gate', 'never=false', '--max-iterations', '2'];
const kept = () =>
  ['index', 'HEAD', 'config'].map((name) => readFileSync(join(place.workspace, '.git', name), 'hex'));
const runIdOf = (ended: Ended) => String(outcomeOf(ended)['runId']);

describe('agentgate deliver', () => {
  it('makes the work of a run a branch, and touches nothing else', async () => {
    const runId = runIdOf(await run(...two));
    const before = kept();
    const done = await agentgate(place, 'deliver');
    expect([done.exit, done.stdout]).toMatchObject([
      0,
      expect.stringContaining(`Branch agentgate/${runId}: 1 path `),
    ]);
    expect(kept()).toEqual(before);
    expect(git('diff', '--name-only', 'main', `agentgate/${runId}`).trim()).toBe('a.txt');
    expect(git('log', '-1', '--format=%an|%s', `agentgate/${runId}`).trim()).toBe('Ann|Count to two');
    expect(git('log', '-1', '--format=%B', `agentgate/${runId}`)).toContain(`AgentGate-Run: ${runId}`);
    expect(done.stdout).toContain(
      'note: the gates also saw what was changed before the run and is not committed: mine.txt',
    );
    expect(git('status', '--porcelain').trim().split('\n')).toEqual(['M a.txt', 'M  mine.txt', '?? .env']);
  });
  it('keeps a commit that can be fetched, as data', async () => {
    await run(...two);
    const done = outcomeOf(await agentgate(place, 'deliver', '--as', 'commit', '--json'));
    expect(done).toMatchObject({ kind: 'delivered', as: 'commit', paths: 1 });
    const home = join(place.state, 'agentgate/workspaces');
    const gitDir = join(home, readdirSync(home)[0]!, 'git');
    git('fetch', '-q', gitDir, String(done['ref']));
    expect(git('rev-parse', 'FETCH_HEAD').trim()).toBe(done['commit']);
  });
  it('refuses what the gates did not confirm, until it is forced', async () => {
    const runId = runIdOf(await run(...never));
    const refused = await agentgate(place, 'deliver');
    expect([refused.exit, refused.stderr]).toMatchObject([
      2,
      expect.stringMatching(/ended diverged .*did not pass never; add --force/),
    ]);
    expect(git('branch', '--list', 'agentgate/*')).toBe('');
    const forced = await agentgate(place, 'deliver', '--force', '--to', '1');
    expect(forced.exit).toBe(0);
    expect(git('show', `agentgate/${runId}-1:a.txt`)).toBe('one\n1\n');
    expect(git('log', '-1', '--format=%B', `agentgate/${runId}-1`)).toContain('- never: FAILS');
  });
  it('delivers an earlier tree under a name of its own', async () => {
    await run('--gate', 'count=grep -q 1 a.txt');
    expect((await agentgate(place, 'deliver', '--to', 'best', '--branch', 'work/counted')).exit).toBe(0);
    expect(git('show', 'work/counted:a.txt')).toBe('one\n1\n');
    const again = await agentgate(place, 'deliver', '--branch', 'main');
    expect([again.exit, again.stderr]).toMatchObject([2, expect.stringContaining('is there already')]);
  });
  it('says what it does not do', async () => {
    await run(...two);
    const pr = await agentgate(place, 'deliver', '--as', 'pr', '--json');
    expect([pr.exit, outcomeOf(pr)]).toMatchObject([
      2,
      { kind: 'refused', message: expect.stringContaining('such as repository: owner/name') },
    ]);
    expect((await agentgate(place, 'deliver', '--to', '9')).exit).toBe(2);
  });
  it('tells a git directory that cannot be written, and keeps the work elsewhere', async () => {
    const ended = await asOrdinaryUser(['run', '--json', '-p', 'x', ...two, '--', 'sh', '../agent.sh']);
    expect(ended.exit).toBe(0);
    every(join(place.workspace, '.git'), (path, isDir) => chmodSync(path, isDir ? 0o555 : 0o444));
    const before = kept();
    const denied = await asOrdinaryUser(['deliver']);
    expect([denied.exit, denied.stderr]).toMatchObject([
      4,
      expect.stringMatching(/cannot make the branch .*--as commit/),
    ]);
    expect((await asOrdinaryUser(['deliver', '--as', 'commit'])).exit).toBe(0);
    expect(kept()).toEqual(before);
    every(join(place.workspace, '.git'), (path, isDir) => chmodSync(path, isDir ? 0o755 : 0o644));
  });
});

describe('delivery by the spec', () => {
  const spec = (deliver: string, gate: string) =>
    `task: Count to two\nagent: [sh, ../agent.sh]\ngates: {count: "${gate}"}\nlimits: {iterations: 2}\ndeliver: ${deliver}\n`;
  it('makes a branch of a converged run and records it before the end', async () => {
    place.write({ 'agentgate.yaml': spec('{as: branch, commitPrefix: "[AgentGate] "}', 'grep -q 2 a.txt') });
    const before = kept();
    const ended = await agentgate(place, 'run', '--json');
    const runId = runIdOf(ended);
    expect(ended.stdout).toMatch(new RegExp(`"kind":"delivered".*"ref":"refs/heads/agentgate/${runId}"`));
    expect(git('log', '-1', '--format=%s', `agentgate/${runId}`).trim()).toBe('[AgentGate] Count to two');
    expect(kept()).toEqual(before);
    expect((await agentgate(place, 'report')).stdout).toContain(`as \`refs/heads/agentgate/${runId}\``);
  });
  it('makes nothing of a run that did not converge', async () => {
    place.write({ 'agentgate.yaml': spec('branch', 'false') });
    expect((await agentgate(place, 'run', '--json')).exit).toBe(1);
    expect(git('branch', '--list', 'agentgate/*')).toBe('');
  });
  it('tells a problem and changes no outcome by it', async () => {
    git('branch', 'agentgate');
    place.write({ 'agentgate.yaml': spec('branch', 'grep -q 2 a.txt') });
    const ended = await agentgate(place, 'run', '--json');
    expect([ended.exit, outcomeOf(ended)]).toMatchObject([0, { status: 'converged' }]);
    expect(ended.stdout).toMatch(/"kind":"delivered".*"problem":"cannot make the branch/);
  });
});

/** Runs the command as somebody whom permissions bind: the test may run as root, whom they do not. */
async function asOrdinaryUser(args: readonly string[]): Promise<Ended> {
  const bin = fileURLToPath(new URL('../packages/cli/bin/agentgate.cjs', import.meta.url));
  const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  if ('uid' in nobody) every(join(place.workspace, '..'), (path) => lchownSync(path, 65534, 65534));
  const child = spawn(process.execPath, [bin, ...args], { cwd: place.workspace, env: place.env, ...nobody });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (text) => (stdout += text));
  child.stderr.on('data', (text) => (stderr += text));
  return new Promise((done) => child.on('close', (exit, signal) => done({ exit, signal, stdout, stderr })));
}

function every(dir: string, act: (path: string, isDir: boolean) => void): void {
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!lstatSync(path).isSymbolicLink()) act(path, entry.isDirectory());
  }
  act(dir, true);
}
