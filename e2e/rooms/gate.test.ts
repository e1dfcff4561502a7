import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gateFrom, judgeGate } from '../../packages/runtime/src/gates/testing.ts';
import { noNeeds, type RoomNeeds } from '../../packages/runtime/src/room/needs.ts';
import { makeRoomBed, noRooms, type RoomBed } from '../../packages/runtime/src/room/testing.ts';

async function judgeIn(bed: RoomBed, gate: unknown, needs: RoomNeeds = noNeeds) {
  const room = await bed.enter(await bed.snapshot());
  const view = room.forGate('sealed', needs);
  return { room, ...(await judgeGate(gateFrom(gate), bed.root, { room: view })) };
}

describe.skipIf(noRooms !== undefined)('a gate in its room', () => {
  it('runs its command there and reads the report that was written there', async () => {
    const bed = await makeRoomBed();
    bed.write('a.txt', 'a');
    const report = '<testsuite><testcase classname=a name=b><failure/></testcase></testsuite>'.replace(
      /=(\w+)/g,
      '="$1"',
    );
    const { verdict } = await judgeIn(bed, {
      run: `echo '${report}' > report.xml; exit 1`,
      report: { format: 'junit', path: 'report.xml' },
    });
    expect(verdict).toMatchObject({ kind: 'failed', tests: { failed: 1 } });
    expect(existsSync(bed.at('report.xml'))).toBe(false);
  });

  it.each([
    ['a program that is not installed', { run: ['no-such-program', '--now'] }, 'gate.missing'],
    ['a program that a shell does not find', { run: 'no-such-program --now' }, 'gate.missing'],
  ])('is unable to judge with %s', async (_, gate, code) => {
    const bed = await makeRoomBed();
    bed.write('a.txt', 'a');
    expect((await judgeIn(bed, gate)).verdict).toMatchObject({ kind: 'unable', fault: { code } });
  });

  it('is unable to judge when the room cannot begin, and has not failed', async () => {
    const bed = await makeRoomBed();
    bed.write('a.txt', 'a');
    const room = await bed.enter(await bed.snapshot());
    const view = room.forGate('sealed');
    await room.close();
    const { verdict } = await judgeGate(gateFrom({ run: 'true' }), bed.root, { room: view });
    expect(verdict).toMatchObject({ kind: 'unable', fault: { code: 'room.start' } });
  });

  it('looks at files where the commands before it wrote them', async () => {
    const bed = await makeRoomBed();
    bed.write('src/a.txt', 'judged');
    const { room } = await judgeIn(bed, {
      run: 'mkdir dist; echo built > dist/out.txt; ln -s dist/out.txt link; rm src/a.txt',
    });
    bed.write('src/a.txt', 'live');
    const gate = gateFrom({
      kind: 'artifact',
      exists: ['dist/*.txt', 'link'],
      notExists: ['src/a.txt'],
      contains: [{ path: 'link', text: 'built' }],
    });
    const { verdict } = await judgeGate(gate, bed.root, { room: room.forGate('sealed') });
    expect(verdict).toEqual({ kind: 'passed' });
  });

  it('does not read through a link that leads out of the room', async () => {
    const bed = await makeRoomBed();
    writeFileSync(join(bed.home, '..', 'secret'), 'text');
    symlinkSync(join(bed.home, '..', 'secret'), bed.at('out'));
    symlinkSync(bed.at('a.txt'), bed.at('own'));
    bed.write('a.txt', 'a');
    const outside = await judgeIn(bed, { kind: 'artifact', contains: [{ path: 'out', text: 'text' }] });
    expect(outside.verdict).toMatchObject({ kind: 'unable', fault: { code: 'gate.path' } });
    const gate = gateFrom({ kind: 'artifact', contains: [{ path: 'own', text: 'a' }] });
    const own = await judgeGate(gate, bed.root, { room: outside.room.forGate('sealed') });
    expect(own.verdict).toEqual({ kind: 'passed' });
  });

  it('judges all levels there', async () => {
    const bed = await makeRoomBed();
    bed.write('package.json', '{"name":"x"}');
    mkdirSync(bed.at('fixtures'));
    bed.write('fixtures/in.txt', 'in');
    const { verdict } = await judgeIn(bed, {
      kind: 'levels',
      contracts: {
        required: ['package.json'],
        schemas: [{ files: 'package.json', rules: [{ field: 'name', type: 'string' }] }],
      },
      tests: { run: ['echo tested > out.txt'] },
      blackbox: [
        {
          name: 'copies',
          run: 'cat in.txt; pwd',
          fixture: 'fixtures',
          expect: { stdoutContains: ['in', '/tmp/'] },
        },
      ],
      sanity: true,
    });
    expect(verdict).toMatchObject({ kind: 'passed' });
    expect(existsSync(bed.at('out.txt'))).toBe(false);
  });
});

describe.skipIf(noRooms !== undefined)('the services of a gate', () => {
  const serve = `${process.execPath} -e 'require("net").createServer((s) => s.end("pong")).listen(8123)'`;
  const ask = `${process.execPath} -e 'require("net").connect(8123).on("data", (d) => process.exit(String(d) === "pong" ? 0 : 3))'`;

  it('are up before its command, in a network of their own, and end with it', async () => {
    const bed = await makeRoomBed();
    bed.write('a.txt', 'a');
    const needs = {
      ...noNeeds,
      services: [{ name: 'db', run: serve, ready: { port: 8123 }, timeout: 5_000 }],
    };
    expect((await judgeIn(bed, { run: ask }, needs)).verdict).toEqual({ kind: 'passed' });
    const { connect } = await import('node:net');
    const outside = await new Promise((resolve) => {
      connect(8123, '127.0.0.1')
        .on('connect', () => resolve('open'))
        .on('error', () => resolve('closed'));
    });
    expect(outside).toBe('closed');
  });

  it.each([
    ['ends at once', 'echo no licence; exit 3', 60_000],
    ['is never ready', 'echo no licence; sleep 30', 1_000],
  ])('leave the gate unable when one %s', async (_, run, timeout) => {
    const bed = await makeRoomBed();
    bed.write('a.txt', 'a');
    const needs = { ...noNeeds, services: [{ name: 'db', run, ready: { run: 'false' }, timeout }] };
    const { verdict } = await judgeIn(bed, { run: 'true' }, needs);
    expect(verdict).toMatchObject({
      kind: 'unable',
      fault: { code: 'room.service', message: expect.stringContaining('no licence') },
    });
  });
});
