import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentgate, type Ended, makePlace, outcomeOf, type Place, start } from './support/command.ts';
import { until } from './support/processes.ts';

/** Done in the iteration that the task names; a task that names none is never done. */
const agent = `n=$(cat ../task)
echo "$AGENTGATE_ITERATION zebra-word" >> work.txt
if [ "$n" = "$AGENTGATE_ITERATION" ]; then echo done >> work.txt; fi
echo "worked on it, try $AGENTGATE_ITERATION"
`;
const gate = ['--gate', 'zebra-gate=grep -q done work.txt || { echo "error: zebra-failure"; false; }'];
const quick = ['--integrity', 'off', '--sandbox', 'none', '--stuck', 'off'];

function makeZebra(): Place {
  return makePlace({ '../agent.sh': agent, '../task': '0' });
}
const runAt = async (place: Place, solvedAt: number, ...more: string[]): Promise<Ended> => {
  writeFileSync(join(place.workspace, '../task'), String(solvedAt));
  rmSync(join(place.workspace, 'work.txt'), { force: true });
  const task = `zebra-task ${solvedAt} ${Math.random()}`;
  return agentgate(place, 'run', '--json', '-p', task, ...gate, ...quick, ...more, '--', 'sh', '../agent.sh');
};
const jsonOf = ({ stdout }: Ended): Record<string, unknown>[] =>
  stdout
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
const eventOf = (ended: Ended, kind: string) => jsonOf(ended).find((one) => one['kind'] === kind);
const codesOf = (ended: Ended) =>
  jsonOf(ended).flatMap((one) => {
    const decision = one['decision'] as { kind: string; because: { code: string } } | undefined;
    return decision ? [`${decision.kind} ${decision.because.code}`] : [];
  });

function learnedDirOf(place: Place): string {
  const homes = join(place.state, 'agentgate/workspaces');
  return join(homes, readdirSync(homes)[0]!, 'learned');
}
const modelsIn = (place: Place): string[] =>
  existsSync(learnedDirOf(place))
    ? readdirSync(learnedDirOf(place)).filter((name) => name.endsWith('.json'))
    : [];

/** The only model, as soon as whoever learns has put it there. */
async function modelOf(place: Place): Promise<string> {
  await until(() => modelsIn(place).length > 0);
  return readFileSync(join(learnedDirOf(place), modelsIn(place)[0]!), 'utf8');
}

describe('adaptive at first', () => {
  let place: Place;
  beforeAll(() => {
    place = makeZebra();
  });
  afterAll(() => place.remove());

  it('decides as hybrid does and says so, and learns in the background of the finished run', async () => {
    const cautious = await runAt(place, 0, '--strategy', 'adaptive', '--max-iterations', '6');
    const plain = await runAt(place, 0, '--strategy', 'hybrid', '--max-iterations', '6');
    expect(codesOf(cautious)).toEqual(codesOf(plain));
    expect(eventOf(cautious, 'run.started')?.['learned']).toEqual({
      version: null,
      model: null,
      why: 'nothing was learned from runs of this project yet',
      explores: false,
    });
    expect(cautious.stdout).toContain('hybrid decides for adaptive: nothing was learned from runs');
    const model = JSON.parse(await modelOf(place));
    expect(model).toMatchObject({
      seen: { runs: 1, solved: 0 },
      laws: { repair: { kind: 'hybrid', lacking: 10 } },
    });
    const next = await runAt(place, 1, '--strategy', 'adaptive');
    expect(eventOf(next, 'run.started')?.['learned']).toMatchObject({ model, explores: expect.any(Boolean) });
    const { stdout } = await agentgate(place, 'lab', 'compare', '--strategies', 'hybrid,adaptive');
    expect(stdout).toMatch(/^adaptive is hybrid until 10 more runs are solved after the first iteration/m);
    expect(stdout).not.toContain('hybrid is hybrid');
  });
});

it('is not held up by a model that cannot be read', async () => {
  const place = makeZebra();
  await runAt(place, 1, '--strategy', 'hybrid');
  mkdirSync(learnedDirOf(place));
  writeFileSync(join(learnedDirOf(place), 'retention-0.99-0.05.json'), '{"v":1}');
  const run = await runAt(place, 2, '--strategy', 'adaptive');
  expect(eventOf(run, 'run.started')?.['learned']).toMatchObject({
    model: null,
    why: expect.stringMatching(/agentgate lab fit learns anew/),
  });
  expect(outcomeOf(run)).toMatchObject({ status: 'converged', iterations: 2 });
  place.remove();
});

describe('adaptive with enough runs behind it', () => {
  let place: Place;
  const past: Ended[] = [];
  beforeAll(async () => {
    place = makeZebra();
    // Whatever is solved here is solved in the second iteration; all else is in vain.
    for (const solvedAt of [2, 2, 0, 2, 2, 2, 0, 2, 2, 2, 0, 2, 2, 2, 1, 2])
      past.push(await runAt(place, solvedAt, '--strategy', 'fixed,iterations=5'));
  }, 600_000);
  afterAll(() => place.remove());

  it('learns when to stop, stops there, and says by what', async () => {
    const fit = await agentgate(place, 'lab', 'fit', '--strategy', 'adaptive,explore=0');
    expect([fit.exit, fit.stdout]).toMatchObject([
      0,
      expect.stringMatching(/^Learned from 16 runs of 16 tasks, 13 solved, 12/),
    ]);
    expect(fit.stdout).toContain('a promise of 99 % needs 99 solves; 13 are recorded');
    const run = await runAt(place, 0, '--strategy', 'adaptive,explore=0');
    expect(outcomeOf(run)).toMatchObject({ status: 'diverged', code: 'strategy.learned', iterations: 2 });
    const learned = eventOf(run, 'run.started')?.['learned'] as { version: string };
    const ending = jsonOf(run).findLast((one) => one['kind'] === 'decided') as { decision: object };
    expect(ending.decision).toMatchObject({
      because: {
        evidence: {
          chance: expect.any(Number),
          price: expect.any(Number),
          model: learned.version,
          reasons: [expect.any(String), expect.any(String)],
        },
      },
    });
    expect(outcomeOf(await runAt(place, 2, '--strategy', 'adaptive,explore=0'))).toMatchObject({
      code: 'goal.met',
    });
  });
  it('decides the same from the log for ever, whatever is learned or lost later', async () => {
    const run = await runAt(place, 0, '--strategy', 'adaptive,explore=0');
    const runId = String(outcomeOf(run)['runId']);
    for (const name of modelsIn(place)) writeFileSync(join(learnedDirOf(place), name), '{"v":1}');
    const replayed = await agentgate(place, 'replay', runId);
    expect([replayed.exit, replayed.stdout]).toMatchObject([
      0,
      expect.stringMatching(/each as it was recorded/),
    ]);
    expect((await agentgate(place, 'verify', runId)).exit).toBe(0);
  });
  it('goes on a little in a run that explores, and the log says so', async () => {
    expect((await agentgate(place, 'lab', 'fit', '--strategy', 'adaptive,explore=0.5')).exit).toBe(0);
    const seen = new Set<unknown>();
    for (let times = 0; times < 12 && seen.size < 2; times++) {
      const run = await runAt(place, 0, '--strategy', 'adaptive,explore=0.5', '--max-iterations', '4');
      const { explores } = eventOf(run, 'run.started')!['learned'] as { explores: boolean };
      seen.add(explores);
      expect(codesOf(run).includes('start-iteration continue.explore')).toBe(explores);
      expect(outcomeOf(run)['iterations']).toBe(explores ? 4 : 2);
    }
    expect(seen.size).toBe(2);
  });
  it('loses nothing when learning is killed: the model is the old one or the new one, and nobody waits', async () => {
    await agentgate(place, 'lab', 'fit', '--strategy', 'adaptive');
    const before = modelsIn(place);
    for (let at = 0; at < 6; at++) {
      const { child, ended } = start(place, ['lab', 'fit', '--background', '--strategy', 'adaptive']);
      const timer = setTimeout(() => child.kill('SIGKILL'), 100 + at * 120);
      await ended;
      clearTimeout(timer);
      for (const name of modelsIn(place))
        expect(JSON.parse(readFileSync(join(learnedDirOf(place), name), 'utf8'))).toHaveProperty('laws');
    }
    // Runs of before may have learned something in the background as well.
    expect(modelsIn(place)).toEqual(expect.arrayContaining(before));
    expect((await agentgate(place, 'lab', 'fit')).exit).toBe(0);
  });

  it('says at the end of the next run that learning took too long, until it is done', async () => {
    const mark = join(learnedDirOf(place), 'unfinished');
    writeFileSync(mark, '');
    const run = await runAt(place, 1, '--strategy', 'adaptive,explore=0');
    expect(run.stderr).toMatch(/learning from the runs here took more than a minute.*agentgate lab fit/);
    // Whoever is quicker, that run's own process or this one, takes the mark away when it is done.
    await agentgate(place, 'lab', 'fit');
    await until(() => !existsSync(mark));
    const next = await runAt(place, 1, '--strategy', 'adaptive,explore=0');
    expect(next.stderr).not.toContain('took more than a minute');
  });

  it('hands out traces with nothing of the user in them, which the lab reads', async () => {
    const { stdout, exit } = await agentgate(place, 'lab', 'export');
    expect(exit).toBe(0);
    const traces = jsonOf({ stdout } as Ended);
    expect(traces.length).toBeGreaterThanOrEqual(past.length);
    expect(stdout).not.toMatch(/zebra|work\.txt|agent\.sh|grep|\/tmp|done/i);
    const strings = (value: unknown): string[] =>
      typeof value === 'string'
        ? [value]
        : value && typeof value === 'object'
          ? Object.values(value).flatMap(strings)
          : [];
    for (const text of strings(traces))
      expect(text).toMatch(
        /^([0-9a-f]{16}|repair|horizon|policy|other|build|command-1|command-[0-9a-f]{16})$/,
      );
    await agentgate(place, 'lab', 'export', '-o', '../out.jsonl.gz');
    const file = gunzipSync(readFileSync(join(place.workspace, '../out.jsonl.gz'))).toString();
    expect(file).toBe(stdout);
  });
  it('is asked about a recorded run with what the other tasks taught', async () => {
    const { runId } = outcomeOf(past[2]!);
    const { stdout, exit } = await agentgate(place, 'replay', String(runId), '--strategy', 'adaptive');
    expect(exit).toBe(0);
    expect(stdout).toMatch(/adaptive is asked with what other tasks taught: stops after 2 iterations/);
    expect(stdout).toMatch(
      /^adaptive would have stopped after 2 iterations \(strategy\.learned\) and saved 3/m,
    );
  });
  it('is asked with a model of its own for each of its aims', async () => {
    const { runId } = outcomeOf(past[2]!);
    const names = ['--strategy', 'adaptive,target=0.5,adaptive'];
    const { stdout, exit } = await agentgate(place, 'replay', String(runId), ...names);
    expect(exit).toBe(0);
    const told = [
      ...stdout.matchAll(/^(adaptive\S*) is asked with what other tasks taught: .*\(model (\w+) of/gm),
    ];
    expect(told.map(([, name]) => name)).toEqual(['adaptive,target=0.5', 'adaptive']);
    expect(told[0]![2]).not.toBe(told[1]![2]);
  });
  it('is compared with other strategies over the history, the same every time', async () => {
    const names = ['--strategies', 'fixed-1,fixed-2,fixed,iterations=9,hybrid,adaptive'];
    const { stdout, exit } = await agentgate(place, 'lab', 'compare', '--json', ...names);
    expect(exit).toBe(0);
    const [{ rows }] = jsonOf({ stdout } as Ended) as [{ rows: Record<string, unknown>[] }];
    const row = (name: string) => rows.find((one) => one['name'] === name);
    expect(row('fixed-2')).toMatchObject({ retained: { value: 1, low: 1, high: 1 }, lost: [] });
    const [one] = [row('fixed-1')] as { retained: { value: number; low: number; high: number } }[];
    expect(one!.retained.value).toBeLessThan(0.5);
    expect(one!.retained.low).toBeLessThan(one!.retained.high);
    expect(row('fixed,iterations=9')).toMatchObject({ saved: { iterations: { value: 0 } } });
    expect(row('adaptive')).toMatchObject({ kept: expect.any(Number) });
    expect((await agentgate(place, 'lab', 'compare', '--json', ...names)).stdout).toBe(stdout);
    const table = await agentgate(place, 'lab', 'compare', ...names);
    expect(table.stdout).toMatch(/^fixed-2 +\d+ of \d+ \(100–100 %\) +\d+ % \(/m);
  });
  it('is reported as a page with pictures', async () => {
    const { exit, stderr } = await agentgate(place, 'lab', 'report', '-o', '../report');
    expect([exit, stderr]).toMatchObject([0, expect.stringContaining('report.md')]);
    const files = readdirSync(join(place.workspace, '../report'));
    expect(files).toEqual(expect.arrayContaining(['learning.svg', 'report.md', 'savings.svg']));
    const page = readFileSync(join(place.workspace, '../report/report.md'), 'utf8');
    for (const [, picture] of page.matchAll(/\]\((.*?)\)/g)) expect(files).toContain(picture);
    const { stdout } = await agentgate(place, 'lab', 'report');
    expect(stdout).toMatch(/^\| adaptive \| \d+ of \d+ /m);
  });
});

it('the lab says so where there is nothing to learn from', async () => {
  const place = makeZebra();
  for (const command of ['compare', 'fit', 'report']) {
    const { exit, stderr } = await agentgate(place, 'lab', command);
    expect([command, exit, stderr]).toMatchObject([command, 2, expect.stringMatching(/no runs? /)]);
  }
  expect((await agentgate(place, 'lab', 'fit', '--strategy', 'hybrid')).stderr).toMatch(
    /only adaptive learns/,
  );
  place.remove();
});
