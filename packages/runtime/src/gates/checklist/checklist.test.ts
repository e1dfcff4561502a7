import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Approval, GateRequest, Verdict } from '@agentgate/core';
import { gateFrom, idsOf, judgeGate, runOf } from '../testing.ts';

let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'agentgate-checklist-')));
  await files({ 'README.md': 'x', 'dist/a.js': 'x' });
});
afterEach(() => rm(root, { recursive: true }));

async function files(contents: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(contents)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

const judge = async (
  items: unknown[],
  request: Partial<GateRequest> = {},
  options: object = {},
): Promise<Verdict> =>
  (await judgeGate(gateFrom({ kind: 'checklist', items, ...options }, 'done'), root, request)).verdict;
const idsFor = async (...items: unknown[]) => idsOf(await judge(items));

describe('one item', () => {
  test.each<[object, string]>([
    [{ command: 'true' }, '(passed)'],
    [{ command: 'exit 2' }, 'checklist:command:exit 2'],
    [{ command: 'kill -9 $$' }, 'checklist:command:kill -9 $$'],
    [{ command: 'sleep 60', timeout: '200ms' }, 'checklist:command:sleep 60'],
    [{ command: 'no-such-program' }, '(unable)'],
    [{ command: ['no-such-program'] }, '(unable)'],
    [{ not_command: 'exit 2' }, '(passed)'],
    [{ not_command: ['grep', '-q', 'TODO', 'README.md'] }, '(passed)'],
    [{ not_command: 'true' }, 'checklist:not-command:true'],
    [{ not_command: 'no-such-program' }, '(unable)'],
    [{ not_command: ['no-such-program'] }, '(unable)'],
    [{ not_command: 'kill -9 $$' }, 'checklist:not-command:kill -9 $$'],
    [{ not_command: 'sleep 60', timeout: '200ms' }, 'checklist:not-command:sleep 60'],
    [{ file: 'README.md' }, '(passed)'],
    [{ file: 'dist/*.js' }, '(passed)'],
    [{ file: 'LICENSE' }, 'checklist:file:LICENSE'],
    [{ file: '../x' }, '(unable)'],
    [{ not_file: '**/*.orig' }, '(passed)'],
    [{ not_file: 'dist/*.js' }, 'checklist:not-file:dist/*.js'],
    [{ type: 'command', value: 'true' }, '(passed)'],
    [{ type: 'file', value: 'LICENSE', name: 'licence' }, 'checklist:licence'],
  ])('%j is %s', async (item, expected) => expect(await idsFor(item)).toEqual([expected]));

  test('says what is wrong by its name', async () => {
    expect(
      await judge([{ command: 'echo broken; exit 2', name: 'builds' }, { file: 'LICENSE' }]),
    ).toMatchObject({
      kind: 'failed',
      findings: [
        { id: 'checklist:builds', title: 'builds: exited with 2', message: 'broken' },
        { id: 'checklist:file:LICENSE', title: 'LICENSE does not exist', file: 'LICENSE' },
      ],
      excerpt: expect.stringContaining('builds: exited with 2'),
    });
  });

  test('a missing program says which item it is about', async () => {
    expect(await judge([{ not_command: 'no-such-program --x', name: 'clean' }])).toMatchObject({
      fault: {
        message:
          'no-such-program is not installed, so nobody knows about "clean"; install it, or correct the command',
      },
    });
  });
});

describe('groups', () => {
  const yes = { file: 'README.md' };
  const no = { file: 'nothing' };
  const unable = { command: 'no-such-program' };
  const person = { assertion: 'it is nice' };

  test.each<[unknown[], string[]]>([
    [[yes, yes], ['(passed)']],
    [
      [yes, no, { not_file: 'README.md' }],
      ['checklist:file:nothing', 'checklist:not-file:README.md'],
    ],
    [[{ any_of: [no, yes] }], ['(passed)']],
    [[{ any_of: [yes, unable] }], ['(passed)']],
    [[{ any_of: [unable, yes] }], ['(passed)']],
    [[{ any_of: [no, unable] }], ['(unable)']],
    [[{ any_of: [no, no] }], ['checklist:any-of:nothing; nothing']],
    [[{ any_of: [no, { all_of: [yes, no] }], name: 'either' }], ['checklist:either']],
    [[{ all_of: [yes, { any_of: [no, { group: [yes, yes] }] }] }], ['(passed)']],
    [[no, unable], ['(unable)']],
    [[person], ['(pending)']],
    [[person, no], ['checklist:file:nothing']],
    [[person, unable], ['(unable)']],
    [[{ any_of: [person, yes] }], ['(passed)']],
    [[{ any_of: [person, no] }], ['(pending)']],
  ])('%j is %j', async (items, ids) => expect(await idsFor(...items)).toEqual(ids));

  test('stop looking when one of any holds', async () => {
    await idsFor({ any_of: [{ file: 'README.md' }, { command: 'touch ran' }] });
    expect(await idsFor({ not_file: 'ran' })).toEqual(['(passed)']);
  });

  test('tell why none of any holds', async () => {
    expect(await judge([{ any_of: [{ file: 'a' }, { command: 'exit 3' }] }])).toMatchObject({
      findings: [
        { title: 'none of these holds: a; exit 3', message: 'a does not exist\nexit 3: exited with 3' },
      ],
    });
  });
});

describe('an assertion', () => {
  const items = [{ assertion: 'it is nice' }, { all_of: [{ assertion: 'it is fast', name: 'speed' }] }];
  const answer = (gate: string, approved = true, note?: string): Approval => ({
    gate,
    tree: 'tree',
    by: 'ann',
    approved,
    ...(note === undefined ? {} : { note }),
  });
  const after = (...approvals: Approval[]) => judge(items, { run: runOf({ approvals }) });

  test('waits for a person and says how to answer', async () => {
    expect(await after()).toEqual({
      kind: 'pending',
      retryAfterMs: 60_000,
      note: 'is it so? it is nice (agentgate approve "done/1", or reject); is it so? it is fast (agentgate approve "done/2.1", or reject)',
    });
  });

  test('is confirmed by its place, by its name, or with the whole gate', async () => {
    expect((await after(answer('done/1'))).kind).toBe('pending');
    expect((await after(answer('done/1'), answer('done/2.1'))).kind).toBe('passed');
    expect((await after(answer('done/1'), answer('done/speed'))).kind).toBe('passed');
    expect((await after(answer('done'))).kind).toBe('passed');
    expect((await after(answer('other'))).kind).toBe('pending');
  });

  test('that is denied has failed with the reason', async () => {
    expect(await after(answer('done/1'), answer('done/speed', false, 'it crawls'))).toMatchObject({
      kind: 'failed',
      findings: [{ id: 'checklist:speed', title: 'speed: ann said no', message: 'it crawls' }],
    });
  });

  test('outside of a run waits, whatever was said', async () => {
    const run = runOf({ tree: '', approvals: [answer('done')] });
    expect((await judge(items, { run })).kind).toBe('pending');
  });
});

describe('a judged quality', () => {
  const criteria = [{ name: 'clear', weight: 3 }, 'short'];
  const says = (text: string) => ({ quality: { criteria, run: `echo '${text}'` }, name: 'prose' });
  const soft = { severity: 'soft' };

  test.each<[string, string]>([
    ['{"scores": {"clear": 4, "short": 4}}', '(passed)'],
    ['{"scores": {"clear": 5, "short": 1}}', '(passed)'],
    ['{"scores": {"clear": 4, "short": 3}}', 'checklist:prose'],
    ['{"scores": {"clear": 5, "short": 5, "more": 1}}', '(passed)'],
    ['{"scores": {"clear": 5}}', '(unable)'],
    ['{"scores": {"clear": 9, "short": 9}}', '(unable)'],
    ['{"scores": {"clear": "5", "short": 5}}', '(unable)'],
    ['{"passed": true}', '(unable)'],
    ['very good', '(unable)'],
    ['', '(unable)'],
  ])('with the answer %s is %s', async (text, expected) => {
    expect(idsOf(await judge([says(text)], {}, soft))).toEqual([expected]);
  });

  test('tells the scores', async () => {
    expect(await judge([says('{"scores": {"clear": 4, "short": 3}}')], {}, soft)).toMatchObject({
      findings: [{ title: 'prose: judged 3.75 of 5, 4 are asked for', message: 'clear 4, short 3' }],
    });
  });

  test('gives the judge the rubric and takes the last line of what it says', async () => {
    const run = `cat > rubric.json; echo thinking; echo '{"scores": {"clear": 5, "short": 5}}'`;
    const quality = { criteria, run, threshold: 4.5, scope: 'docs/**' };
    expect((await judge([{ quality }], {}, soft)).kind).toBe('passed');
    expect(JSON.parse(await readFile(join(root, 'rubric.json'), 'utf8'))).toMatchObject({
      gate: 'done',
      criteria: [
        { name: 'clear', weight: 3 },
        { name: 'short', weight: 1 },
      ],
      threshold: 4.5,
      scope: ['docs/**'],
    });
  });

  test('whose judge fails or hangs is unable', async () => {
    const bad = (run: string) => judge([{ quality: { criteria, run, timeout: '300ms' } }], {}, soft);
    for (const run of ['exit 1', 'sleep 60', 'no-such-judge']) {
      expect(await bad(run)).toMatchObject({ kind: 'unable', fault: { code: 'gate.judge' } });
    }
  });

  test('that a person must confirm waits for one, after the judge', async () => {
    const item = (score: number) => ({
      quality: { criteria: ['clear'], confirmed: true, run: `echo '{"scores": {"clear": ${score}}}'` },
    });
    expect((await judge([item(5)])).kind).toBe('pending');
    expect(idsOf(await judge([item(1)]))).toEqual(['checklist:quality:clear']);
    const approvals = [{ gate: 'done/1', tree: 'tree', by: 'ann', approved: true }];
    expect((await judge([item(5)], { run: runOf({ approvals }) })).kind).toBe('passed');
    expect((await judge([{ quality: { criteria: ['clear'], confirmed: true } }])).kind).toBe('pending');
  });
});

test('the time of the gate bounds all items', async () => {
  const items = [{ command: 'sleep 60' }, { command: 'touch ran' }];
  expect(await judge(items, { timeoutMs: 300 })).toMatchObject({ kind: 'timed-out', afterMs: 300 });
  expect(await idsFor({ not_file: 'ran' })).toEqual(['(passed)']);
});

test('is skipped when the run is stopped', async () => {
  const controller = new AbortController();
  const onOutput = () => controller.abort();
  const verdict = await judge([{ command: 'echo begun; sleep 60' }], { signal: controller.signal, onOutput });
  expect(verdict).toEqual({ kind: 'skipped', why: 'the run was stopped' });
});
