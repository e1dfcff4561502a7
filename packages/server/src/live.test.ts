import { rmSync, truncateSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Event, EventBody } from '@agentgate/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Frame, openStage, readFrames, runEnded, runStarted, type Stage, writeRun } from './testing.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.close());

const word = (waitedMs: number): EventBody => ({ kind: 'wait.ended', waitedMs });
const address = (runId: string, query = '') =>
  `${stage.serving.url}/api/workspaces/${stage.workspace}/runs/${runId}/stream${query}`;
const bearer = (more: Record<string, string> = {}) => ({ authorization: `Bearer ${stage.token}`, ...more });
const eventsIn = (frames: readonly Frame[]) =>
  frames.filter(({ event }) => event === 'events').flatMap(({ data }) => data as Event[]);
const seqsIn = (frames: readonly Frame[]) => eventsIn(frames).map(({ seq }) => seq);
const upTo = (last: number) => (frames: readonly Frame[]) => seqsIn(frames).includes(last);
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

describe('the live events of a run', () => {
  it('come from the first on, as they were recorded, and then as they are recorded', async () => {
    await writeRun(stage, 'aaaaaa', word(1));
    let seq = 2;
    const frames = await readFrames(address('aaaaaa'), bearer(), (so) => {
      // Each is recorded once the one before it has arrived.
      if (upTo(seq)(so) && seq < 6) void stage.store.append('aaaaaa', seq++, [word(seq)]);
      return upTo(6)(so);
    });
    expect(frames[0]).toMatchObject({ event: 'standing', data: { standing: 'cut-short' } });
    expect(eventsIn(frames)).toEqual(await stage.store.read('aaaaaa'));
    expect(frames.findLast(({ event }) => event === 'events')?.id).toBe('6');
  });

  it('go on behind the last one that a reader had', async () => {
    await writeRun(stage, 'aaaaaa', ...range(2, 20).map(word));
    const back = await readFrames(address('aaaaaa'), bearer({ 'last-event-id': '12' }), upTo(20));
    expect(seqsIn(back)).toEqual(range(13, 20));
    const asked = await readFrames(address('aaaaaa', '?after=18'), bearer(), upTo(20));
    expect(seqsIn(asked)).toEqual([19, 20]);
    // What the browser says counts more than the address, which is that of its first visit.
    const both = await readFrames(address('aaaaaa', '?after=0'), bearer({ 'last-event-id': '19' }), upTo(20));
    expect(seqsIn(both)).toEqual([20]);
  });

  it('begin with those of the run that it goes on from', async () => {
    await writeRun(stage, 'aaaaaa', word(1), runEnded('aaaaaa'));
    stage.store.create('bbbbbb');
    const parent = { runId: 'aaaaaa', seq: 3 };
    await stage.store.append('bbbbbb', 0, [
      { ...runStarted('bbbbbb', stage.home.root), parent } as EventBody,
      word(2),
    ]);
    const isAll = (frames: readonly Frame[]) => eventsIn(frames).length >= 5;
    const frames = await readFrames(address('bbbbbb'), bearer(), isAll);
    expect(eventsIn(frames).map(({ kind }) => kind)).toEqual([
      'run.started',
      'wait.ended',
      'run.ended',
      'run.started',
      'wait.ended',
    ]);
    const rest = await readFrames(
      address('bbbbbb'),
      bearer({ 'last-event-id': '4' }),
      (so) => eventsIn(so).length > 0,
    );
    expect(eventsIn(rest)).toMatchObject([{ kind: 'wait.ended', seq: 2 }]);
  });

  it('begin anew when what was sent was taken back', async () => {
    await writeRun(stage, 'aaaaaa', word(1));
    const log = join(stage.store.dir('aaaaaa'), 'log.jsonl');
    const size = statSync(log).size;
    await stage.store.append('aaaaaa', 2, [word(2)]);
    let isCut = false;
    const frames = await readFrames(address('aaaaaa'), bearer(), (so) => {
      if (upTo(3)(so) && !isCut) {
        isCut = true;
        truncateSync(log, size);
      }
      const at = so.findIndex(({ event }) => event === 'restart');
      return at !== -1 && upTo(2)(so.slice(at));
    });
    const at = frames.findIndex(({ event }) => event === 'restart');
    expect(seqsIn(frames.slice(0, at))).toEqual([1, 2, 3]);
    expect(seqsIn(frames.slice(at))).toEqual([1, 2]);
    // Whoever stands behind the end of the log has seen another one.
    const lost = await readFrames(address('aaaaaa'), bearer({ 'last-event-id': '99' }), upTo(2));
    expect([lost[0]?.event, seqsIn(lost)]).toEqual(['restart', [1, 2]]);
  });

  it('end with a word when the run is removed', async () => {
    await writeRun(stage, 'aaaaaa');
    const frames = await readFrames(address('aaaaaa'), bearer(), (so) => {
      if (upTo(1)(so)) rmSync(stage.store.dir('aaaaaa'), { recursive: true, force: true });
      return so.some(({ event }) => event === 'problem');
    });
    expect(frames.at(-1)).toMatchObject({ event: 'problem', data: { code: 'run.unknown' } });
  });

  it('are all kept for a reader that does not read, and cost no memory meanwhile', async () => {
    await writeRun(stage, 'aaaaaa');
    const text = 'x'.repeat(10_000);
    const socket = connect(stage.serving.port, '127.0.0.1');
    const path = new URL(address('aaaaaa')).pathname;
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${stage.serving.port}\r\nAuthorization: Bearer ${stage.token}\r\n\r\n`,
    );
    await new Promise<void>((done) => socket.once('readable', done));
    // Nothing is read from here on, and far more is written than the network holds for anybody.
    const count = 1_500;
    const bodies = range(2, count).map(
      (at): EventBody => ({ kind: 'redirect.requested', by: 'api', text: `${at} ${text}` }),
    );
    const before = process.memoryUsage().rss;
    for (let at = 0; at < bodies.length; at += 100)
      await stage.store.append('aaaaaa', at + 1, bodies.slice(at, at + 100));
    const seqs: number[] = [];
    let rest = '';
    socket.setEncoding('utf8').on('data', (part: string) => {
      rest += part;
      for (const [, seq] of rest.matchAll(/"seq":(\d+),"at"/g)) seqs.push(Number(seq));
      rest = rest.slice(rest.lastIndexOf('"at"') + 1).slice(-100);
    });
    await expect.poll(() => seqs.at(-1), { timeout: 20_000 }).toBe(count);
    socket.destroy();
    expect(seqs).toEqual(range(1, count));
    expect(process.memoryUsage().rss - before).toBeLessThan(150e6);
  });

  it('are followed by nobody once all readers have left', async () => {
    await writeRun(stage, 'aaaaaa');
    const readers = async () => (await stage.ask('GET /api/health')).readers;
    await readFrames(address('aaaaaa'), bearer(), upTo(1));
    await expect.poll(readers).toBe(0);
  });

  it('are not kept for those who left before they were answered', async () => {
    await writeRun(stage, 'aaaaaa');
    const { port } = stage.serving;
    const head = `Host: 127.0.0.1:${port}\r\nAuthorization: Bearer ${stage.token}\r\n\r\n`;
    const leaveAfter = async (path: string, turns: number) => {
      const socket = connect(port, '127.0.0.1');
      await new Promise<void>((done) => socket.once('connect', done));
      socket.write(`GET ${path} HTTP/1.1\r\n${head}`);
      // At every step of the way to the answer somebody leaves.
      for (let turn = 0; turn < turns; turn++) await new Promise((done) => setImmediate(done));
      socket.destroy();
    };
    for (const path of ['/api/stream', new URL(address('aaaaaa')).pathname])
      for (let turns = 0; turns < 80; turns++) await leaveAfter(path, turns % 20);
    await expect.poll(async () => (await stage.ask('GET /api/health')).readers).toBe(0);
  });
});

describe('what changes in the lists, live', () => {
  const url = () => `${stage.serving.url}/api/stream`;
  const isNews = ({ event, data }: Frame) =>
    event === 'changed' && (data as { runs: unknown[]; gone: unknown[] }).runs.length > 0;

  const tellsOf = (runId: string) => (frame: Frame) =>
    frame.event === 'changed' &&
    (frame.data as { runs: { runId: string }[] }).runs.some((one) => one.runId === runId);

  it('begins with a frame that says so, and then tells of each change', async () => {
    await writeRun(stage, 'aaaaaa');
    const frames = await readFrames(url(), bearer(), (so) => {
      if (so.length === 1) void writeRun(stage, 'bbbbbb', { kind: 'run.paused' });
      if (so.some(tellsOf('bbbbbb'))) rmSync(stage.store.dir('aaaaaa'), { recursive: true, force: true });
      return so.some(({ data }) => (data as { gone?: unknown[] }).gone?.length === 1);
    });
    expect(frames[0]).toMatchObject({ event: 'changed', data: { runs: [], plans: [], gone: [] } });
    const told = frames.filter(isNews).flatMap(({ data }) => (data as { runs: unknown[] }).runs);
    expect(told).toContainEqual(expect.objectContaining({ runId: 'bbbbbb', standing: 'paused' }));
    expect(frames.at(-1)?.data).toMatchObject({ gone: [{ workspace: stage.workspace, runId: 'aaaaaa' }] });
  });

  it('tells those who come back what they missed, and to begin anew those of another life', async () => {
    const [first] = await readFrames(url(), bearer(), (so) => so.length === 1);
    await writeRun(stage, 'aaaaaa');
    const missed = await readFrames(url(), bearer({ 'last-event-id': first?.id ?? '' }), (so) =>
      so.some(isNews),
    );
    expect(missed.find(isNews)?.data).toMatchObject({ runs: [{ runId: 'aaaaaa' }] });
    const [other] = await readFrames(
      url(),
      bearer({ 'last-event-id': '00000000.3' }),
      (so) => so.length === 1,
    );
    expect(other).toMatchObject({ event: 'restart' });
  });
});
