import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadSpec } from './load.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'agentgate-rubric-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const load = () => {
  const gate = '{ kind: judge, run: ./judge, rubric: { file: RUBRIC.md }, severity: soft }';
  const file = join(root, 'agentgate.yaml');
  writeFileSync(file, `task: go\nagent: ["true"]\ngates:\n  style: ${gate}\n`);
  return loadSpec(root, file, [], { env: { HOME: '/nowhere' } });
};

it('a rubric in a file is part of the spec, so that no agent can change it later', async () => {
  writeFileSync(join(root, 'RUBRIC.md'), '\nPlain words.\n');
  const first = await load();
  expect(first).toMatchObject({ kind: 'loaded', spec: { gates: [{ rubric: 'Plain words.' }] } });
  writeFileSync(join(root, 'RUBRIC.md'), 'Anything passes.');
  expect(await load()).not.toMatchObject({ hash: (first as { hash: string }).hash });
});

it.each(['missing', 'empty'])('a rubric file that is %s is told where it is named', async (how) => {
  if (how === 'empty') writeFileSync(join(root, 'RUBRIC.md'), ' \n');
  expect(await load()).toMatchObject({
    kind: 'invalid',
    problems: [
      {
        where: expect.stringMatching(/agentgate\.yaml:4/),
        path: 'gates.style.rubric.file',
        message: 'the rubric file RUBRIC.md cannot be read, or is empty',
      },
    ],
  });
});
