import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agentgate, makePlace, outcomeOf, type Place } from './support/command.ts';

let place: Place;
beforeEach(() => {
  place = makePlace();
  place.write({
    '../agent.sh': 'echo "$AGENTGATE_ITERATION" >> work.txt\n',
  });
});
afterEach(() => place.remove());
const at = (path: string) => join(place.workspace, path);
const run = (...args: string[]) =>
  agentgate(place, 'run', '-p', 'count to two', ...args, '--', 'sh', '../agent.sh');
const two = ['--gate', 'count=grep -q 2 work.txt'];
const never = ['--gate', 'never=echo "error: <b>@all</b> ]]>"; false', '--max-iterations', '2'];

describe('a report', () => {
  it('is a page by default, of the newest run', async () => {
    await run(...two);
    const { exit, stdout } = await agentgate(place, 'report');
    expect(exit).toBe(0);
    expect(stdout).toMatch(/^# AgentGate: converged\n\n> count to two\n/);
    expect(stdout).toMatch(/^\| 2 \| ✅ \|/m);
    expect(stdout).not.toContain(place.workspace);
  });
  it('is JUnit that a gate reads: green for a converged run, red for any other', async () => {
    await run(...two);
    const green = await agentgate(place, 'report', '--format', 'junit', '--output', '../green.xml');
    expect([green.exit, green.stderr]).toMatchObject([0, expect.stringContaining('../green.xml')]);
    await run(...never);
    await agentgate(place, 'report', '--format', 'junit', '--output', '../red.xml');
    const judge = (file: string) => {
      const gate = `{run: "cat ${file}", report: junit}`;
      place.write({ 'agentgate.yaml': `task: x\nagent: ["true"]\ngates:\n  ci: ${gate}\n` });
      return agentgate(place, 'check', '--json');
    };
    expect((await judge('../green.xml')).exit).toBe(0);
    const red = await judge('../red.xml');
    expect(red.exit).toBe(1);
    expect(red.stdout).toContain('<b>@all</b>');
  });
  it('is data that says what the log says', async () => {
    const ended = outcomeOf(await run('--json', ...two));
    const report = JSON.parse((await agentgate(place, 'report', String(ended['runId']), '--json')).stdout);
    expect(report).toMatchObject({
      kind: 'report',
      runId: ended['runId'],
      outcome: { status: 'converged', tree: ended['tree'] },
      elsewhere: { finalResult: 'success' },
    });
    expect(report.iterations).toHaveLength(3);
  });
  it('refuses a file that cannot be written, and a format that does not exist', async () => {
    await run(...two);
    const nowhere = await agentgate(place, 'report', '--output', 'no/such/file.md');
    expect([nowhere.exit, nowhere.stderr]).toMatchObject([
      2,
      expect.stringContaining('cannot write the report'),
    ]);
    expect((await agentgate(place, 'report', '--format', 'pdf')).exit).not.toBe(0);
    expect((await agentgate(place, 'report', 'nope')).exit).toBe(2);
  });
});

describe('derived files', () => {
  const spec = (stateDir: string) =>
    `task: count\nagent: [sh, ../agent.sh]\ngates: {count: grep -q 2 work.txt}\nstateDir: ${stateDir}\n`;
  it('are written where the spec says, and are no work of the agent', async () => {
    place.write({ 'agentgate.yaml': spec('.agent') });
    const ended = outcomeOf(await agentgate(place, 'run', '--json'));
    expect(ended).toMatchObject({ status: 'converged', iterations: 2, caveats: [] });
    expect(readdirSync(at('.agent')).sort()).toEqual(['loop-state.json', 'metrics.json', 'report.md']);
    expect(JSON.parse(readFileSync(at('.agent/loop-state.json'), 'utf8'))).toMatchObject({
      iteration: 2,
      outcome: { status: 'converged' },
      progress: { featuresCompleted: 1, totalFeatures: 1, progressPercent: 100 },
    });
    expect(JSON.parse(readFileSync(at('.agent/metrics.json'), 'utf8')).iterations).toHaveLength(3);
    expect(readFileSync(at('.agent/report.md'), 'utf8')).toContain('# AgentGate: converged');
    const { stdout } = await agentgate(place, 'diff', '--stat');
    expect(stdout).not.toContain('.agent');
  });
  it('change no run when they are deleted, damaged or impossible', async () => {
    place.write({
      'agentgate.yaml': spec('.agent'),
      '../agent.sh': 'echo "$AGENTGATE_ITERATION" >> work.txt\nrm -rf .agent\nln -s / .agent\n',
    });
    const ended = await agentgate(place, 'run', '--json');
    expect([ended.exit, outcomeOf(ended)]).toMatchObject([0, { status: 'converged', iterations: 2 }]);
    expect(ended.stderr.match(/cannot write the derived files to stateDir/g)).toHaveLength(1);
    expect(existsSync('/loop-state.json')).toBe(false);
    rmSync(at('.agent'));
    symlinkSync('work.txt', at('.agent'));
    writeFileSync(at('work.txt'), '');
    const again = await agentgate(place, 'run', '--json');
    expect(outcomeOf(again)).toMatchObject({ status: 'converged' });
  });
});
