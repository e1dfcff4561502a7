import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { agentgate, makePlace, outcomeOf, type Place, said, start } from './support/command.ts';
import { until } from './support/processes.ts';

/** The log of the only run of a place. */
async function logOf(place: Place): Promise<string> {
  const shown = await agentgate(place, 'show');
  return /Log: (.*)$/m.exec(shown.stdout)![1]!;
}

/** Starts a run, waits until its agent or gate has left the file `killed` beside the workspace, and kills the controller. */
async function killedOnMark(place: Place, ...args: string[]): Promise<void> {
  const { child, ended } = start(place, ['run', '--json', '-p', 'x', ...args, '--', 'sh', '../agent.sh']);
  while (!existsSync(join(place.workspace, '..', 'killed'))) await new Promise((done) => setImmediate(done));
  child.kill('SIGKILL');
  await ended;
}

it.each(['off', 'guarded'])(
  'goes on from every prefix of its log: nothing recorded is done again, and the limit is exact (integrity %s)',
  async (integrity) => {
    const limit = 4;
    const place = makePlace();
    place.write({
      '../agent.sh':
        'echo "$AGENTGATE_ITERATION" >> "$(dirname "$0")/builds.txt"; echo "line $AGENTGATE_ITERATION" >> draft.txt\n',
      'gate.sh':
        'echo judged >> "$(dirname "$PWD")/judged.txt"; echo "FAIL: a $(wc -l < draft.txt)"; echo "FAIL: b"; exit 1\n',
      'draft.txt': '',
    });
    const flags = ['--max-iterations', String(limit), '--gate', 'sh gate.sh', '--json', '-p', 'x'];
    flags.push('--integrity', integrity);
    const whole = await agentgate(place, 'run', ...flags, '--', 'sh', '../agent.sh');
    expect(outcomeOf(whole)).toMatchObject({ code: 'limit.iterations', iterations: limit });
    const log = await logOf(place);
    const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
    const base = dirname(place.workspace);
    // A run that was cut short has none.
    const receipt = join(dirname(log), 'receipt.json');

    for (let size = 1; size < lines.length; size++) {
      const prefix = lines
        .slice(0, size)
        .map((line) => JSON.parse(line) as { kind: string; iteration?: number });
      writeFileSync(log, `${lines.slice(0, size).join('\n')}\n`);
      rmSync(receipt);
      // Its signs of life would tell that there was more.
      rmSync(join(dirname(log), 'alive'), { force: true });
      const built = prefix.filter((event) => event.kind === 'agent.ended').length;
      writeFileSync(
        join(place.workspace, 'draft.txt'),
        Array.from({ length: built }, (_, n) => `line ${n + 1}\n`).join(''),
      );
      rmSync(join(base, 'builds.txt'), { force: true });
      rmSync(join(base, 'judged.txt'), { force: true });
      const resumed = await agentgate(place, 'resume', '--json');
      const at = `after event ${size} (${prefix.at(-1)!.kind})`;
      expect([resumed.exit, resumed.stderr], at).toEqual([1, '']);
      expect(outcomeOf(resumed), at).toMatchObject({
        status: 'diverged',
        code: 'limit.iterations',
        iterations: limit,
      });
      const count = (name: string) =>
        existsSync(join(base, name))
          ? readFileSync(join(base, name), 'utf8').trimEnd().split('\n').length
          : 0;
      const started = prefix.filter((event) => event.kind === 'agent.started').length;
      expect(count('builds.txt'), `builds ${at}`).toBe(limit - started);
      // A gate in its room leaves no trace outside of it.
      if (integrity !== 'off') continue;
      const judged = prefix.filter((event) => event.kind === 'gate.judged').length;
      expect(count('judged.txt'), `judgements ${at}`).toBe(limit + 1 - judged);
    }
    place.remove();
  },
);

it('links a run that goes on from an ended one: counts stay, only the grant is added', async () => {
  const place = makePlace({ 'a.txt': '' });
  place.write({ '../agent.sh': 'echo "$AGENTGATE_ITERATION" >> a.txt\n' });
  const gate = ['--gate', 'test "$(wc -l < a.txt)" -ge 4'];
  const first = await agentgate(
    place,
    'run',
    '--json',
    '-p',
    'x',
    ...gate,
    '--max-iterations',
    '2',
    '--',
    'sh',
    '../agent.sh',
  );
  expect(outcomeOf(first)).toMatchObject({ code: 'limit.iterations', iterations: 2 });
  const bare = await agentgate(place, 'resume', '--json');
  expect([bare.exit, outcomeOf(bare)]).toMatchObject([1, { code: 'limit.iterations', iterations: 2 }]);
  const granted = await agentgate(place, 'resume', '--json', '--add-iterations', '2');
  expect([granted.exit, outcomeOf(granted)]).toMatchObject([0, { code: 'goal.met', iterations: 4 }]);
  const done = await agentgate(place, 'resume');
  expect([done.exit, done.stderr]).toMatchObject([2, expect.stringContaining('has converged already')]);
  // Who names the first of them is led to the end, and not to a run that cannot be resumed either.
  const [parent, last] = [first, granted].map((one) => String(outcomeOf(one)['runId']));
  const far = await agentgate(place, 'resume', parent!);
  expect([far.exit, far.stderr]).toMatchObject([
    2,
    expect.stringContaining(`run ${parent} went on as run ${last}, which has converged`),
  ]);
  place.remove();
});

it('has all of the best tree again where it was killed on its way back to it', async () => {
  const place = makePlace({ count: '0\n' });
  place.write({
    '../agent.sh': 'for n in $(seq 300); do echo $AGENTGATE_ITERATION > f$n; done; cp f1 count\n',
    'gate.sh': 'for n in $(seq 0 $(cat count)); do echo "FAIL: t$n"; done; exit 1\n',
  });
  const set = ['--max-iterations', '4', '--integrity', 'off', '--set', 'stuck={moves: [revert]}'];
  const args = ['run', '--json', '-p', 'x', ...set, '--gate', 'sh gate.sh', '--', 'sh', '../agent.sh'];
  const { child, ended } = start(place, args);
  await said(child, '"kind":"make-move"');
  // The tree from before has none of what the agent made.
  await until(() => readdirSync(place.workspace).length < 302);
  child.kill('SIGKILL');
  await ended;
  expect(outcomeOf(await agentgate(place, 'resume', '--json'))).toMatchObject({ iterations: 4 });
  const shown = await agentgate(place, 'show', '--json');
  const events = shown.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const moves = events.flatMap(({ decision }) => (decision?.kind === 'make-move' ? [decision.tree] : []));
  const made = events.flatMap(({ kind, tree }) => (kind === 'move.made' ? [tree] : []));
  expect(events.map(({ kind }) => kind)).toContain('run.resumed');
  expect([moves.length, made]).toEqual([1, moves]);
  place.remove();
});

it('stops on Ctrl-C, prints how to go on, and goes on', async () => {
  const place = makePlace();
  place.write({
    '../agent.sh':
      'n=$AGENTGATE_ITERATION; echo "$n" >> a.txt; [ "$n" -gt 1 ] || { echo ready > ../ready; sleep 600; }\n',
  });
  const { child, ended } = start(place, [
    'run',
    '-p',
    'x',
    '--gate',
    'grep -q 2 a.txt',
    '--',
    'sh',
    '../agent.sh',
  ]);
  await said(child, 'before the agent began');
  while (!existsSync(join(place.workspace, '..', 'ready'))) await new Promise((done) => setImmediate(done));
  child.kill('SIGINT');
  const stopped = await ended;
  expect(stopped.exit).toBe(130);
  expect(stopped.stdout).toMatch(/Next: agentgate resume \w+ goes on from here/);
  const resumed = await agentgate(place, 'resume', '--json');
  expect(outcomeOf(resumed)).toMatchObject({ status: 'converged', iterations: 2 });
  place.remove();
});

it('goes on once from an ended run, so that no grant is spent twice', async () => {
  const place = makePlace({ 'a.txt': '' });
  place.write({ '../agent.sh': 'echo x >> a.txt; echo \'{"costUsd": 1}\' > "$AGENTGATE_OUTCOME_FILE"\n' });
  const first = await agentgate(
    place,
    'run',
    '--json',
    '-p',
    'x',
    '--gate',
    'test -f never',
    '--max-cost',
    '2usd',
    '--',
    'sh',
    '../agent.sh',
  );
  const { runId } = outcomeOf(first) as { runId: string };
  const second = await agentgate(place, 'resume', runId, '--json', '--add-cost', '1usd');
  expect(outcomeOf(second)).toMatchObject({ code: 'limit.cost', iterations: 3, costUsd: 3 });
  const again = await agentgate(place, 'resume', runId, '--add-cost', '1usd');
  expect([again.exit, again.stderr]).toMatchObject([
    2,
    expect.stringMatching(/went on as run \w{6}; resume that one/),
  ]);
  place.remove();
});

it('ends the gate that a killed controller left, counts its time, and forgets an old stop', async () => {
  const place = makePlace();
  place.write({
    '../agent.sh': 'echo x > a.txt\n',
    'gate.sh':
      'echo "start $$" >> ../gate.txt; [ -f a.txt ] && [ ! -f ../killed ] && { touch ../killed; sleep 600; echo "end $$" >> ../gate.txt; }\n[ -f a.txt ]\n',
  });
  await killedOnMark(place, '--gate', 'sh gate.sh', '--integrity', 'off');
  const stop = await agentgate(place, 'stop');
  expect([stop.exit, stop.stderr]).toMatchObject([2, expect.stringContaining('nobody drives run')]);
  const resumed = await agentgate(place, 'resume', '--json');
  expect([resumed.exit, outcomeOf(resumed)]).toMatchObject([0, { code: 'goal.met', iterations: 1 }]);
  expect(readFileSync(join(place.workspace, '..', 'gate.txt'), 'utf8').match(/^start/gm)).toHaveLength(3);
  expect(readFileSync(join(place.workspace, '..', 'gate.txt'), 'utf8')).not.toContain('end');
  place.remove();
});

it('does not charge the time in which nobody was there', async () => {
  const place = makePlace();
  place.write({ '../agent.sh': '[ -f ../killed ] || { touch ../killed; sleep 600; }; echo x > a.txt\n' });
  await killedOnMark(place, '--gate', 'test -f a.txt');
  // As if the machine had been off for a day: the last sign of life and the log lie that far back.
  const log = await logOf(place);
  const day = 86_400;
  const alive = join(dirname(log), 'alive');
  const beat = statSync(alive).mtimeMs / 1000;
  utimesSync(alive, beat - day, beat - day);
  const resumed = await agentgate(place, 'resume', '--json');
  expect(outcomeOf(resumed)).toMatchObject({ status: 'converged' });
  expect(outcomeOf(resumed)['activeMs']).toBeLessThan(60_000);
  place.remove();
});

it('is told to have been cut short as soon as its controller is gone, by every command that tells of it', async () => {
  const place = makePlace();
  place.write({ '../agent.sh': 'touch ../killed; sleep 60\n' });
  await killedOnMark(place, '--gate', 'false');
  for (const command of ['explain', 'show'])
    expect((await agentgate(place, command)).stdout).toMatch(
      /The run was cut short; agentgate resume \w+ goes on/,
    );
  await agentgate(place, 'stop');
  place.remove();
});

it('says of an agent whose controller was killed that its output was not recorded, and not that there was none', async () => {
  const place = makePlace();
  place.write({ '../agent.sh': 'echo working; touch done ../killed; sleep 60\n' });
  await killedOnMark(place, '--gate', 'test -e done');
  expect((await agentgate(place, 'resume')).exit).toBe(0);
  const shown = await agentgate(place, 'show', '--output', '1');
  expect([shown.exit, shown.stdout]).toEqual([0, '(its output was not recorded: it was cut short)\n']);
  place.remove();
});

it('is named by the next run, and by a resume that does not know which one is meant', {
  timeout: 120_000,
}, async () => {
  const place = makePlace({ '../agent.sh': 'touch ../killed; exec sleep 600\n' });
  try {
    await killedOnMark(place, '--gate', 'test -e done');
    const killed = /"runId":"(\w{6})"/.exec((await agentgate(place, 'list', '--json')).stdout)![1]!;
    const words = `agentgate: run ${killed} was cut short after 1 iteration, and this is a new one; agentgate resume ${killed} goes on with the other\n`;
    const next = await agentgate(
      place,
      'run',
      '-p',
      'x',
      '--gate',
      'test -e done',
      '--agent',
      'touch done',
      '--json',
    );
    expect([next.exit, next.stderr]).toEqual([0, words]);
    const after = await agentgate(place, 'run', '-p', 'x', '--gate', 'true', '--agent', 'true', '--json');
    expect(after.stderr).toBe('');
    const bare = await agentgate(place, 'resume');
    expect([bare.exit, bare.stderr]).toEqual([
      2,
      expect.stringContaining(`these can be gone on with: ${killed} (cut short); agentgate resume ${killed}`),
    ]);
  } finally {
    place.remove();
  }
});
