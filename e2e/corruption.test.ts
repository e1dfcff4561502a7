import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FaultError } from '@agentgate/core';
import {
  type Check,
  findHome,
  goOnWith,
  openRunStore,
  proveRun,
  sourceOf,
  type WorkspaceHome,
} from '@agentgate/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentgate, makePlace, outcomeOf, type Place } from './support/command.ts';
import { chanceOf, harms } from './support/corrupt.ts';

const seeds = Number(process.env['CORRUPTIONS'] ?? 200);
let place: Place;
let home: WorkspaceHome;
/** A run that ended at a limit, and the one that went on from it and ended there, too. */
let runs: { parent: string; child: string };

beforeAll(async () => {
  place = makePlace({ 'a.txt': '' });
  place.write({
    '../agent.sh':
      'echo "iteration $AGENTGATE_ITERATION"; echo "of work"; echo "line $AGENTGATE_ITERATION" >> a.txt\n',
    'gate.sh': 'echo "FAIL: line $(wc -l < a.txt)"; echo "FAIL: too few lines"; exit 1\n',
  });
  const flags = ['--json', '--max-iterations', '2', '--gate', 'sh gate.sh', '-p', 'Write.'];
  const first = await agentgate(place, 'run', ...flags, '--', 'sh', '../agent.sh');
  const second = await agentgate(place, 'resume', '--json', '--add-iterations', '1');
  expect(outcomeOf(second)).toMatchObject({ status: 'diverged', iterations: 3 });
  runs = { parent: String(outcomeOf(first)['runId']), child: String(outcomeOf(second)['runId']) };
  home = findHome(place.workspace, place.env);
});
afterAll(() => place.remove());

async function broken(): Promise<Check[]> {
  const found: Check[] = [];
  for await (const check of proveRun(runs.child, sourceOf(home), '0.1.0'))
    if (check.result === 'broken') found.push(check);
  return found;
}

/** Every file that stands for something: both logs, both receipts, all texts. */
function filesOf(kind: 'log' | 'receipt' | 'text'): { path: string; runId: string; name: string }[] {
  return Object.values(runs).flatMap((runId) => {
    const dir = join(home.runs, runId);
    const names =
      kind === 'text'
        ? readdirSync(join(dir, 'blobs')).map((name) => `blobs/${name}`)
        : [kind === 'log' ? 'log.jsonl' : 'receipt.json'];
    return names.map((name) => ({ path: join(dir, name), runId, name: name.replace('blobs/', '') }));
  });
}

/** What is done to which file for a seed; another way where one would leave the file as it is. */
function harmOf(seed: number) {
  const chance = chanceOf(seed);
  for (;;) {
    const kind = (['log', 'log', 'receipt', 'text'] as const)[chance(4)]!;
    const files = filesOf(kind);
    const file = files[chance(files.length)]!;
    const names = Object.keys(harms);
    const harm = names[chance(names.length)]!;
    const before = readFileSync(file.path);
    const after = harms[harm]!(before, chance);
    if (!after.equals(before)) return { ...file, kind, harm, before, after };
  }
}

/** Whether the checks name the file that came to harm. */
function isNamed(checks: readonly Check[], { kind, runId, name }: ReturnType<typeof harmOf>): boolean {
  const word = { log: `run ${runId}`, receipt: `receipt of run ${runId}`, text: name.slice(0, 12) }[kind];
  return checks.some((one) => one.text.includes(word));
}

/** How a resume takes it: refused, or gone on from everything that was recorded; never begun again. */
async function resumed(): Promise<string> {
  const store = openRunStore(home.runs);
  const before = store.list();
  try {
    const threshold = { store, root: home.root, version: '0.1.0', pid: 1, nonce: () => 'n' };
    const { events, state } = await goOnWith(
      { ...threshold, endLeftovers: async () => undefined },
      runs.child,
      { added: {}, said: {}, shut: async () => ({ shutIn: { agent: 'none', gates: 'none' } }) },
    );
    const first = events[0];
    const seq = first?.kind === 'run.started' ? first.parent?.seq : 0;
    return `went on from event ${seq}, iteration ${state.iteration}`;
  } catch (error) {
    if (!(error instanceof FaultError)) throw error;
    return error.fault.code;
  } finally {
    store.close();
    for (const run of store.list().filter((one) => !before.includes(one)))
      rmSync(join(home.runs, run), { recursive: true });
  }
}

it('proves the run as it is', async () => {
  expect(await broken()).toEqual([]);
  expect(await resumed()).toMatch(/^went on from event \d+, iteration 3$/);
});

it(`finds and names each of ${seeds} corruptions, and starts nothing over`, async () => {
  const kinds = new Set<string>();
  const whole = await resumed();
  for (let seed = 1; seed <= seeds; seed++) {
    const harm = harmOf(seed);
    const what = `seed ${seed}: ${harm.harm} in ${harm.name} of run ${harm.runId}`;
    writeFileSync(harm.path, harm.after);
    const checks = await broken();
    expect(checks.length, what).toBeGreaterThan(0);
    expect(isNamed(checks, harm), `${what}, told as ${checks.map((one) => one.text).join('; ')}`).toBe(true);
    if (harm.kind === 'log') {
      const how = await resumed();
      expect(how === whole || how === 'log.damaged', `${what} is resumed: ${how}`).toBe(true);
      if (how === 'log.damaged')
        expect(readFileSync(harm.path).equals(harm.after), `${what}: the log was changed`).toBe(true);
    }
    writeFileSync(harm.path, harm.before);
    kinds.add(`${harm.kind}: ${harm.harm}`);
  }
  expect(kinds.size).toBe(3 * Object.keys(harms).length);
  expect(await broken()).toEqual([]);
});

describe('the command', () => {
  it('finds a log cut exactly behind every event, and refuses to go on with it', async () => {
    const path = join(home.runs, runs.child, 'log.jsonl');
    const whole = readFileSync(path, 'utf8');
    const lines = whole.trimEnd().split('\n');
    for (let size = 0; size < lines.length; size++) {
      writeFileSync(
        path,
        lines
          .slice(0, size)
          .map((line) => `${line}\n`)
          .join(''),
      );
      expect([size, (await broken()).length > 0]).toEqual([size, true]);
      expect([size, await resumed()]).toEqual([size, 'log.damaged']);
    }
    writeFileSync(
      path,
      lines
        .slice(0, 9)
        .map((line) => `${line}\n`)
        .join(''),
    );
    const verified = await agentgate(place, 'verify');
    expect([verified.exit, verified.stdout]).toMatchObject([
      1,
      expect.stringMatching(/broken .*9 good events/),
    ]);
    const refused = await agentgate(place, 'resume');
    expect([refused.exit, refused.stderr]).toMatchObject([4, expect.stringMatching(/has lost its end/)]);
    expect(refused.stderr).toContain(`agentgate resume ${runs.child} --from-event 9`);
    writeFileSync(path, whole);
    expect((await agentgate(place, 'verify')).exit).toBe(0);
  });
});
