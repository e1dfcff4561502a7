import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gateKinds, parseSpec } from '@agentgate/core';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const page = readFileSync(fileURLToPath(new URL('../../../../docs/gates.md', import.meta.url)), 'utf8');
const examples = [...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, text]) => text ?? '');

test.each(examples.map((text) => [text.split('\n').slice(0, 3).join(' '), text]))(
  'the example %s',
  (_name, text) => {
    const parsed = parseSpec({ task: 'x', agent: ['true'], ...(parse(text) as object) });
    expect(parsed).toMatchObject({ kind: 'spec' });
  },
);

test('every kind of gate has a chapter', () => {
  const chapters = [...page.matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
  expect(chapters).toEqual(expect.arrayContaining([...gateKinds]));
});
