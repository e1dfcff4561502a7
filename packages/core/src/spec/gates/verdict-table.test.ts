import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { common } from './common.ts';
import { GateKinds } from './index.ts';

const page = readFileSync(new URL('../../../../../docs/gates.md', import.meta.url), 'utf8');
const rowsUnder = (title: string): string[] =>
  page
    .split(`### ${title}`)[1]
    ?.split('\n#')[0]
    ?.split('\n')
    .filter((line) => line.startsWith('| `')) ?? [];
const kinds = GateKinds.options.map(({ shape }) => ({
  kind: shape.kind.value,
  own: Object.keys(shape).filter((name) => name !== 'kind' && !(name in common)),
}));

it.each(kinds)('the verdict table has $kind with all its own options', ({ kind, own }) => {
  const row = rowsUnder('Verdicts, kind by kind').find((line) => line.startsWith(`| \`${kind}\` |`));
  expect(row?.split(' | ')[1]).toBe(own.map((name) => `\`${name}\``).join(', '));
});

it.each(kinds)('the table of bad input has $kind', ({ kind }) => {
  expect(rowsUnder('Bad input').some((line) => line.startsWith(`| \`${kind}\` |`))).toBe(true);
});
