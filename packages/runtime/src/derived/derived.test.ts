import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Event, type EventBody, emptyState, evolve, parseSpec, type RunState } from '@agentgate/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorkspace } from '../workspace/index.ts';
import { derivedPaths, openDerived, writeDerived } from './derived.ts';

let home: string;
let root: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'agentgate-derived-')));
  root = join(home, 'work');
  mkdirSync(root);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));
const at = (path: string) => join(root, path);
const read = (name: string) => readFileSync(at(`.agent/${name}`), 'utf8');

const parsed = parseSpec({ task: 'mend it', agent: ['true'], gates: { tests: 'npm test' } });
if (parsed.kind === 'invalid') throw new Error('the spec of this test is wrong');
const spec = { ...parsed.spec, task: 'mend it' };

/** The events of a run of so many iterations that never gets green. */
function history(iterations: number): Event[] {
  const events: Event[] = [];
  const add = (body: EventBody) => {
    const seq = events.length + 1;
    events.push({ v: 1, seq, at: new Date(seq * 1000).toISOString(), ...body });
  };
  const because = {
    code: 'x',
    reason: 'y',
    confidence: 1,
    evidence: {},
    action: 'continue' as const,
    also: [],
  };
  const judged = (iteration: number) => {
    const tree = `${iteration}`.padStart(40, '0');
    const changed = { added: 0, modified: 1, deleted: 0, paths: [] };
    const rest = { work: tree, substance: tree, changed, leftOut: [], nested: [], tookMs: 1 };
    add({ kind: 'snapshot.taken', iteration, tree, ...rest });
    const verdict = { kind: 'failed' as const, findings: [{ id: `f${iteration}`, title: 't' }], excerpt: '' };
    add({
      kind: 'gate.judged',
      iteration,
      attempt: 1,
      gate: 'tests',
      tree,
      verdict,
      tookMs: 1,
      output: null,
    });
  };
  add({
    kind: 'run.started',
    runId: 'r1',
    version: '0',
    root,
    nonce: 'n',
    spec,
    specHash: '',
    source: 'test',
  });
  add({ kind: 'decided', decision: { kind: 'measure-baseline', because } });
  judged(0);
  for (let iteration = 1; iteration <= iterations; iteration++) {
    add({ kind: 'decided', decision: { kind: 'start-iteration', iteration, because } });
    const build = { tookMs: 5, output: null, outputBytes: 0, similar: [] };
    add({ kind: 'agent.ended', iteration, end: { kind: 'finished' }, ...build });
    judged(iteration);
  }
  return events;
}

/** Feeds events to the writer the way the driver does. */
function feed(events: readonly Event[], warn?: (text: string) => void, stateDir = '.agent'): RunState {
  const derived = openDerived({ root, stateDir, ...(warn ? { warn } : {}) });
  let state = emptyState();
  for (const event of events) {
    state = evolve(state, event);
    derived.take(event, state);
  }
  return state;
}

describe('the derived files', () => {
  it('are written after every decision, whole and without leftovers', () => {
    feed(history(3));
    expect(readdirSync(at('.agent')).sort()).toEqual(['loop-state.json', 'metrics.json', 'report.md']);
    expect(JSON.parse(read('loop-state.json'))).toMatchObject({ iteration: 3 });
    const metrics = JSON.parse(read('metrics.json'));
    expect(metrics.iterations.map((one: { iteration: number }) => one.iteration)).toEqual([0, 1, 2]);
    expect(JSON.parse(read('loop-state.json')).loopDetection.contentHashes[0]).toMatch(/^[0-9a-f]{16}$/);
    expect(read('report.md')).toContain('# AgentGate: not ended');
  });
  it('are the same when a run goes on in another process', () => {
    const events = history(4);
    feed(events);
    const before = [read('loop-state.json'), read('metrics.json'), read('report.md')];
    rmSync(at('.agent'), { recursive: true });
    const cut = events.findLastIndex((one) => one.kind === 'decided') - 3;
    const derived = openDerived({ root, stateDir: '.agent', history: events.slice(0, cut) });
    let state = emptyState();
    for (const [index, event] of events.entries()) {
      state = evolve(state, event);
      if (index >= cut - 1) derived.take(event, state);
    }
    expect([read('loop-state.json'), read('metrics.json'), read('report.md')]).toEqual(before);
    expect(writeDerived({ root, stateDir: '.agent', events })).toBeNull();
    expect(JSON.parse(read('metrics.json'))).toEqual(
      JSON.parse(
        before[1]!
          .replace(/"updatedAt": "[^"]+"/, `"updatedAt": "${events.at(-1)!.at}"`)
          .replace(/"activeMs": \d+/, `"activeMs": ${state.activeMs}`),
      ),
    );
  });
  it('come back after they were deleted or damaged', () => {
    const events = history(2);
    feed(events);
    const good = read('metrics.json');
    writeFileSync(at('.agent/metrics.json'), '{');
    rmSync(at('.agent/report.md'));
    feed(events);
    expect(read('metrics.json')).toBe(good);
    expect(existsSync(at('.agent/report.md'))).toBe(true);
  });
  it('never take the place of a file that is not ours', () => {
    mkdirSync(at('.agent'));
    writeFileSync(at('.agent/report.md'), 'MY OWN REPORT');
    const warnings: string[] = [];
    feed(history(1), (text) => warnings.push(text));
    expect(read('report.md')).toBe('MY OWN REPORT');
    expect(readdirSync(at('.agent'))).toEqual(['report.md']);
    expect(warnings.join()).toContain('is not ours');
  });
  it('do not cost more for each iteration of a long run', () => {
    const events = history(600);
    const half = Math.floor(events.length / 2);
    const derived = openDerived({ root, stateDir: '.agent' });
    let state = emptyState();
    const times: number[] = [];
    let from = performance.now();
    for (const [index, event] of events.entries()) {
      state = evolve(state, event);
      derived.take(event, state);
      if (index !== half && index !== events.length - 1) continue;
      times.push(performance.now() - from);
      from = performance.now();
    }
    // The first half fills the window of kept rows, so the second may cost a little more, not several times as much.
    expect(times[1]!).toBeLessThan(3 * times[0]! + 500);
    expect(JSON.parse(read('metrics.json')).iterations).toHaveLength(100);
    expect(JSON.parse(read('metrics.json')).omitted).toBe(500);
  });
});

describe('a write that cannot be done', () => {
  const warned = (stateDir: string): string[] => {
    const warnings: string[] = [];
    feed(history(3), (text) => warnings.push(text), stateDir);
    return warnings;
  };
  it('is told once, in one line, and ends nothing', () => {
    writeFileSync(at('.agent'), 'a file');
    const warnings = warned('.agent');
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(
      /^cannot write the derived files to stateDir "\.agent": .* is no folder; name .*$/,
    );
    expect(readFileSync(at('.agent'), 'utf8')).toBe('a file');
  });
  it('never follows a link out of the workspace', () => {
    mkdirSync(join(home, 'outside'));
    symlinkSync(join(home, 'outside'), at('.agent'));
    mkdirSync(at('deep'));
    symlinkSync(join(home, 'nowhere'), at('deep/link'));
    for (const stateDir of ['.agent', '.agent/sub', 'deep/link', '../outside', join(home, 'outside')])
      expect(warned(stateDir), stateDir).toEqual([
        expect.stringMatching(/leads out of the workspace|lies outside/),
      ]);
    expect(readdirSync(join(home, 'outside'))).toEqual([]);
    expect(existsSync(join(home, 'nowhere'))).toBe(false);
  });
  it('replaces a link in the place of a file instead of writing through it', () => {
    mkdirSync(at('.agent'));
    writeFileSync(join(home, 'secret'), 'kept');
    for (const name of ['report.md', 'report.md.new', 'metrics.json.new'])
      symlinkSync(join(home, 'secret'), at(`.agent/${name}`));
    expect(warned('.agent')).toEqual([]);
    expect(readFileSync(join(home, 'secret'), 'utf8')).toBe('kept');
    expect(lstatSync(at('.agent/report.md')).isFile()).toBe(true);
  });
  it('stays out of a git directory, and may follow a link that stays inside', () => {
    mkdirSync(at('.git/x'), { recursive: true });
    symlinkSync('.git/x', at('sly'));
    expect(warned('.git/x')[0]).toContain('git directory');
    expect(warned('sly')[0]).toContain('leads out');
    expect(readdirSync(at('.git/x'))).toEqual([]);
    mkdirSync(at('real'));
    symlinkSync('real', at('fine'));
    expect(warned('fine')).toEqual([]);
    expect(existsSync(at('real/report.md'))).toBe(true);
  });
});

it('is no work of an agent: snapshots neither hold nor name the files', async () => {
  writeFileSync(at('work.txt'), 'one');
  const ours = derivedPaths(root, '.agent');
  const ws = await openWorkspace({ root, gitDir: join(home, 'git'), outside: ours });
  const before = await ws.snapshot({ ref: 'a' });
  feed(history(2));
  writeFileSync(at('.agent/mine.txt'), 'of the user');
  const after = await ws.snapshot({ ref: 'b', baseTree: before.tree });
  expect(await ws.changedPaths(before.tree, after.tree)).toEqual([
    { path: '.agent/mine.txt', status: 'added' },
  ]);
  expect(after.leftOut).toEqual([]);
  await ws.restore(before.tree, 'safety');
  expect(readdirSync(at('.agent')).sort()).toEqual(['loop-state.json', 'metrics.json', 'report.md']);
  await ws.close();
});
