import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { judge } from '../../packages/runtime/src/gates/index.ts';
import { gateFrom, runOf } from '../../packages/runtime/src/gates/testing.ts';
import { openRehearsals } from '../../packages/runtime/src/room/rehearsals.ts';
import { makeRoomBed, noRooms, type RoomBed } from '../../packages/runtime/src/room/testing.ts';

async function rehearseGates(bed: RoomBed, ...gates: unknown[]) {
  const tree = await bed.snapshot();
  await bed.rooms.capture(['']);
  const rehearsals = openRehearsals(bed.rooms, tree, judge);
  onTestFinished(() => rehearsals.close());
  const found = [];
  for (const [at, gate] of gates.entries()) {
    found.push(
      await rehearsals.rehearse({
        gate: gateFrom(gate, `gate${at}`),
        root: bed.root,
        run: runOf({ iteration: 0, tree }),
        timeoutMs: 20_000,
        marker: `rehearsal-${process.pid}-${at}`,
        signal: new AbortController().signal,
      }),
    );
  }
  return found;
}

async function makePlainBed(): Promise<RoomBed> {
  const bed = await makeRoomBed();
  bed.git('init', '-q');
  bed.write('.gitignore', 'dist\nnode_modules\n.env.local\n');
  bed.write('a.txt', 'a');
  return bed;
}

const path = process.env['PATH'];
afterEach(() => {
  process.env['PATH'] = path;
});

describe.skipIf(noRooms !== undefined)('a rehearsal', () => {
  it.each([
    ['passes', 'grep -q a a.txt', 'passed'],
    ['fails', 'echo "a.test.ts: expected 1"; exit 1', 'failed'],
    ['cannot run', 'no-such-program', 'unable'],
  ])('stays sealed where a gate that %s does so in both', async (_, run, kind) => {
    const [found] = await rehearseGates(await makePlainBed(), { run });
    expect(found).toEqual({
      rung: 'sealed',
      judgement: expect.objectContaining({ verdict: expect.objectContaining({ kind }) }),
    });
  });

  it('lets a later gate see what an earlier one built', async () => {
    const found = await rehearseGates(
      await makePlainBed(),
      { run: 'mkdir -p dist && echo x > dist/out' },
      { run: 'cat dist/out' },
    );
    expect(found.map(({ rung }) => rung)).toEqual(['sealed', 'sealed']);
  });

  it('climbs to ignored files where a gate needs them, and says so', async () => {
    const bed = await makePlainBed();
    bed.write('.env.local', 'KEY=1');
    const [found] = await rehearseGates(bed, { run: 'grep -q KEY .env.local' });
    expect(found).toMatchObject({
      rung: 'ignored',
      line: expect.stringMatching(/^gate gate0 needs ignored files/),
    });
  });

  it('climbs to the home where a gate needs what is hidden there', async () => {
    const bed = await makePlainBed();
    const secret = join(homedir(), '.amp');
    const made = mkdirSync(secret, { recursive: true });
    onTestFinished(() => (made === undefined ? undefined : rmSync(made, { recursive: true })));
    const file = join(secret, `agentgate-test-${process.pid}`);
    writeFileSync(file, '');
    onTestFinished(() => rmSync(file));
    const [found] = await rehearseGates(bed, { run: ['test', '-f', file] });
    expect(found).toMatchObject({ rung: 'home', line: expect.stringContaining('home') });
  });

  it('climbs to the network where a gate needs it, unless it is declared', async () => {
    const bed = await makePlainBed();
    const { createServer } = await import('node:net');
    const server = createServer((socket) => socket.end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    const run = [
      process.execPath,
      '-e',
      `require("net").connect(${port}, "127.0.0.1").on("error", () => process.exit(1))`,
    ];
    const found = await rehearseGates(bed, { run }, { run, network: 'on' });
    expect(found.map(({ rung }) => rung)).toEqual(['network', 'sealed']);
  });

  it('ends in place where no room agrees, and says what differs', async () => {
    const bed = await makePlainBed();
    const [found] = await rehearseGates(bed, { run: 'touch .git/probe && rm .git/probe' });
    expect(found).toMatchObject({
      rung: 'in-place',
      line: expect.stringMatching(
        /^gate gate0 judges in place: in its room it is failed .*, and here passed$/,
      ),
    });
  });

  it('calls a gate flaky that differs from itself in place, and does not blame the room', async () => {
    const bed = await makePlainBed();
    const marker = join(bed.home, '..', 'marker');
    writeFileSync(marker, '');
    const [found] = await rehearseGates(bed, { run: ['rm', marker] });
    expect(found).toMatchObject({ rung: 'sealed', line: expect.stringContaining('flaky') });
  });

  it('judges in place where the room would leak, and names the leak by its code', async () => {
    const bed = await makePlainBed();
    mkdirSync(join(bed.home, '..', 'outside'));
    mkdirSync(bed.at('node_modules'));
    symlinkSync('../../outside', bed.at('node_modules/b'));
    const [found] = await rehearseGates(bed, { run: 'true' });
    expect(found).toMatchObject({ rung: 'in-place', line: expect.stringContaining('room.leak') });
  });

  it('notices a program that is another one in the room', async () => {
    const bed = await makePlainBed();
    const tools = join(bed.home, '..', 'tools');
    mkdirSync(tools);
    writeFileSync(join(tools, 'make'), '#!/bin/sh\necho other make 9\n');
    chmodSync(join(tools, 'make'), 0o755);
    process.env['PATH'] = `${tools}:${path}`;
    const [found] = await rehearseGates(bed, { run: 'make' });
    expect(found).toMatchObject({ rung: 'in-place', line: expect.stringContaining('room.toolchain') });
  });
});
