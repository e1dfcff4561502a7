import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type FaultClass, faultTable } from './fault-table.ts';

const docs = readFileSync(new URL('../../../../docs/agents.md', import.meta.url), 'utf8');

it('the table of faults in the docs is the one that is looked through', () => {
  const rows = faultTable.map(
    (one) => `| ${one.name} | ${one.class} | ${one.costs ? 'yes' : 'no'} | ${one.follows} |`,
  );
  const table = docs.split('| Fault | Class | Costs an iteration | What follows |\n|---|---|---|---|\n')[1]!;
  expect(table.split('\n').slice(0, rows.length + 1)).toEqual([...rows, '']);
});

it('has faults of every class; those of the agent itself cost an iteration, and nothing that passes does', () => {
  const classes: FaultClass[] = ['agent', 'configuration', 'environment', 'limit', 'network'];
  expect([...new Set(faultTable.map((one) => one.class))].sort()).toEqual(classes);
  for (const one of faultTable)
    if (one.class !== 'configuration') expect(one.costs, one.name).toBe(one.class === 'agent');
});
