import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Event } from '@agentgate/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { layOut, type Shelf } from './testing.ts';
import { referencesOf } from './texts.ts';

let shelf: Shelf;
let parent: string;
let child: string;
const log = (runId: string) => shelf.path(runId, 'log.jsonl');
const edit = (path: string, change: (text: string) => string) =>
  writeFileSync(path, change(readFileSync(path, 'utf8')));

/** The event that ended the child. */
const readEnd = () => JSON.parse(readFileSync(log(child), 'utf8').trimEnd().split('\n').at(-1)!) as Event;

beforeEach(async () => {
  shelf = await layOut('linked-with-grant');
  [parent, child] = shelf.runs as [string, string];
});
afterEach(() => shelf.remove());

it.each([
  'converged',
  'diverged-limit',
  'resumed-after-kill',
  'strict-needs-grant',
  'forked-from-event',
  'redirected-while-away',
])('proves a run: %s', async (name) => {
  const other = await layOut(name);
  const told = await other.prove();
  expect(told.broken).toEqual([]);
  expect(told.checks.map((one) => one.about)).toEqual(
    expect.arrayContaining(['log', 'decisions', 'ending', 'texts', 'tree', 'receipt']),
  );
  other.remove();
});

describe('logs and links', () => {
  it('proves a run with its parent, and says so line by line', async () => {
    const { proved, notes, checks } = await shelf.prove();
    expect([proved, notes]).toEqual([true, [expect.stringMatching(/tree \w+ did not come along/)]]);
    expect(checks.map((one) => one.text)).toContain(`run ${child} goes on from event 14 of run ${parent}`);
  });
  it('names the last good event of a damaged log, also of a parent', async () => {
    edit(log(parent), (text) => text.replace('"iteration":1', '"iteration":7'));
    const { broken } = await shelf.prove();
    expect(broken[0]).toMatch(
      new RegExp(
        `log of run ${parent} is damaged after event \\d+: its hash does not fit.*the last good event is \\d+ \\(`,
      ),
    );
    expect(broken[1]).toMatch(/goes on from event 14 of run \w+, of which only \d+ events? can be read/);
  });
  it('does not mind what a parent lost behind the event that was gone on from', async () => {
    const forked = await layOut('forked-from-event');
    const path = forked.path(forked.runs[0]!, 'log.jsonl');
    edit(path, (text) => text.replace('"seq":20', '"seq":21'));
    const { proved, notes } = await forked.prove();
    expect(proved).toBe(true);
    expect(notes.join('\n')).toMatch(/damaged after event 19.*what is good reaches as far as it is needed/);
    forked.remove();
  });
  it('minds what stands behind the end of a parent that had ended', async () => {
    const lines = readFileSync(log(parent), 'utf8').trimEnd().split('\n');
    appendFileSync(log(parent), `${lines.at(-1)}\n`);
    expect((await shelf.prove()).broken[0]).toMatch(/damaged after event 14/);
  });
  it('finds a parent that is gone, and one that is another', async () => {
    shelf.forge(parent, (event) => ({ ...event, at: '2020-01-01T00:00:00.000Z' }));
    expect((await shelf.prove()).broken.join('\n')).toMatch(/not the one it went on from: the hashes differ/);
    rmSync(log(parent));
    expect((await shelf.prove()).broken[0]).toBe(`the log of run ${parent} is not there`);
  });
  it('takes a link without a hash for an older one', async () => {
    rmSync(shelf.path(child, 'receipt.json'));
    shelf.forge(child, (event) =>
      event.kind === 'run.started' ? { ...event, parent: { runId: parent, seq: 14 } } : event,
    );
    const { proved, notes } = await shelf.prove();
    expect([proved, notes.join('\n')]).toEqual([true, expect.stringMatching(/the link has no hash/)]);
  });
  it('tells an event that a crash cut short from bytes behind the end', async () => {
    appendFileSync(log(child), '{"v":1');
    expect((await shelf.prove()).broken).toEqual([expect.stringMatching(/goes on after its end/)]);
    rmSync(shelf.path(child, 'receipt.json'));
    edit(log(child), (text) => text.slice(0, text.lastIndexOf('{"v":1,') + 40));
    const { proved, notes } = await shelf.prove();
    expect([proved, notes.join('\n')]).toEqual([
      true,
      expect.stringMatching(/a crash cut its last event short/),
    ]);
  });
  it('finds an event behind the end, though the chain holds', async () => {
    rmSync(shelf.path(child, 'receipt.json'));
    shelf.forge(child, (event) =>
      event.seq === 11 ? ({ ...readEnd(), v: event.v, seq: 11, at: event.at } as Event) : event,
    );
    expect((await shelf.prove()).broken[0]).toBe(`the log of run ${child} goes on after its end at event 11`);
  });
  it('finds a log that is shorter than the sign of life beside it tells', async () => {
    rmSync(shelf.path(child, 'receipt.json'));
    writeFileSync(shelf.path(child, 'alive'), '12 0\n');
    expect((await shelf.prove()).proved).toBe(true);
    edit(log(child), (text) => `${text.trimEnd().split('\n').slice(0, -1).join('\n')}\n`);
    expect((await shelf.prove()).broken[0]).toMatch(
      `the log of run ${child} has lost its end: a sign of life tells of event 12; the last good event is 11`,
    );
  });
  it('finds an event that nobody of ours can have written, and an empty log', async () => {
    shelf.forge(child, (event) => (event.seq === 5 ? ({ ...event, kind: 'odd' } as never) : event));
    expect((await shelf.prove()).broken[0]).toMatch(/event 5 of run \w+ is none that can be read/);
    writeFileSync(log(child), '');
    expect((await shelf.prove()).broken[0]).toBe(`the log of run ${child} is empty`);
  });
});

describe('decisions and the ending', () => {
  const whim = (version?: string) =>
    shelf.forge(child, (event) => {
      if (event.kind === 'run.started' && version !== undefined) return { ...event, version };
      if (event.kind !== 'decided' || event.decision.kind !== 'judge') return event;
      return {
        ...event,
        decision: { ...event.decision, because: { ...event.decision.because, reason: 'a whim' } },
      };
    });
  it('finds a decision that does not follow, though the chain holds', async () => {
    whim();
    expect((await shelf.prove()).broken[0]).toMatch(
      /event \d+ of run \w+ records the decision judge \(judge\), but/,
    );
  });
  it('tells what another version decided as a note', async () => {
    rmSync(shelf.path(child, 'receipt.json'));
    whim('0.0.9');
    const { proved, notes } = await shelf.prove();
    expect([proved, notes.join('\n')]).toEqual([
      true,
      expect.stringMatching(/made by version 0\.0\.9; version 0\.1\.0 would say the same with other words/),
    ]);
  });
  it('finds an ending that was made up', async () => {
    shelf.forge(child, (event) => (event.kind === 'run.ended' ? { ...event, iterations: 1 } : event));
    const { broken } = await shelf.prove();
    expect(broken.join('\n')).toMatch(/records the ending converged \(goal\.met\), but/);
  });
});

describe('texts', () => {
  it('finds each text that is gone or changed, and says what it was', async () => {
    const events = await shelf.store.read(child);
    const texts = referencesOf(events);
    expect(new Set(texts.map((one) => one.what.split(' ')[1]))).toEqual(
      new Set(['prompt', 'feedback', "agent's", 'output', 'tests']),
    );
    for (const { ref, what } of texts) {
      const path = shelf.path(child, 'blobs', ref);
      const before = readFileSync(path);
      writeFileSync(path, Buffer.concat([before, Buffer.from(' ')]));
      expect((await shelf.prove()).broken).toEqual([expect.stringMatching(`${what}.*is not as it was kept`)]);
      rmSync(path);
      expect((await shelf.prove()).broken).toEqual([expect.stringMatching(`${what}.*is not there`)]);
      writeFileSync(path, before);
    }
    expect((await shelf.prove()).proved).toBe(true);
  });
});

describe('receipts', () => {
  const receipt = (runId: string) => shelf.path(runId, 'receipt.json');
  it('finds a log that was cut exactly behind an event', async () => {
    edit(log(child), (text) => `${text.trimEnd().split('\n').slice(0, -1).join('\n')}\n`);
    expect((await shelf.prove()).broken).toEqual([
      expect.stringMatching(/is of a log with 12 events, and 11 good events can be read/),
    ]);
  });
  it('finds a log that was sealed anew', async () => {
    shelf.forge(child, (event) =>
      event.kind === 'wait.ended' ? event : { ...event, at: '2020-01-01T00:00:00.000Z' },
    );
    expect((await shelf.prove()).broken).toEqual([
      expect.stringMatching(/of another log: the hashes differ/),
    ]);
  });
  it('finds a receipt that was changed, also where its values stay', async () => {
    for (const change of [
      (text: string) => text.replace('"converged"', '"diverged"'),
      (text: string) => text.replace('  "v": 1,\n', '  "v": 1,\n  "v": 1,\n'),
      (text: string) => text.slice(0, -1),
      () => '',
    ]) {
      const before = readFileSync(receipt(child), 'utf8');
      edit(receipt(child), change);
      expect((await shelf.prove()).broken).toEqual([`the receipt of run ${child} is not as it was written`]);
      writeFileSync(receipt(child), before);
    }
  });
  it('finds the receipt of another run', async () => {
    writeFileSync(receipt(child), readFileSync(receipt(parent)));
    expect((await shelf.prove()).broken).toEqual([`the receipt beside run ${child} is of run ${parent}`]);
  });
  it('does without one where none was written', async () => {
    rmSync(receipt(child));
    const { proved, notes } = await shelf.prove();
    expect([proved, notes.join('\n')]).toEqual([true, expect.stringMatching(/show \w+ --receipt makes it/)]);
  });
});
