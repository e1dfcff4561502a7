import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agentgate, makePlace, type Place } from './support/command.ts';

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

const shipped = join(import.meta.dirname, '../packages/lab/traces');
const failing = { ok: false, passed: 0, failed: 1, total: 1, score: 0, gate: 'test' };
const passing = { ok: true, passed: 1, failed: 0, total: 1, score: 1, gate: 'test' };
const trace = (task: number, solvedAt: number) =>
  JSON.stringify({
    source: 'mine',
    suite: 's',
    task: `t${task}`,
    model: 'agent',
    mode: 'repair',
    horizon: 10,
    solved: true,
    iterations: [...Array.from({ length: solvedAt - 1 }, () => failing), passing],
  });
const lines = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => trace(from + at, (at % 3) + 1)).join('\n');
const evaluate = (...args: string[]) => agentgate(place, 'lab', 'evaluate', ...args);

describe('lab evaluate', () => {
  it('judges strategies on folds of shipped traces and tells machines', async () => {
    const { exit, stdout } = await evaluate(
      '--folds',
      '3',
      '--json',
      '--strategy',
      'fixed-4,stall-2',
      `${shipped}/intercode-python.jsonl.gz`,
    );
    expect(exit).toBe(0);
    const evaluation = JSON.parse(stdout);
    expect(evaluation).toMatchObject({ kind: 'evaluation', v: 1, runs: 144, target: 0.99 });
    expect(evaluation.sources[0].missing).toEqual([
      expect.stringContaining('can be promised from 99 solves on'),
    ]);
    const names = evaluation.sources[0].rows.map((row: { strategy: string }) => row.strategy);
    for (const name of [
      'fixed-5',
      'hybrid',
      'stall-3',
      'ralph',
      'tuned fixed-N',
      'fixed-4',
      'stall-2',
      'adaptive',
      'oracle',
    ])
      expect(names).toContain(name);
  });

  it('learns from several files and judges others, gzipped or plain, and leaves shared tasks out of the learning', async () => {
    place.write({ 'a.jsonl': lines(0, 60), 'b.jsonl': lines(60, 60), 'c.jsonl': lines(100, 30) });
    const { exit, stdout, stderr } = await evaluate(
      '--train',
      'a.jsonl',
      'b.jsonl',
      '--test',
      'c.jsonl',
      '--target',
      '0.9',
    );
    expect(exit).toBe(0);
    expect(stderr).toContain('20 runs to learn from are left out, because their tasks are judged');
    expect(stdout).toMatch(/30 runs, aimed at 90 %/);
    expect(stdout).toMatch(/\*\*mine\*\*: 30 runs of 30 tasks, 30 solved at the horizon; learned: fixed 1/);
  });

  it('refuses malformed lines by file and line, or leaves them out by choice', async () => {
    place.write({ 'bad.jsonl': `${lines(0, 20)}\n{"source": "x"}\n` });
    const refused = await evaluate('--folds', '2', 'bad.jsonl');
    expect([refused.exit, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).toMatch(/a line is no trace[\s\S]*bad\.jsonl:21: suite/);
    const skipped = await evaluate('--folds', '2', '--skip-bad', 'bad.jsonl');
    expect(skipped.exit).toBe(0);
    expect(skipped.stderr).toMatch(/left out .*bad\.jsonl:21/);
  });

  it('says what is missing or wrong before it begins', async () => {
    const gz = gzipSync(lines(0, 3)).toString('base64');
    place.write({ 'few.jsonl': lines(0, 3), 'text.gz': gz });
    for (const [args, message] of [
      [[], /name files of traces/],
      [['none.jsonl'], /cannot read the traces of .*none\.jsonl/],
      [['few.jsonl'], /5 folds need as many tasks; there are only 3/],
      [['few.jsonl', '--folds', '2', '--target', '2'], /--target is a share between 0 and 1/],
      [['few.jsonl', '--folds', '2', '--strategy', 'best'], /no strategy "best"/],
      [['few.jsonl', '--folds', 'two'], /--folds is a whole number/],
      [['--train', 'few.jsonl', '--test', 'few.jsonl', '--folds', '2'], /nothing to split/],
      [['few.jsonl', '--solve-value', '3'], /belong together/],
      [
        ['--train', 'none.jsonl', '--test', 'none.jsonl', '--json', 'few.jsonl'],
        /say --train or --test right before few\.jsonl/,
      ],
    ] as const) {
      const { exit, stderr } = await evaluate(...args);
      expect([exit, stderr]).toEqual([2, expect.stringMatching(message)]);
    }
  });
});

describe('the committed page', () => {
  it('holds the tables between its marks', () => {
    const page = readFileSync(join(import.meta.dirname, '../docs/lab.md'), 'utf8');
    expect(page).toMatch(/<!-- lab begins -->[\s\S]+\| adaptive \|[\s\S]+<!-- lab ends -->/);
  });
});
