import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lookAtAgents } from './agents.ts';
import { makeMachine } from './testing.ts';

const machine = makeMachine();
const look = async (about: string) => {
  const remarks = await lookAtAgents(machine.env);
  return remarks.find((one) => one.about === about);
};

describe('the agents of a machine', () => {
  it.each([
    ['claude', 'echo "2.1.325 (Claude Code)"', '2.1.325'],
    ['codex', 'echo codex-cli 0.166.0', '0.166.0'],
    ['gemini', 'echo 0.61.0', '0.61.0'],
    ['aider', 'echo aider 0.86.1 >&2', '0.86.1'],
  ])('%s with its version', async (program, script, version) => {
    machine.program(program, script);
    expect(await look(`agent ${program}`)).toMatchObject({ facts: { version, path: expect.any(String) } });
  });
  it('that are not installed, with the way to get them', async () => {
    machine.bare();
    const remarks = await lookAtAgents(machine.env);
    expect(remarks.map(({ about }) => about)).toEqual([
      'agent claude',
      'agent codex',
      'agent gemini',
      'agent opencode',
      'other agents',
    ]);
    expect(remarks[1]).toMatchObject({ mark: 'lacking', next: 'npm install -g @openai/codex' });
    expect(remarks.at(-1)?.what).toContain('cursor-agent');
  });
  it('that do not work', async () => {
    machine.program('codex', 'exit 7');
    expect(await look('agent codex')).toMatchObject({
      mark: 'lacking',
      what: expect.stringContaining('--version ended with 7'),
    });
  });
  it('are asked outside the workspace', async () => {
    machine.program('claude', `pwd > ${machine.home}/where; echo 1.0.0`);
    await lookAtAgents(machine.env);
    expect(readFileSync(join(machine.home, 'where'), 'utf8')).not.toContain(machine.root);
  });
});

describe('a login', () => {
  it('is seen by its file, whatever is in it', async () => {
    machine.program('claude', 'echo 1.0.0');
    expect(await look('agent claude')).toMatchObject({
      mark: 'lacking',
      what: expect.stringContaining('no login was seen'),
    });
    mkdirSync(join(machine.home, '.claude'));
    writeFileSync(join(machine.home, '.claude', '.credentials.json'), '{"token":"hush-file"}');
    const remark = await look('agent claude');
    expect(remark).toMatchObject({ mark: 'good', what: expect.stringContaining('logged in') });
    expect(JSON.stringify(remark)).not.toContain('hush');
  });
  it('may be a variable, of which only the name is told', async () => {
    machine.program('codex', 'echo 0.1.0; echo "$OPENAI_API_KEY"');
    machine.env['OPENAI_API_KEY'] = 'hush-variable';
    const remark = await look('agent codex');
    expect(remark).toMatchObject({ mark: 'good', what: expect.stringContaining('by OPENAI_API_KEY') });
    expect(JSON.stringify(remark)).not.toContain('hush');
  });
  it('is looked for where the agent was told to keep it', async () => {
    machine.program('codex', 'echo 0.1.0');
    machine.env['CODEX_HOME'] = join(machine.home, 'elsewhere');
    mkdirSync(machine.env['CODEX_HOME']);
    writeFileSync(join(machine.env['CODEX_HOME'], 'auth.json'), '{}');
    expect(await look('agent codex')).toMatchObject({ mark: 'good', facts: { login: 'file' } });
  });
});
