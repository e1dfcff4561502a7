import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { agentgate, type Ended, makePlace, outcomeOf, type Place, said, start } from './support/command.ts';

let place: Place;
afterEach(() => place.remove());

const eventsOf = ({ stdout }: Ended) =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { kind: string } & Record<string, unknown>);
const spec = (text: string) => `task: go\nagent: { run: [sh, ../agent.sh] }\n${text}\n`;
/** Passes once work.txt has the word good. */
const good = 'tests: grep -q good work.txt';

function prepare(agent: string, text: string): Place {
  place = makePlace({ 'work.txt': 'bad\n', 'agentgate.yaml': spec(text) });
  place.write({ '../agent.sh': `n=$AGENTGATE_ITERATION\n${agent}\n` });
  return place;
}

describe('a gate that waits for a person', () => {
  const gates = `gates: { ${good}, review: { kind: approval, message: "Ship it?" } }`;
  it('is rejected, the agent is told why, and the next tree is approved', async () => {
    prepare('cp "$AGENTGATE_FEEDBACK_FILE" ../told-$n; echo "good $n" > work.txt', gates);
    const { ended } = start(place, ['run', '--json']);
    const rejected = await whenWaiting(() =>
      agentgate(place, 'reject', '--note', 'too short', '--as', 'ann'),
    );
    expect(rejected.stdout).toContain('review of run');
    await appears(join(place.workspace, '../told-2'));
    const approved = await whenWaiting(() => agentgate(place, 'approve', 'review', '--as', 'ann'));
    expect(approved.exit).toBe(0);
    expect(outcomeOf(await ended)).toMatchObject({ status: 'converged', iterations: 2 });
    expect(readFileSync(join(place.workspace, '../told-2'), 'utf8')).toContain('too short');
  });
  it('suspends the run when nobody comes, and goes on when it is resumed', async () => {
    prepare('echo good > work.txt', `${gates}\nlimits: { maxWait: 2s }`);
    const first = await agentgate(place, 'run', '--json');
    expect(first.exit).toBe(3);
    expect(outcomeOf(first)).toMatchObject({ status: 'suspended', code: 'awaiting-approval' });
    const shown = (await agentgate(place, 'show')).stdout;
    expect(shown.match(/agentgate approve/g)).toHaveLength(2);
    expect(shown).not.toContain('Still failing');
    expect(shown.replaceAll(/\s+/g, ' ')).toMatch(
      /Next: agentgate approve review --run (\w+), or agentgate reject review --run \1 --note why; then agentgate resume \1 goes on from here\./,
    );
    // An answer that comes later is kept for whoever goes on.
    const late = await agentgate(place, 'approve', 'review');
    expect([late.exit, late.stdout]).toMatchObject([0, expect.stringContaining('agentgate resume')]);
    const resumed = await agentgate(place, 'resume', '--json');
    expect(outcomeOf(resumed)).toMatchObject({ status: 'converged', iterations: 1 });
  });
  it.each([
    ['approve', 'converged', /nobody answered in time, and its default is approve/],
    ['reject', 'diverged', /review/],
  ])('takes its default when nobody answers in time: %s', async (silence, status, told) => {
    const review = `{ kind: approval, timeout: 1s, default: ${silence}, onFailure: stop }`;
    prepare('echo good > work.txt', `gates: { ${good}, review: ${review} }`);
    const outcome = outcomeOf(await agentgate(place, 'run', '--json'));
    expect(outcome).toMatchObject({ status, iterations: 1 });
    expect(JSON.stringify(outcome)).toMatch(told);
  });
  it('is asked after a judge agreed', async () => {
    const judge = '{ kind: judge, run: sh ../judge.sh, rubric: Plain words., confirm: person }';
    prepare('echo good > work.txt', `gates: { ${good}, style: ${judge} }`);
    place.write({ '../judge.sh': 'cat > ../question.json; echo \'{"passed": true, "notes": "plain"}\'' });
    const { ended } = start(place, ['run', '--json']);
    const approved = await whenWaiting(() => agentgate(place, 'approve', '--as', 'ann'));
    expect(approved.stdout).toContain('style of run');
    expect(outcomeOf(await ended)).toMatchObject({ status: 'converged', iterations: 1 });
    const question = JSON.parse(readFileSync(join(place.workspace, '../question.json'), 'utf8')) as {
      task: string;
      change: { files: unknown; diff: string };
    };
    expect(question).toMatchObject({
      task: 'go',
      change: { files: [{ path: 'work.txt', status: 'modified' }] },
    });
    expect(question.change.diff).toContain('-bad\n+good');
  });
});

describe('redirect', () => {
  it('ends the build that is under way, keeps the counts, and goes on with the new words', async () => {
    const agent = [
      'cat > ../prompt-$n',
      'if grep -q "spell it good" ../prompt-$n; then echo good > work.txt; exit 0; fi',
      'touch ../works; exec sleep 300',
    ].join('\n');
    prepare(agent, `gates: { ${good} }`);
    const { child, ended } = start(place, ['run', '--json']);
    await said(child, '"agent.started"');
    await appears(join(place.workspace, '../works'));
    const redirected = await agentgate(place, 'redirect', 'spell', 'it', 'good');
    expect(redirected.exit).toBe(0);
    const done = await ended;
    expect(outcomeOf(done)).toMatchObject({ status: 'converged', iterations: 2 });
    const builds = eventsOf(done).filter((one) => one.kind === 'agent.ended');
    expect(builds.map((one) => one['end'])).toEqual([
      { kind: 'aborted', by: 'redirect' },
      { kind: 'finished' },
    ]);
    expect(
      eventsOf(done)
        .filter((one) => one.kind === 'gate.judged')
        .map((one) => one['iteration']),
    ).toEqual([0, 2]);
  });
  it('suspends a run that nobody drives, which goes on with the new words', async () => {
    prepare(
      'cat > ../prompt-$n; grep -q "new words" ../prompt-$n && echo good > work.txt && exit 0; touch ../works; exec sleep 300',
      `gates: { ${good} }`,
    );
    const { child, ended } = start(place, ['run', '--json']);
    await appears(join(place.workspace, '../works'));
    child.kill('SIGKILL');
    await ended;
    const redirected = await agentgate(place, 'redirect', 'new', 'words');
    expect(redirected.stdout).toContain('suspended');
    const shown = await agentgate(place, 'list', '--json');
    expect(shown.stdout).toContain('suspended');
    const resumed = await agentgate(place, 'resume', '--json');
    expect(outcomeOf(resumed)).toMatchObject({ status: 'converged', iterations: 2 });
  });
  it('is part of resuming an ended run, and says so when it is asked of one', async () => {
    prepare(
      'cat > ../prompt-$n; ! grep -q "new words" ../prompt-$n || echo good > work.txt',
      `gates: { ${good} }`,
    );
    expect((await agentgate(place, 'run', '--json')).exit).toBe(1);
    const late = await agentgate(place, 'redirect', 'new', 'words');
    expect(late.exit).toBe(2);
    expect(late.stderr).toContain('--redirect');
    const resumed = await agentgate(place, 'resume', '--json', '--redirect', 'new words');
    expect(outcomeOf(resumed)).toMatchObject({ status: 'converged' });
  });
});

describe('the strategy manual', () => {
  it('goes on, changes direction and accepts as a person answers', async () => {
    prepare('cat > ../prompt-$n; echo "try $n" > work.txt', `gates: { ${good} }\nstrategy: manual`);
    const { child, ended } = start(place, ['run', '--json']);
    await said(child, '"kind":"ask"');
    expect((await whenAsked(() => agentgate(place, 'answer', 'continue'))).exit).toBe(0);
    await appears(join(place.workspace, '../prompt-2'));
    await whenAsked(() => agentgate(place, 'answer', 'redirect', 'use', 'another', 'word'));
    await appears(join(place.workspace, '../prompt-3'));
    await whenAsked(() => agentgate(place, 'answer', 'accept'));
    const done = await ended;
    expect(outcomeOf(done)).toMatchObject({ status: 'partial', code: 'accept.partial', iterations: 3 });
    expect(done.exit).toBe(1);
    expect(readFileSync(join(place.workspace, '../prompt-3'), 'utf8')).toContain('use another word');
  });
  it('takes the default when nobody answers in time', async () => {
    prepare('echo "try $n" > work.txt', `gates: { ${good} }\nstrategy: { kind: manual, timeout: 1s }`);
    const done = await agentgate(place, 'run', '--json');
    expect(outcomeOf(done)).toMatchObject({ status: 'stopped', code: 'user.no-answer', iterations: 1 });
    expect(done.exit).toBe(3);
  });
  it('refuses an answer that is none, and one that nobody asked for', async () => {
    prepare('echo good > work.txt', `gates: { ${good} }\nstrategy: manual`);
    await agentgate(place, 'run', '--json');
    expect((await agentgate(place, 'answer', 'perhaps')).stderr).toContain('is no answer');
    expect((await agentgate(place, 'answer', 'stop')).stderr).toContain('asks nobody');
  });
});

/** Says it again until the run is where it can be heard. */
async function whenWaiting(say: () => Promise<Ended>): Promise<Ended> {
  for (;;) {
    const ended = await say();
    if (!/waits? for an answer|nobody drives|no runs? of/.test(ended.stderr)) return ended;
  }
}
const whenAsked = async (say: () => Promise<Ended>): Promise<Ended> => {
  for (;;) {
    const ended = await say();
    if (!ended.stderr.includes('asks nobody')) return ended;
  }
};

async function appears(path: string): Promise<void> {
  while (!existsSync(path)) await new Promise((done) => setImmediate(done));
  writeFileSync(`${path}.seen`, '');
}
