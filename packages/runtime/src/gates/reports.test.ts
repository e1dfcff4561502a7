import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Judgement, TestCase } from '@agentgate/core';
import { gateFrom, idsOf, judgeGate } from './testing.ts';

let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'agentgate-reports-')));
});
afterEach(() => rm(root, { recursive: true }));

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

/** Judges a command that prints a file of the project and ends with a code. */
async function judgeText(text: string, code: number, options: object = {}): Promise<Judgement> {
  await write('printed', text);
  return judgeGate(gateFrom({ run: `cat printed; exit ${code}`, ...options }), root);
}

const vitest = (status: string, over: object = {}) =>
  JSON.stringify({
    numTotalTestSuites: 1,
    numTotalTests: 1,
    numPassedTests: status === 'passed' ? 1 : 0,
    numFailedTests: status === 'failed' ? 1 : 0,
    success: status !== 'failed',
    testResults: [
      {
        name: join(root, 'a.test.ts'),
        status: status === 'failed' ? 'failed' : 'passed',
        assertionResults: [
          {
            ancestorTitles: ['add'],
            title: 'adds',
            status,
            failureMessages: status === 'failed' ? [`Error: no\n    at ${root}/a.test.ts:3:1`] : [],
          },
        ],
      },
    ],
    ...over,
  });

describe('JSON on standard output is found by itself', () => {
  test('passes with its counts and its inventory', async () => {
    const judged = await judgeText(vitest('passed'), 0);
    expect(judged.verdict).toEqual({ kind: 'passed', tests: { passed: 1, failed: 0, skipped: 0 } });
    expect(judged.cases).toEqual([
      { id: 'test:a.test.ts > add > adds', status: 'passed', file: 'a.test.ts' },
    ]);
    expect(judged.cases?.map((one) => TestCase.parse(one))).toEqual(judged.cases);
  });

  test('fails with the ids of its inventory, whatever the exit code', async () => {
    for (const code of [0, 1]) {
      const judged = await judgeText(vitest('failed'), code);
      expect(idsOf(judged.verdict)).toEqual(['test:a.test.ts > add > adds']);
      expect(judged.cases).toMatchObject([{ id: 'test:a.test.ts > add > adds', status: 'failed' }]);
    }
  });

  test('tells people what was found, and not the JSON', async () => {
    const { verdict } = await judgeText(vitest('failed'), 1);
    expect(verdict).toMatchObject({ excerpt: 'add > adds (a.test.ts:3)\n  Error: no\nat a.test.ts:3' });
  });

  test.each<[string, () => string, string]>([
    ['only skipped tests', () => vitest('skipped'), 'report:empty'],
    ['no tests', () => vitest('x', { numTotalTests: 0, testResults: [] }), 'report:empty'],
    ['a status that nobody knows', () => vitest('great'), 'report:incomplete'],
    ['counts that do not fit', () => vitest('passed', { numTotalTests: 2 }), 'report:incomplete'],
    ['an end in the middle', () => vitest('passed').slice(0, -20), 'report:incomplete'],
  ])('%s are no pass', async (_name, text, id) => {
    expect(idsOf((await judgeText(text(), 0)).verdict)).toEqual([id]);
  });

  test('an unexpected exit code is no pass with a green report', async () => {
    expect(idsOf((await judgeText(vitest('passed'), 3)).verdict)).toEqual(['exit:3']);
  });

  test('events that we had to cut are no evidence', async () => {
    const event = `console.log(JSON.stringify({Action:'output',Package:'p',Output:'x'.repeat(900)}))`;
    await write(
      'long.js',
      `for (let n = 0; n < 6000; n++) ${event}; console.log(JSON.stringify({Action:'pass',Package:'p',Test:'T'})); console.log(JSON.stringify({Action:'pass',Package:'p'}));`,
    );
    const { verdict } = await judgeGate(gateFrom({ run: 'node long.js' }), root);
    expect(verdict).toMatchObject({ kind: 'unable', fault: { code: 'gate.output' } });
  });
});

describe('a linter', () => {
  const eslint = (severity: 1 | 2) =>
    JSON.stringify([
      {
        filePath: join(root, 'a.js'),
        errorCount: severity - 1,
        messages: [{ ruleId: 'no-undef', severity, message: "'x' is not defined.", line: 1, column: 3 }],
      },
    ]);

  test('that only warns passes, unless its exit code says otherwise', async () => {
    expect((await judgeText(eslint(1), 0)).verdict).toEqual({ kind: 'passed' });
    expect(idsOf((await judgeText(eslint(1), 1)).verdict)).toEqual([
      expect.stringMatching(/^lint:no-undef:a\.js:/),
    ]);
  });

  test('that finds nothing passes when it is told what to read', async () => {
    expect((await judgeText('[]', 0, { report: 'ruff' })).verdict).toEqual({ kind: 'passed' });
    expect((await judgeText('', 0, { report: 'tsc' })).verdict).toEqual({ kind: 'passed' });
    expect(idsOf((await judgeText('[]', 0, { report: 'eslint' })).verdict)).toEqual(['report:incomplete']);
    expect(idsOf((await judgeText('', 0, { report: 'ruff' })).verdict)).toEqual(['report:missing']);
  });

  test('that finds something has failed although its exit code was forgotten', async () => {
    const words = "a.ts(1,1): error TS2304: Cannot find name 'x'.\n";
    expect(idsOf((await judgeText(words, 0, { report: 'tsc' })).verdict)).toEqual(['type:TS2304:a.ts:x']);
    expect((await judgeText(words, 0)).verdict.kind).toBe('passed');
  });

  test('has ids that survive lines put before', async () => {
    const ids = async (line: number) =>
      idsOf((await judgeText(eslint(2).replace('"line":1', `"line":${line}`), 1)).verdict);
    await write('a.js', 'f(x);\nf(x, 1);\n');
    const before = await ids(1);
    await write('a.js', '\n\nf(x);\nf(x, 1);\n');
    expect(await ids(3)).toEqual(before);
    expect(await ids(4)).not.toEqual(before);
  });
});

describe('a report in a file', () => {
  test.each<[string, object]>([
    ['by its format', { format: 'vitest', path: 'out/r.json' }],
    ['by itself', { path: 'out/r.json' }],
  ])('is read %s', async (_name, report) => {
    await mkdir(join(root, 'out'));
    const judged = await judgeText(vitest('passed'), 0, { run: 'cp printed out/r.json', report });
    expect(judged.verdict).toMatchObject({ kind: 'passed', tests: { passed: 1 } });
    expect(judged.cases).toHaveLength(1);
  });

  test.each<[string, string, string]>([
    ['that this run did not write', 'true', 'report:stale'],
    ['in no known format', 'echo hello > r.json', 'report:missing'],
    ['that is empty', ': > r.json', 'report:missing'],
    ['that is gone', 'rm r.json', 'report:missing'],
  ])('%s is no pass', async (_name, run, id) => {
    await write('r.json', vitest('passed'));
    const judged = await judgeGate(gateFrom({ run, report: { path: 'r.json' } }), root);
    expect(idsOf(judged.verdict)).toEqual([id]);
    expect(judged.cases).toBeUndefined();
  });
});

describe('a pattern of the user', () => {
  const pattern = '^(?<file>\\S+):(?<line>\\d+): (?<rule>\\w+): (?<message>.*)$';
  const report = { pattern };

  test('names what failed, on both outputs and also with exit code 0', async () => {
    const run = 'echo "a.c:1: E1: no"; echo "b.c:2: E2: neither" >&2; echo all done';
    const { verdict } = await judgeGate(gateFrom({ run, report }), root);
    expect(verdict).toMatchObject({
      findings: [
        { id: expect.stringMatching(/^lint:E1:a\.c:/), file: 'a.c', line: 1, message: 'E1: no' },
        { id: expect.stringMatching(/^lint:E2:b\.c:/) },
      ],
    });
  });

  test('passes when no line fits and the exit code is the expected one', async () => {
    expect((await judgeText('all done\n', 0, { report })).verdict).toEqual({ kind: 'passed' });
    expect(idsOf((await judgeText('all done\n', 1, { report })).verdict)).toEqual(['exit:1']);
  });

  test('may name tests and levels', async () => {
    const tests = { pattern: '^FAILED (?<test>.+) in (?<file>\\S+)$' };
    expect(idsOf((await judgeText('FAILED adds in a.x\n', 1, { report: tests })).verdict)).toEqual([
      'test:a.x > adds',
    ]);
    const levels = { pattern: '^(?<level>\\w+): (?<message>.+)$' };
    expect((await judgeText('warning: old\n', 0, { report: levels })).verdict.kind).toBe('passed');
    expect((await judgeText('error: old\n', 0, { report: levels })).verdict.kind).toBe('failed');
  });

  test('is read from a file', async () => {
    const judged = await judgeText('a.c:1: E1: no\n', 0, {
      run: 'cp printed log',
      report: { pattern, path: 'log' },
    });
    expect(idsOf(judged.verdict)).toEqual([expect.stringMatching(/^lint:E1:a\.c:/)]);
  });

  test('that takes for ever makes the gate unable', async () => {
    const { verdict } = await judgeText(`${'a'.repeat(60)}b\n`, 0, {
      report: { pattern: '^(?<message>(a+)+)$' },
    });
    expect(verdict).toMatchObject({ kind: 'unable', fault: { code: 'gate.pattern' } });
  });
});

test('the tests of a level have the ids of its findings', async () => {
  await write('r.json', vitest('failed'));
  const judged = await judgeGate(
    gateFrom({ tests: { run: { name: 'unit', run: 'cat r.json; exit 1' } } }),
    root,
  );
  expect(idsOf(judged.verdict)).toEqual(['L1:unit:test:a.test.ts > add > adds']);
  expect(judged.cases).toEqual([
    { id: 'L1:unit:test:a.test.ts > add > adds', status: 'failed', file: 'a.test.ts' },
  ]);
});
