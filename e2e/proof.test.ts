import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agentgate, type Ended, makePlace, outcomeOf, type Place } from './support/command.ts';

let place: Place;
let runId: string;
let log: string;
const base = (...path: string[]) => join(dirname(place.workspace), ...path);
const eventsOf = (path: string) =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { seq: number; kind: string; iteration?: number });
const seqOf = (kind: string, iteration: number): number =>
  eventsOf(log).find((one) => one.kind === kind && one.iteration === iteration)!.seq;
const linesOf = ({ stdout }: Ended) =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
/** Damages the line of an event. */
function damage(seq: number): void {
  const lines = readFileSync(log, 'utf8').split('\n');
  lines[seq - 1] = lines[seq - 1]!.replace('"at":"2', '"at":"3');
  writeFileSync(log, lines.join('\n'));
}

beforeEach(async () => {
  place = makePlace({ 'a.txt': '' });
  place.write({
    '../agent.sh':
      'echo "$AGENTGATE_ITERATION" >> "$(dirname "$0")/builds.txt"; echo working; echo x >> a.txt\n',
  });
  const flags = ['--json', '-p', 'x', '--max-iterations', '2', '--gate', 'test "$(wc -l < a.txt)" -ge 3'];
  const ended = await agentgate(place, 'run', ...flags, '--', 'sh', '../agent.sh');
  runId = String(outcomeOf(ended)['runId']);
  log = /Log: (.*)$/m.exec((await agentgate(place, 'show')).stdout)![1]!;
  rmSync(base('builds.txt'));
});
afterEach(() => place.remove());

describe('the receipt', () => {
  it('is shown as it was written, and made anew where there is none', async () => {
    const file = join(dirname(log), 'receipt.json');
    const written = readFileSync(file, 'utf8');
    expect((await agentgate(place, 'show', '--receipt')).stdout).toBe(written);
    rmSync(file);
    expect((await agentgate(place, 'show', '--receipt')).stdout).toBe(written);
    const json = outcomeOf(await agentgate(place, 'show', '--receipt', '--json'));
    expect(json).toEqual(JSON.parse(written));
    expect(json).toMatchObject({
      runId,
      status: 'diverged',
      code: 'limit.iterations',
      iterations: 2,
      parent: null,
    });
  });
  it('does not keep a run from ending where it cannot be written', async () => {
    const agent = `mkdir ${dirname(dirname(log))}/$AGENTGATE_RUN_ID/receipt.json; touch done\n`;
    writeFileSync(base('agent.sh'), agent);
    const ended = await agentgate(
      place,
      'run',
      '--json',
      '-p',
      'x',
      '--gate',
      'test -f done',
      '--',
      'sh',
      '../agent.sh',
    );
    expect([ended.exit, outcomeOf(ended)]).toMatchObject([0, { kind: 'run.ended', status: 'converged' }]);
    expect(ended.stderr).toMatch(/the receipt was not written: .*agentgate show \w+ --receipt makes it/);
  });
});

describe('verify', () => {
  it('proves a run, in lines and as JSON', async () => {
    const plain = await agentgate(place, 'verify', runId);
    expect([plain.exit, plain.stdout]).toMatchObject([0, expect.stringMatching(/\nProved\.\n$/)]);
    expect(plain.stdout).toMatch(/^ok {6}the log of run \w+ holds together: \d+ events/);
    const checks = linesOf(await agentgate(place, 'verify', '--json'));
    expect(checks.at(-1)).toEqual({ kind: 'verified', proved: true });
    expect(new Set(checks.slice(0, -1).map((one) => one['result']))).toEqual(new Set(['ok']));
  });
  it('finds a tree that is not complete', async () => {
    const objects = join(dirname(log), '../../git/objects');
    const folder = readdirSync(objects).find((name) => name.length === 2)!;
    for (const name of readdirSync(join(objects, folder))) rmSync(join(objects, folder, name));
    rmSync(join(objects, 'pack'), { recursive: true, force: true });
    const { tree } = JSON.parse(readFileSync(join(dirname(log), 'receipt.json'), 'utf8')) as { tree: string };
    const first = tree.slice(0, 2);
    rmSync(join(objects, first), { recursive: true, force: true });
    const verified = await agentgate(place, 'verify');
    expect([verified.exit, verified.stdout]).toMatchObject([
      1,
      expect.stringMatching(/broken {2}tree \w{12} of run \w+ is not complete: /),
    ]);
  });
  it('says what is neither a run nor a file of ours', async () => {
    writeFileSync(base('x.json'), '{}');
    const none = await agentgate(place, 'verify', 'nothing');
    expect([none.exit, none.stderr]).toMatchObject([2, expect.stringContaining('neither a run of')]);
    const other = await agentgate(place, 'verify', '../x.json');
    expect([other.exit, other.stderr]).toMatchObject([2, expect.stringContaining('neither a receipt nor')]);
  });
  it('proves the file of a receipt, from any directory whose state has the log', async () => {
    writeFileSync(base('r.json'), (await agentgate(place, 'show', '--receipt')).stdout);
    expect((await agentgate(place, 'verify', '../r.json')).exit).toBe(0);
    expect((await agentgate(place, 'verify', base('r.json'), '-C', base('home'))).exit).toBe(0);
    const away = makePlace();
    const told = await agentgate(away, 'verify', base('r.json'));
    expect([told.exit, told.stdout]).toMatchObject([
      1,
      expect.stringMatching(/^open {4}the receipt says diverged .*\nConsistent with itself, not proved\.\n$/),
    ]);
    expect(outcomeOf(await agentgate(away, 'verify', base('r.json'), '--json'))).toMatchObject({
      proved: false,
    });
    away.remove();
    writeFileSync(base('r.json'), readFileSync(base('r.json'), 'utf8').replace('diverged', 'converged'));
    expect((await agentgate(place, 'verify', '../r.json')).exit).toBe(1);
  });
});

describe('export', () => {
  it('proves a run with its parent and trees on a machine that never saw it', async () => {
    const granted = await agentgate(place, 'resume', '--json', '--add-iterations', '1');
    expect(outcomeOf(granted)).toMatchObject({ status: 'converged' });
    const told = await agentgate(place, 'export', '--trees', '-o', '../run.jsonl', '--json');
    expect(outcomeOf(told)).toMatchObject({ kind: 'exported', trees: true, runs: [{ runId }, {}] });
    const elsewhere = makePlace();
    const verified = await agentgate(elsewhere, 'verify', base('run.jsonl'), '--json');
    expect([verified.exit, verified.stderr]).toEqual([0, '']);
    const about = linesOf(verified).map((one) => `${one['about']} ${one['result']}`);
    expect(about).toEqual(expect.arrayContaining(['file ok', 'parent ok', 'tree ok', 'receipt ok']));
    expect(about.join()).not.toMatch(/note|broken/);
    elsewhere.remove();
  });
  it('writes to standard output the same as to a file, but for its date', async () => {
    await agentgate(place, 'export', '-o', '../run.jsonl');
    const piped = await agentgate(place, 'export');
    const parts = (text: string) => text.split('\n').slice(1, -2);
    expect(parts(piped.stdout)).toEqual(parts(readFileSync(base('run.jsonl'), 'utf8')));
  });
});

describe('a damaged log', () => {
  it('is refused with both ways out, and each of them works', async () => {
    const seq = seqOf('agent.started', 2);
    damage(seq + 1);
    const refused = await agentgate(place, 'resume', '--add-iterations', '1');
    expect(refused.exit).toBe(4);
    expect(refused.stderr).toContain(`the last good event is ${seq} (agent.started`);
    expect(refused.stderr).toContain(`agentgate export ${runId} saves what is good`);
    expect(refused.stderr).toContain(`agentgate resume ${runId} --from-event ${seq} goes on from there`);

    const told = await agentgate(place, 'export', '-o', '../run.jsonl');
    expect([told.exit, told.stderr]).toMatchObject([
      0,
      expect.stringContaining('exported as far as it is good'),
    ]);
    expect(told.stdout).toContain('agentgate verify ../run.jsonl tells what of it is good.');
    const verified = await agentgate(place, 'verify', '../run.jsonl');
    expect([verified.exit, verified.stdout]).toMatchObject([
      1,
      expect.stringContaining('when it was exported'),
    ]);

    // What is good of it can still be looked at and brought back.
    const shown = await agentgate(place, 'show');
    expect([shown.exit, shown.stderr]).toMatchObject([0, expect.stringContaining('is damaged after event')]);
    const explained = await agentgate(place, 'explain');
    expect([explained.exit, explained.stdout]).toMatchObject([0, expect.stringContaining('Iteration 1')]);
    expect(explained.stdout).not.toMatch(/goes on with it|is going on/);
    const lay = readFileSync(join(place.workspace, 'a.txt'));
    const back = await agentgate(place, 'restore', '--to', '1');
    expect([back.exit, back.stdout]).toMatchObject([0, expect.stringContaining('The directory is now tree')]);
    writeFileSync(join(place.workspace, 'a.txt'), lay);

    const too = await agentgate(place, 'resume', '--from-event', String(seq + 1));
    expect([too.exit, too.stderr]).toMatchObject([4, expect.stringContaining(`--from-event ${seq}`)]);
    const forked = await agentgate(
      place,
      'resume',
      '--from-event',
      String(seq),
      '--add-iterations',
      '1',
      '--json',
    );
    // The agent of iteration 2 was at work: that iteration is used up, and one was granted.
    expect(outcomeOf(forked)).toMatchObject({ status: 'converged', iterations: 3 });
    expect(readFileSync(base('builds.txt'), 'utf8')).toBe('3\n');
    expect(linesOf(forked)[0]).toMatchObject({ kind: 'run.started', parent: { runId, seq } });
    const proof = await agentgate(place, 'verify');
    expect([proof.exit, proof.stdout]).toMatchObject([
      0,
      expect.stringMatching(/note .*damaged after event \d+/),
    ]);
  });
});

describe('going on from an event', () => {
  it('gives an iteration back whose agent had not begun', async () => {
    const seq = seqOf('agent.started', 2) - 1;
    const forked = await agentgate(place, 'resume', '--from-event', String(seq), '--json');
    expect(outcomeOf(forked)).toMatchObject({ status: 'converged', iterations: 2 });
    expect(readFileSync(base('builds.txt'), 'utf8')).toBe('2\n');
  });
  it('captures and judges anew what was built, without paying for it again', async () => {
    writeFileSync(join(place.workspace, 'a.txt'), 'x\nx\nx\n');
    const seq = seqOf('gate.judged', 2);
    const forked = await agentgate(place, 'resume', '--from-event', String(seq), '--json');
    expect(outcomeOf(forked)).toMatchObject({ status: 'converged', iterations: 2 });
    expect(() => readFileSync(base('builds.txt'))).toThrow(/ENOENT/);
  });
  it('measures the baseline anew from the first event', async () => {
    const forked = await agentgate(place, 'resume', '--from-event', '1', '--json');
    expect(outcomeOf(forked)).toMatchObject({ status: 'converged', iterations: 1 });
    expect(linesOf(forked).some((one) => one['kind'] === 'snapshot.taken' && one['iteration'] === 0)).toBe(
      true,
    );
  });
  it('may be done again on purpose, and leaves the run itself as it was, to go on from once', async () => {
    const seq = String(seqOf('agent.started', 1));
    const first = outcomeOf(await agentgate(place, 'resume', runId, '--from-event', seq, '--json'));
    const second = outcomeOf(await agentgate(place, 'resume', runId, '--from-event', seq, '--json'));
    expect(new Set([runId, first['runId'], second['runId']]).size).toBe(3);
    const plain = outcomeOf(await agentgate(place, 'resume', runId, '--json'));
    const again = await agentgate(place, 'resume', runId);
    expect([again.exit, again.stderr]).toMatchObject([
      2,
      expect.stringContaining(`went on as run ${plain['runId']}`),
    ]);
  });
  it('leaves the run to go on by itself also from its last event', async () => {
    const last = String(eventsOf(log).length);
    const forked = outcomeOf(await agentgate(place, 'resume', runId, '--from-event', last, '--json'));
    expect(forked['runId']).not.toBe(runId);
    const added = ['--add-iterations', '1', '--json'];
    expect(outcomeOf(await agentgate(place, 'resume', runId, ...added))).toMatchObject({ iterations: 3 });
  });
  it('refuses an event that is not there, and what is no number', async () => {
    const none = await agentgate(place, 'resume', '--from-event', '999');
    expect([none.exit, none.stderr]).toMatchObject([
      2,
      expect.stringMatching(/has no event 999; give a number from 1 to/),
    ]);
    expect((await agentgate(place, 'resume', '--from-event', '0')).exit).toBe(2);
  });
});
