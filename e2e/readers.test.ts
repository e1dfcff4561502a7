import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { basename } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { EventBody } from '../packages/core/src/event.ts';
import { openHome, openRunStore } from '../packages/runtime/src/store/index.ts';
import { runStarted } from '../packages/server/src/testing.ts';
import { makePlace, type Place } from './support/command.ts';
import { type Served, served } from './support/served.ts';

// `npm run readers` is the long form: 200 readers of a run that records 50 events a second for a minute.
const seconds = Number(process.env['READERS_SECONDS'] ?? 4);
const readers = seconds > 10 ? 200 : 50;
const eventsEach = 50;

let place: Place;
let server: Served | null = null;
afterEach(async () => {
  await server?.end();
  place.remove();
});

it(`${readers} live readers of one run lose and reorder nothing in ${seconds} s, and the server keeps its size`, {
  timeout: (seconds + 120) * 1_000,
}, async () => {
  place = makePlace();
  server = await served(place);
  const home = openHome(place.workspace, place.env);
  const store = openRunStore(home.runs);
  store.create('aaaaaa');
  await store.append('aaaaaa', 0, [runStarted('aaaaaa', home.root)]);
  const path = `/api/workspaces/${basename(home.dir)}/runs/aaaaaa/stream`;
  const all = await Promise.all(Array.from({ length: readers }, () => openReader(server!, path)));

  const total = 1 + seconds * eventsEach;
  const sizes: number[] = [];
  const loads: Promise<void>[] = [];
  const fromMs = performance.now();
  for (let seq = 1; seq < total; ) {
    const due = Math.min(total, 1 + Math.floor(((performance.now() - fromMs) / 1_000) * eventsEach));
    if (due > seq) {
      const bodies = Array.from({ length: due - seq }, (_, at) => eventOf(seq + at));
      seq = (await store.append('aaaaaa', seq, bodies)).at(-1)!.seq;
    }
    if (sizes.length < Math.floor((performance.now() - fromMs) / 1_000)) {
      sizes.push(megabytesOf(server));
      // Meanwhile somebody opens the page of that run.
      loads.push(loadPage(server, basename(home.dir)));
    }
    await new Promise((done) => setTimeout(done, 20));
  }
  await Promise.all(all.map((reader) => reader.until(total)));
  await Promise.all(loads);
  const frames = all.map((reader) => reader.frames());
  for (const reader of all) reader.close();
  store.close();

  for (const [at, { wrong }] of all.entries()) expect([at, wrong()]).toEqual([at, null]);
  // Several events come in one frame: a reader is written to at most every 40 ms, however many there are.
  const mostFrames = Math.max(...frames);
  const tookS = (performance.now() - fromMs) / 1_000;
  expect(mostFrames).toBeLessThan(tookS * 25 + 10);
  expect(mostFrames).toBeLessThan(total);
  // Memory comes in waves; what is kept for good would make each of them higher.
  const [before, after] = [
    sizes.slice(0, -Math.ceil(sizes.length / 3)),
    sizes.slice(-Math.ceil(sizes.length / 3)),
  ];
  const growth = Math.max(...after) - Math.max(...before);
  console.log(
    `${readers} readers, ${total} events each in ${tookS.toFixed(1)} s, at most ${mostFrames} frames; the server had ${sizes.map((one) => one.toFixed(0)).join(' ')} MB`,
  );
  expect(growth).toBeLessThan(25);
});

/** As large as events are in the middle of a run. */
const eventOf = (seq: number): EventBody => ({
  kind: 'redirect.requested',
  by: 'api',
  text: `${seq} ${'words '.repeat(40)}`,
});

/** What a browser asks for when a run is opened, beside its stream. */
async function loadPage({ ask }: Served, workspace: string): Promise<void> {
  const params = { workspace, run: 'aaaaaa' };
  const run = '/api/workspaces/{workspace}/runs/{run}';
  const [one] = await Promise.all([
    ask(`GET ${run}`, { params }),
    ask(`GET ${run}/explanations`, { params }),
    ask(`GET ${run}/snapshots`, { params }),
  ]);
  expect(one.run.runId).toBe('aaaaaa');
}

function megabytesOf({ child }: Served): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1_000;
}

interface Reader {
  until(seq: number): Promise<void>;
  /** The first event that came at a wrong place; null where all are right. */
  wrong(): string | null;
  frames(): number;
  close(): void;
}

/** As little as a reader can be, so that the readers are not what is measured. */
function openReader({ url, token }: Served, path: string): Promise<Reader> {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  let last = 0;
  let wrong: string | null = null;
  let frames = 0;
  let rest = '';
  let reached: { seq: number; done: () => void } | null = null;
  socket.setEncoding('utf8').on('data', (part: string) => {
    rest += part;
    for (const [word, seq] of rest.matchAll(/"seq":(\d+),"at"|event: events\n/g)) {
      if (seq === undefined) frames += 1;
      else if (Number(seq) === last + 1) last += 1;
      else wrong ??= `event ${seq} came behind event ${last} (${word})`;
    }
    // What may be the beginning of the next one stays.
    rest = /"seq":\d*(?:,"?a?t?)?$|event:[^\n]*$|"s?e?q?"?$|ev?e?n?t?$/.exec(rest)?.[0] ?? '';
    if (reached && last >= reached.seq) reached.done();
  });
  return new Promise((opened, fail) => {
    socket.once('error', fail);
    socket.once('data', () =>
      opened({
        until: (seq) =>
          new Promise((done) => {
            reached = { seq, done };
            if (last >= seq) done();
          }),
        wrong: () => wrong,
        frames: () => frames,
        close: () => socket.destroy(),
      }),
    );
  });
}
