import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { agentgate, makePlace, type Place } from './support/command.ts';

const places: Place[] = [];
const placeWith = (files: Record<string, string>) => {
  const place = makePlace(files);
  places.push(place);
  return place;
};
afterEach(() => {
  for (const place of places.splice(0)) place.remove();
});

const older = [
  'prompt: go',
  'agent: ["true"]',
  'gates:',
  '  - name: tests',
  '    check: { type: custom, command: "true" }',
  'limits: { maxIterations: 2 }',
  '',
].join('\n');

const noted = [
  'agentgate: agentgate.yaml:1:1  prompt is read as task',
  'agentgate: agentgate.yaml:4:5  gates.0 is read as {kind: command, run}',
  'agentgate: agentgate.yaml:6:11  limits.maxIterations is read as iterations',
];

describe('older names', () => {
  it('are told once by check, run and the dry run', async () => {
    const place = placeWith({ 'agentgate.yaml': older });
    for (const args of [['check'], ['run'], ['run', '--dry-run']]) {
      const { exit, stderr } = await agentgate(place, ...args);
      expect(exit).toBe(0);
      expect(
        stderr
          .split('\n')
          .filter((line) => line.includes('is read as'))
          .sort(),
      ).toEqual([...noted].sort());
    }
  });
  it('are told to machines', async () => {
    const place = placeWith({ 'agentgate.yaml': older });
    const { stdout } = await agentgate(place, 'run', '--json');
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { kind: string });
    expect(lines.filter(({ kind }) => kind === 'note')).toHaveLength(noted.length);
    expect(lines.at(-1)!.kind).toBe('run.ended');
    const plan = await agentgate(place, 'run', '--dry-run', '--json');
    expect((JSON.parse(plan.stdout) as { notes: unknown[] }).notes).toHaveLength(noted.length);
  });
});

describe('profiles', () => {
  const place = () =>
    placeWith({
      '.agentgate/profiles/base.yaml': 'limits: { iterations: 3 }\ngates: { tests: "true" }\n',
      '.agentgate/profiles/ci.yaml': 'extends: base\nagent: ["true"]\n',
      'agentgate.yaml': 'extends: ci\ntask: go\n',
    });
  it('are built upon by a run', async () => {
    const { exit, stdout } = await agentgate(place(), 'run', '--dry-run', '--json', '--set', 'stuck=off');
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      spec: { limits: { iterations: 3 }, gates: [{ name: 'tests' }], stuck: { moves: [] } },
    });
  });
  it('are listed and shown', async () => {
    const here = place();
    const config = join(here.workspace, '../config/profiles/mine.json');
    mkdirSync(dirname(config), { recursive: true });
    writeFileSync(config, '{"extends": ["ci"], "limits": {"iterations": 5}}');
    here.env['AGENTGATE_CONFIG_DIR'] = join(here.workspace, '../config');
    const listed = await agentgate(here, 'profiles');
    expect(listed.stdout).toMatch(
      /^base +\S+base\.yaml\nci +\S+ci\.yaml {3}extends base\nmine +\S+mine\.json {3}extends ci\n$/,
    );
    const shown = await agentgate(here, 'profiles', 'show', 'mine');
    expect(shown.stdout).toContain('iterations: 5 # ');
    expect(shown.stdout).toContain('tests: "true" # .agentgate/profiles/base.yaml:2:17');
    const machine = await agentgate(here, 'profiles', 'show', 'mine', '--json');
    expect(JSON.parse(machine.stdout)).toMatchObject({
      kind: 'profile',
      value: { limits: { iterations: 5 } },
    });
    expect(await agentgate(here, 'profiles', 'show', 'mne')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('there is no profile mne: did you mean "mine"?') as string,
    });
  });
});

describe('a spec in code', () => {
  it('needs nothing installed in the project', async () => {
    const place = placeWith({
      'agentgate.ts': `import { defineSpec } from '@agentgate/runtime';\nconst gate: string = 'true';\nexport default defineSpec({ task: 'go', agent: ['true'], gates: { gate } });\n`,
    });
    expect(await agentgate(place, 'check')).toMatchObject({ exit: 0 });
    place.write({ 'agentgate.ts': 'export default {\n  task: nobody,\n};\n' });
    expect(await agentgate(place, 'check')).toMatchObject({
      exit: 2,
      stderr: expect.stringMatching(
        /agentgate\.ts:2:\d+ {2}cannot be loaded: ReferenceError: nobody/,
      ) as string,
    });
  });
});

describe('agentgate schema', () => {
  it('prints a JSON Schema', async () => {
    const { exit, stdout } = await agentgate(placeWith({}), 'schema');
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema' });
  });
});
