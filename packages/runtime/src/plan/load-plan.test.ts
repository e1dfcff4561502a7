import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadPlan } from './load-plan.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'agentgate-load-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function mistakes(name: string, lines: string[]): Promise<string[]> {
  writeFileSync(join(root, name), `${lines.join('\n')}\n`);
  const loaded = await loadPlan(root, join(root, name));
  return loaded.kind === 'loaded' ? [] : loaded.problems.map((one) => `${one.where} ${one.message}`);
}

describe('every mistake of a plan is told at once, with its place', () => {
  it('those of its shape, its graph, its files, its runs and its gates', async () => {
    const told = await mistakes('plan.yaml', [
      'run: {agent: [sh], strategy: nope}',
      'limits: {sesion: 3}',
      'context: {file: none.md}',
      'items:',
      '  - {id: a, task: x, dependsOn: [b]}',
      '  - {id: b, task: x, dependsOn: [a]}',
      '  - {id: c, task: x}',
    ]);
    expect(told).toEqual([
      expect.stringMatching(/^plan.yaml:1:\d+ unknown strategy "nope"/),
      expect.stringMatching(/^plan.yaml:2:10 unknown option "sesion"/),
      expect.stringMatching(/^plan.yaml:3:\d+ the file none.md cannot be read/),
      expect.stringMatching(/^plan.yaml:5:\d+ no gate judges it; give a gates/),
      expect.stringMatching(/^plan.yaml:5:\d+ these wait for each other: a → b → a/),
      expect.stringMatching(/^plan.yaml:6:\d+ no gate judges it/),
      expect.stringMatching(/^plan.yaml:7:\d+ no gate judges it/),
    ]);
  });
  it('a missing agent in the plan itself, and a gate of all where it stands', async () => {
    expect(
      await mistakes('plan.yaml', ['gates:', '  t: {runn: "true"}', 'items:', '  - {id: a, task: x}']),
    ).toEqual([
      expect.stringMatching(/^plan.yaml:1:1 missing: expected an agent/),
      expect.stringMatching(/^plan.yaml:2:\d+ missing: expected a command/),
      expect.stringMatching(/^plan.yaml:2:\d+ unknown option "runn": did you mean "run"/),
    ]);
  });
  it('in Markdown at the box that it is about', async () => {
    const told = await mistakes('plan.md', [
      '# Plan',
      '- [ ] one (after: nobody)',
      '- [ ] two',
      '  - [ ] three (after: nix)',
    ]);
    expect(told.filter((one) => one.includes('unknown item'))).toEqual([
      expect.stringMatching(/^plan.md:2:1 unknown item "nobody"/),
      expect.stringMatching(/^plan.md:4:1 unknown item "nix"/),
    ]);
  });
  it('in prd.json at what is no list of stories', async () => {
    for (const name of ['stories', 'userStories'])
      expect(await mistakes('prd.json', ['{', `  "${name}": 3`, '}'])).toEqual([
        expect.stringMatching(/^prd.json:2:\d+ expected a list of stories$/),
      ]);
  });
  it('in prd.json at the story, and once that gates and agent stand elsewhere', async () => {
    const stories = ['{"title": "One"},', '{"title": "Two", "dependencies": ["ones"]}'];
    for (const [open, close] of [
      ['[', ']'],
      ['{"features": [', ']}'],
    ] as const)
      expect(await mistakes('prd.json', [open, ...stories, close])).toEqual([
        expect.stringMatching(/^prd.json:1:1 no gate judges its items; .* agentgate init/),
        expect.stringMatching(/^prd.json:1:1 missing: expected an agent/),
        expect.stringMatching(/^prd.json:3:\d+ unknown item "ones": did you mean "one"\?/),
      ]);
  });
});
