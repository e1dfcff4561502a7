import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Ci, openForge, type TestForge } from './forge/server.ts';
import { agentgate, makePlace, outcomeOf, type Place } from './support/command.ts';

/** CI of this project: the word must be the right one, and nobody knows at the first look. */
const strict: Ci = (read, look) =>
  look === 1
    ? { status: 'in_progress' }
    : { status: 'completed', conclusion: read('answer.txt') === 'right' ? 'success' : 'failure' };

interface Stage {
  place: Place;
  forge: TestForge;
  run(...words: string[]): ReturnType<typeof agentgate>;
}

/** A repository whose main branch is on the forge, and an agent that writes one word per iteration. */
async function stage(ci: Ci, words: string[], more: object = {}): Promise<Stage> {
  const forge = await openForge(ci);
  onTestFinished(() => forge.close());
  const at = { repository: 'acme/widget', apiUrl: forge.url };
  const spec = {
    task: 'Write the right word.',
    agent: [
      'sh',
      '-c',
      `set -- ${words.join(' ')}; shift $((AGENTGATE_ITERATION - 1)); echo "\${1:-last}" > answer.txt`,
    ],
    gates: { there: 'test -s answer.txt', ci: { kind: 'ci', poll: '1s', ...at } },
    deliver: { as: 'pr', ...at },
    stuck: 'off',
    ...more,
  };
  const place = makePlace({ 'agentgate.yaml': JSON.stringify(spec), 'answer.txt': 'nothing\n' });
  onTestFinished(() => place.remove());
  place.env = { ...place.env, GITHUB_TOKEN: 'scripted' };
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', ...args], {
      cwd: place.workspace,
      env: place.env,
    });
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-qm', 'begin');
  git('push', '-q', forge.git('rev-parse', '--absolute-git-dir'), 'main');
  return { place, forge, run: (...args) => agentgate(place, ...args) };
}

const withoutCi = { gates: { answer: 'grep -qx right answer.txt' } };

describe('a run that ends as a pull request, judged by CI', () => {
  it('goes from red to green, and what CI saw is what is proposed', async () => {
    const { forge, run } = await stage(strict, ['wrong', 'right']);
    const ended = await run('run', '--json');
    expect(outcomeOf(ended), ended.stderr).toMatchObject({ status: 'converged', iterations: 2 });
    expect(forge.pulls).toMatchObject([
      {
        base: 'main',
        title: 'Write the right word.',
        draft: false,
        body: expect.stringContaining('The gates confirm'),
      },
    ]);
    const branch = forge.pulls[0]!.head;
    expect(forge.git('show', `${branch}:answer.txt`)).toBe('right');
    expect(forge.git('rev-list', '--count', `main..${branch}`)).toBe('1');
    // Waiting for CI costs no iteration, and nothing is pushed twice for one tree.
    expect(forge.asked.filter((one) => one.endsWith('/git/commits') && one.startsWith('POST'))).toHaveLength(
      2,
    );
    expect((await run('show')).stdout).toContain('forge.test/acme/widget/pull/1');
  });
  it('stays red, and says so where people look', async () => {
    const { forge, run } = await stage(strict, ['wrong', 'worse', 'worst'], { limits: { iterations: 2 } });
    const ended = await run('run', '--json');
    expect([ended.exit, outcomeOf(ended)['code']]).toEqual([1, 'limit.iterations']);
    expect(forge.pulls).toMatchObject([{ draft: true, body: expect.stringContaining('**NOT converged**') }]);
  });
  it('needs a person, and waits for one without an iteration', async () => {
    const { forge, run } = await stage(() => ({ status: 'waiting' }), ['right'], {
      limits: { maxWait: '3s' },
    });
    const ended = await run('run', '--json');
    expect([ended.exit, outcomeOf(ended)], ended.stdout).toMatchObject([
      3,
      { status: 'suspended', code: 'awaiting-gate', iterations: 1 },
    ]);
    expect(forge.pulls).toMatchObject([{ draft: true, body: expect.stringContaining('A person is needed') }]);
  });
  it('pushes nothing that another hard gate refuses', async () => {
    const { forge, run } = await stage(strict, ['bad', 'right']);
    const refusing = ['--gate', 'there=! grep -q bad answer.txt'];
    expect((await run('run', ...refusing)).exit).toBe(0);
    expect(forge.asked.filter((one) => one.endsWith('/git/commits') && one.startsWith('POST'))).toHaveLength(
      1,
    );
  });
});

describe('a run that CI judges is not misled', () => {
  it('by an agent that does nothing, or commits its work itself', async () => {
    const { run, forge } = await stage(strict, ['nothing', 'right']);
    const committing = 'sh -c "echo right > answer.txt; git -c user.name=a -c user.email=a@b commit -qam x"';
    expect((await run('run', '--agent', committing)).exit).toBe(0);
    expect(forge.git('show', `${forge.pulls[0]!.head}:answer.txt`)).toBe('right');
    expect(forge.git('rev-list', '--count', `main..${forge.pulls[0]!.head}`)).toBe('1');
  });
  it('by a branch whose message only says that it is the work', async () => {
    const { place, run, forge } = await stage(strict, ['wrong'], { limits: { iterations: 1 } });
    const dir = forge.git('rev-parse', '--absolute-git-dir');
    // The agent pushes other work under the name of the run, and says that it is this tree.
    const agent = [
      'echo right > answer.txt; git add -A; tree=$(git write-tree); echo wrong > answer.txt; git add -A; judged=$(git write-tree); git reset -q',
      'msg=$(printf "x\\n\\nAgentGate-Run: $AGENTGATE_RUN_ID\\nAgentGate-Tree: $judged\\n")',
      'forged=$(git -c user.name=a -c user.email=a@b commit-tree $tree -p HEAD -m "$msg")',
      `git push -q ${dir} $forged:refs/heads/agentgate/$AGENTGATE_RUN_ID`,
    ].join('; ');
    place.write({ 'agent.sh': agent });
    const ended = await run('run', '--agent', 'sh agent.sh', '--json');
    expect([ended.exit, outcomeOf(ended)['status']], ended.stderr).toEqual([1, 'diverged']);
    expect(forge.git('show', `${forge.pulls[0]!.head}:answer.txt`)).toBe('wrong');
  });
  it('by a remote that the agent has written', async () => {
    const { place, run, forge } = await stage(strict, ['right'], {
      gates: { answer: 'grep -qx right answer.txt' },
      deliver: { as: 'pr', apiUrl: '' },
    });
    place.write({
      'agentgate.yaml': JSON.stringify({
        task: 'Write it.',
        agent: [
          'sh',
          '-c',
          'echo right > answer.txt; git remote set-url origin https://github.com/evil/fork',
        ],
        gates: { answer: 'grep -qx right answer.txt' },
        deliver: { as: 'pr', provider: 'github', apiUrl: forge.url },
      }),
    });
    execFileSync('git', ['remote', 'add', 'origin', 'https://github.com/acme/widget'], {
      cwd: place.workspace,
    });
    await run('run');
    expect(forge.asked.filter((one) => one.includes('evil'))).toEqual([]);
    expect(forge.pulls).toHaveLength(1);
  });
  it('and pushes nothing of work that was never let through', async () => {
    const { run, forge } = await stage(strict, ['bad', 'bad', 'bad'], { limits: { iterations: 2 } });
    expect((await run('run', '--gate', 'there=! grep -q bad answer.txt')).exit).toBe(1);
    expect([forge.pulls, forge.asked.filter((one) => one.startsWith('POST'))]).toEqual([[], []]);
  });
  it('and says before anything is spent that it has no token', async () => {
    const { place, run } = await stage(strict, ['right']);
    const { GITHUB_TOKEN: _, ...bare } = place.env;
    place.env = bare;
    const refused = await run('run');
    expect([refused.exit, refused.stderr]).toMatchObject([2, expect.stringContaining('needs a token')]);
  });
});

describe('agentgate deliver --as pr', () => {
  it('proposes what converged, and only once', async () => {
    const { forge, run } = await stage(strict, ['right'], { ...withoutCi, limits: { iterations: 1 } });
    expect((await run('run')).exit).toBe(0);
    expect(forge.pulls).toMatchObject([{ draft: false }]);
    const again = await run('deliver');
    expect([again.exit, again.stdout]).toMatchObject([0, expect.stringContaining('pull/1')]);
    expect(forge.pulls).toHaveLength(1);
  });
  it('asks for the repository where nothing tells it', async () => {
    const { forge, run } = await stage(strict, ['right'], { ...withoutCi, deliver: 'none' });
    await run('run');
    const unknown = await run('deliver', '--as', 'pr');
    expect([unknown.exit, unknown.stderr]).toMatchObject([
      2,
      expect.stringContaining('such as repository: owner/name'),
    ]);
    expect(forge.asked).toEqual([]);
  });
  it('proposes it as a draft where the gates did not confirm it, when told to', async () => {
    const { forge, run } = await stage(strict, ['wrong', 'worse'], {
      ...withoutCi,
      limits: { iterations: 1 },
    });
    expect((await run('run')).exit).toBe(1);
    expect((await run('deliver')).stderr).toContain('--force');
    const first = await run('deliver', '--force');
    expect([first.exit, first.stdout], first.stderr).toMatchObject([
      0,
      expect.stringContaining('as a draft'),
    ]);
    expect((await run('deliver', '--force')).exit).toBe(0);
    expect(forge.pulls).toMatchObject([{ draft: true }]);
  });
  it('says what to do when the forge does not know where it stands', async () => {
    const { place, run } = await stage(strict, ['right'], withoutCi);
    writeFileSync(join(place.workspace, 'more.txt'), 'more\n');
    execFileSync('sh', ['-c', 'git add -A && git -c user.name=Ann -c user.email=a@b commit -qm more'], {
      cwd: place.workspace,
      env: place.env,
    });
    const ended = await run('run');
    expect(ended.stdout + ended.stderr).toContain('push that first');
    place.env = { ...place.env, GITHUB_TOKEN: 'stolen' };
    expect((await run('deliver')).stderr).toContain('401');
  });
  it('leaves a branch alone that has work of somebody else', async () => {
    const { forge, run } = await stage(strict, ['right'], withoutCi);
    forge.git('update-ref', 'refs/heads/taken', 'main');
    await run('run');
    const told = await run('deliver', '--branch', 'taken');
    expect([told.exit, told.stderr]).toMatchObject([2, expect.stringContaining('work of somebody else')]);
    expect(forge.git('rev-parse', 'taken')).toBe(forge.git('rev-parse', 'main'));
  });
});
