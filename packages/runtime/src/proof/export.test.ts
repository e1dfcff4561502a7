import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exportRun } from './export.ts';
import { proveFile } from './prove-file.ts';
import type { ProofSource } from './source.ts';
import { sha256 } from '../store/index.ts';
import { layOut, type Shelf, type Told, tell } from './testing.ts';

let shelf: Shelf;
const options = { version: '0.1.0', at: new Date(0), trees: false };
/** A machine without any state. */
const elsewhere: ProofSource = {
  log: () => null,
  logBytes: () => null,
  text: () => null,
  receipt: () => null,
  gitDir: null,
};
const proveBytes = (bytes: Buffer, ...sources: ProofSource[]): Promise<Told> =>
  tell(proveFile({ name: 'f', bytes }, sources, '0.1.0'));
const exported = () => exportRun(shelf.runs.at(-1)!, shelf.source, options);

beforeEach(async () => {
  shelf = await layOut('linked-with-grant');
});
afterEach(() => shelf.remove());

describe('an export', () => {
  it('proves itself where there is no state', async () => {
    const { content, header, problems } = await exported();
    expect(problems).toEqual([]);
    expect(header.runs.map((one) => [one.events, one.damage])).toEqual([
      [14, null],
      [12, null],
    ]);
    const here = await shelf.prove();
    const there = await proveBytes(content);
    expect(there.checks.slice(1)).toEqual(here.checks);
    expect(there.checks[0]).toMatchObject({ about: 'file', result: 'ok' });
  });
  it('holds the lines of the logs exactly as they are', async () => {
    const { content } = await exported();
    for (const run of shelf.runs)
      expect(content.includes(readFileSync(shelf.path(run, 'log.jsonl')))).toBe(true);
  });
  it('goes as far as a damaged log is good, and says so', async () => {
    const path = shelf.path(shelf.runs[1]!, 'log.jsonl');
    writeFileSync(path, readFileSync(path, 'utf8').replace('"seq":9', '"seq":8'));
    const { content, header, problems } = await exported();
    expect(problems.map((one) => one.text)).toEqual([expect.stringMatching(/damaged after event 8/)]);
    expect(header.runs[1]).toMatchObject({ events: 8, damage: expect.stringContaining('hash') });
    const { broken } = await proveBytes(content);
    expect(broken[0]).toMatch(
      /damaged after event 8: its hash .*\(when it was exported\); the last good event is 8/,
    );
  });
  it('leaves out a damaged text, which is missed then', async () => {
    const first = (await shelf.store.read(shelf.runs[1]!)).find((one) => one.kind === 'agent.started')!;
    writeFileSync(
      shelf.path(shelf.runs[1]!, 'blobs', first.kind === 'agent.started' ? first.prompt : ''),
      'x',
    );
    expect((await proveBytes((await exported()).content)).broken).toEqual([
      expect.stringMatching(/the prompt of iteration 2.*is not there/),
    ]);
  });
  it('shows every byte that is changed, and every cut', async () => {
    const { content } = await exported();
    for (let at = 0; at < content.length; at += 97) {
      const bytes = Buffer.from(content);
      bytes[at]! ^= 1;
      const flipped = await proveBytes(bytes).catch(() => null);
      // The very name of the format makes a file an export.
      if (at > 30) expect([at, flipped?.proved]).toEqual([at, false]);
      if (at > 200) expect([at, (await proveBytes(content.subarray(0, at))).proved]).toEqual([at, false]);
    }
    expect((await proveBytes(Buffer.concat([content, Buffer.from('\n')]))).proved).toBe(false);
  });
});

describe('the file of a receipt', () => {
  const receipt = () => readFileSync(shelf.path(shelf.runs[1]!, 'receipt.json'), 'utf8');
  /** Another receipt, with a seal that fits it. */
  const sealed = (change: object): string => {
    const { hash: _, ...body } = { ...(JSON.parse(receipt()) as { hash: string }), ...change };
    return JSON.stringify({ ...body, hash: sha256(JSON.stringify(body, null, 2)) });
  };
  it('is compared with the log where that is at hand', async () => {
    const here = await proveBytes(Buffer.from(receipt()), shelf.source);
    expect([here.proved, here.checks.at(-1)?.text]).toEqual([true, expect.stringMatching(/and of this log/)]);
    expect(await proveBytes(Buffer.from(receipt()), elsewhere, shelf.source)).toEqual(here);
  });
  it('is not proved without the log, since anybody can seal what they wrote', async () => {
    for (const text of [receipt(), sealed({ status: 'stopped', code: 'user.stop' })]) {
      const { proved, checks } = await proveBytes(Buffer.from(text), elsewhere);
      expect([proved, checks.map((one) => one.result)]).toEqual([false, ['open']]);
      expect(checks[0]?.text).toMatch(/is consistent with itself; the log of run \w+, which alone proves it/);
    }
  });
  it('does not say with the log what the log does not, whatever version it names', async () => {
    for (const change of [{ code: 'goal.not' }, { code: 'goal.not', version: '9.9.9' }, { version: '9.9.9' }])
      expect((await proveBytes(Buffer.from(sealed(change)), shelf.source)).broken).toEqual([
        expect.stringMatching(/does not say what its log says/),
      ]);
  });
  it('may be written in another form, but not say something else', async () => {
    const compact = JSON.stringify(JSON.parse(receipt()));
    expect((await proveBytes(Buffer.from(compact), shelf.source)).proved).toBe(true);
    const other = Buffer.from(compact.replace('goal.met', 'goal.not'));
    expect((await proveBytes(other, shelf.source)).broken).toEqual(['the receipt is not as it was written']);
  });
  it('is not proved by a log that lost its end, or by another one', async () => {
    const text = Buffer.from(receipt());
    shelf.forge(shelf.runs[1]!, (event) => ({ ...event, at: '2020-01-01T00:00:00.000Z' }));
    expect((await proveBytes(text, shelf.source)).broken.join('\n')).toMatch(/of another log/);
    rmSync(shelf.path(shelf.runs[0]!, 'log.jsonl'));
    expect((await proveBytes(text, shelf.source)).proved).toBe(false);
  });
});

it('refuses a file that is neither, and says what to do', async () => {
  await expect(proveBytes(Buffer.from('{"hello":1}'))).rejects.toThrow(
    /f is neither a receipt nor an export; agentgate export RUN -o FILE writes one/,
  );
});
