import { commandGate, type Proof, type ProposedGate } from './proposed-gate.ts';

/** The gates among the named targets of a task runner. */
export function targetGates(
  targets: ReadonlySet<string>,
  command: (target: string) => { run: string; because: string },
): ProposedGate[] {
  const gates = names.flatMap(([proves, ...known]) => {
    const target = known.find((name) => targets.has(name));
    if (target === undefined) return [];
    const { run, because } = command(target);
    return [commandGate(proves, run, because)];
  });
  // Beside a target for tests, `check` is more than they are and worth a gate of its own.
  if (!targets.has('check') || !['test', 'tests'].some((name) => targets.has(name))) return gates;
  const { run, because } = command('check');
  return [...gates, { ...commandGate('tests', run, because), name: 'check' }];
}

const names: readonly [Proof, ...string[]][] = [
  ['tests', 'test', 'tests', 'check'],
  ['types', 'typecheck', 'type-check', 'types'],
  ['lint', 'lint'],
  ['build', 'build'],
];
