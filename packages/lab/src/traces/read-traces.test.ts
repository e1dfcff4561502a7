import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseTrace, readTraces } from './read-traces.ts';

const failing = { ok: false, passed: 1, failed: 1, total: 2, score: 0.5, gate: 'test' };
const passing = { ok: true, passed: 2, failed: 0, total: 2, score: 1, gate: 'test' };
const trace = {
  source: 'mine',
  suite: 'unit',
  task: 'a',
  model: 'agent',
  mode: 'repair',
  horizon: 10,
  solved: true,
  iterations: [failing, passing],
};
const committed = join(import.meta.dirname, '../../traces');

describe('reading traces', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'agentgate-traces-'));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  const file = (name: string, bytes: string | Buffer): string => {
    const path = join(dir, name);
    writeFileSync(path, bytes);
    return path;
  };

  it('reads every record of the committed files as it is', () => {
    const files = readdirSync(committed).filter((name) => name.endsWith('.gz'));
    expect(readTraces(files.map((name) => join(committed, name))).traces).toHaveLength(15_015);
  });

  it('reads plain and gzipped lines alike, and keeps what a later version may add out of the way', () => {
    const text = `${JSON.stringify({ ...trace, weather: 'fine' })}\n\n${JSON.stringify(trace)}\n`;
    const plain = readTraces([file('a.jsonl', text)]).traces;
    expect(readTraces([file('a.jsonl.gz', gzipSync(text))]).traces).toEqual(plain);
    expect(plain).toHaveLength(2);
    expect(plain[0]?.v).toBe(1);
  });

  it('reads what another system wrote: a byte order mark first, and lines that end in two characters', () => {
    const text = `\uFEFF${JSON.stringify(trace)}\r\n${JSON.stringify(trace)}\r\n`;
    expect(readTraces([file('windows.jsonl', text)]).traces).toHaveLength(2);
  });

  it('ends a trace at its first pass', () => {
    const read = parseTrace(JSON.stringify({ ...trace, iterations: [failing, passing, failing] }));
    expect(read.kind === 'trace' && read.trace.iterations).toEqual([failing, passing]);
  });

  it('takes numbers for names, as other programs write them', () => {
    const read = parseTrace(JSON.stringify({ ...trace, task: 95, taskGroup: 9, model: 4.1, run: 7 }));
    expect(read).toMatchObject({ trace: { task: '95', taskGroup: '9', model: '4.1', run: '7' } });
  });

  it('takes null for whatever may be left out, as other programs write what they do not know', () => {
    const names = ['taskGroup', 'run', 'horizon', 'hiddenSolved', 'tokensTotal', 'endedBy', 'ignoredStop'];
    const numbers = ['passed', 'failed', 'total', 'failRep', 'outChars', 'rep', 'sim', 'costUsd', 'tokens'];
    const nothing = (keys: readonly string[]) => Object.fromEntries(keys.map((key) => [key, null]));
    const bare = nothing([...numbers, 'durationMs', 'failKey', 'failSet', 'out']);
    const iterations = [failing, passing].map(({ ok, score, gate }) => ({ ok, score, gate, ...bare }));
    const read = parseTrace(JSON.stringify({ ...trace, ...nothing(names), iterations }));
    expect(read).toMatchObject({ kind: 'trace', trace: { task: 'a', solved: true } });
  });

  it('refuses a file with malformed lines and names each of them', () => {
    const path = file('bad.jsonl', `${JSON.stringify(trace)}\n{"source": \n{"source":"x"}\n`);
    expect(() => readTraces([path])).toThrow(
      /2 lines are no traces[\s\S]*bad\.jsonl:2: not JSON[\s\S]*bad\.jsonl:3: suite/,
    );
  });

  it('leaves malformed lines out where that was chosen, and says which', () => {
    const path = file('bad.jsonl', `nonsense\n${JSON.stringify(trace)}\n`);
    const { traces, skipped } = readTraces([path], { onBadLine: 'skip' });
    expect(traces).toHaveLength(1);
    expect(skipped).toMatchObject([{ file: path, line: 1 }]);
  });

  it.each([
    ['a solve without a pass', { ...trace, iterations: [failing] }, /solved/],
    [
      'more iterations than were allowed',
      { ...trace, horizon: 1 },
      /^horizon: no less than the 2 iterations, and it is 1; write .* null .* or leave/,
    ],
    ['a name that is null', { ...trace, model: null }, /^model: a name, as text or a number; it is null$/],
    ['a name that is missing', { ...trace, suite: undefined }, /^suite: a name.*; it is missing$/],
    ['a name of blanks', { ...trace, source: ' ' }, /^source: a name.*; it is empty$/],
    [
      'a gate without a name',
      { ...trace, iterations: [{ ...failing, gate: null }] },
      /^iterations\[0\]\.gate/,
    ],
    ['counts that do not add up', { ...trace, iterations: [failing, { ...passing, passed: 3 }] }, /total/],
    ['a score that is none', { ...trace, iterations: [{ ...failing, score: 'high' }, passing] }, /score/],
    ['a version of the future', { ...trace, v: 2 }, /version/],
    ['no iteration at all', { ...trace, iterations: [] }, /at least one iteration/],
    ['a list', [], /record/],
  ])('refuses %s', (_, value, message) => {
    const read = parseTrace(JSON.stringify(value));
    expect(read.kind === 'bad' && read.message).toMatch(message);
  });

  it('says what is wrong with a file that is not there or cut short', () => {
    expect(() => readTraces([join(dir, 'none.jsonl')])).toThrow(/cannot read the traces of .*none\.jsonl/);
    const cut = gzipSync(JSON.stringify(trace)).subarray(0, 40);
    expect(() => readTraces([file('cut.gz', cut)])).toThrow(/cut\.gz: cannot be unpacked/);
  });
});
