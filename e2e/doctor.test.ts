import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agentgate, makePlace, type Place, said, start } from './support/command.ts';

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());
const good = 'task: x\nagent: [sh]\ngates: { a: "true" }\n';

const addProgram = (name: string, script: string) => {
  const bin = join(place.workspace, '..', 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(bin, name), 0o755);
  if (!place.env['PATH']!.startsWith(bin)) place.env['PATH'] = `${bin}:${place.env['PATH']}`;
};

/** A process that has ended may stay in the table until its parent looks. */
function isAlive(pid: string): boolean {
  const path = `/proc/${pid}/stat`;
  return existsSync(path) && !/\) Z /.test(readFileSync(path, 'utf8'));
}

describe('doctor', () => {
  it('says in one line each what is here, and that a run can start', async () => {
    place.write({ 'agentgate.yaml': good });
    const { exit, stdout } = await agentgate(place, 'doctor');
    expect(exit, stdout).toBe(0);
    const lines = stdout.trim().split('\n');
    expect(lines.at(-1)).toBe('A run can start here.');
    for (const line of lines.slice(0, -1)) expect(line).toMatch(/^[✓~✗] \S/);
    for (const about of ['node', 'git', 'state', 'lock', 'workspace', 'isolation', 'spec', 'gate a']) {
      expect(stdout).toMatch(new RegExp(`^[✓~] ${about} `, 'm'));
    }
  });
  it('changes nothing', async () => {
    await agentgate(place, 'doctor');
    expect([readdirSync(place.workspace), existsSync(place.state)]).toEqual([[], false]);
  });
  it('prints one object for machines', async () => {
    const { stdout } = await agentgate(place, 'doctor', '--json');
    expect(stdout.trim().split('\n')).toHaveLength(1);
    expect(JSON.parse(stdout)).toMatchObject({
      kind: 'doctor',
      able: true,
      remarks: expect.arrayContaining([
        { about: 'node', mark: 'good', what: expect.any(String), facts: expect.any(Object) },
      ]),
    });
  });
  it('ends with 4 when no run could start, with what to do next', async () => {
    place.write({
      'agentgate.yaml': 'task: x\nagent: [sh]\ngates: { a: no-such-tool, b: { severity: hrad } }\n',
    });
    const invalid = await agentgate(place, 'doctor');
    expect([invalid.exit, invalid.stdout]).toMatchObject([
      4,
      expect.stringMatching(/✗ spec +agentgate\.yaml:3:/),
    ]);
    place.write({ 'agentgate.yaml': 'task: x\nagent: [sh]\ngates: { a: no-such-tool }\n' });
    const missing = await agentgate(place, 'doctor');
    expect([missing.exit, missing.stdout]).toMatchObject([
      4,
      expect.stringMatching(/✗ gate a +no-such-tool is not installed {2}→ install no-such-tool/),
    ]);
  });
  it('tells that a run goes on here', async () => {
    place.write({ '../agent.sh': 'sleep 600\n' });
    const { child, ended } = start(place, [
      'run',
      '--json',
      '-p',
      'x',
      '--gate',
      'false',
      '--',
      'sh',
      '../agent.sh',
    ]);
    await said(child, '"agent.started"');
    const looked = await agentgate(place, 'doctor');
    expect([looked.exit, looked.stdout]).toMatchObject([4, expect.stringContaining('agentgate stop')]);
    child.kill('SIGTERM');
    await ended;
  });
  it('does not wait for an agent that says nothing, and leaves none of its children', async () => {
    addProgram('claude', `sleep 600 & echo $! > ${place.workspace}/../child; sleep 600`);
    const looked = await agentgate(place, 'doctor');
    expect(looked.stdout).toMatch(/~ agent claude .*no answer within 5 s/);
    const child = readFileSync(join(place.workspace, '..', 'child'), 'utf8').trim();
    expect(isAlive(child)).toBe(false);
  });
  it('helps with an example', async () => {
    const { exit, stdout } = await agentgate(place, 'doctor', '--help');
    expect([exit, stdout]).toMatchObject([0, expect.stringContaining('Example:\n  agentgate doctor')]);
  });
  it('prints no secret, whoever says it', async () => {
    addProgram('codex', 'echo "codex-cli 0.1.0 hush-output $OPENAI_API_KEY"');
    place.env['OPENAI_API_KEY'] = 'hush-variable';
    mkdirSync(join(place.env['HOME']!, '.claude'));
    writeFileSync(join(place.env['HOME']!, '.claude', '.credentials.json'), 'hush-file');
    place.write({ 'agentgate.yaml': 'task: x\nagent: [sh]\ngates: { a: "TOKEN=hush-gate true" }\n' });
    for (const args of [[], ['--json']]) {
      const { stdout, stderr } = await agentgate(place, 'doctor', ...args);
      expect(stdout).toContain('OPENAI_API_KEY');
      expect(stdout + stderr).not.toContain('hush');
    }
  });
});
