import type { Assessment } from '@agentgate/core';
import type { Desk } from './desk.ts';
import type { Failure } from './context.ts';

/** Everything that failed in an iteration, as the caller's own gates told it. */
export function failuresOf({ said, baseline }: Desk, last: Assessment | null): Failure[] {
  if (!last || (last.current.iteration === 0 && !baseline)) return [];
  const { build } = last.current;
  if (build?.kind === 'failed')
    return [{ source: 'build', gate: null, message: `the build failed: ${build.detail}` }];
  return last.standings
    .filter((one) => !one.passed && !one.spared)
    .flatMap(({ gate, verdict, findings }): Failure[] => {
      const of = { source: 'gate', gate: gate.name } as const;
      if (verdict.kind === 'unable') return [{ ...of, message: verdict.fault.message }];
      if (verdict.kind !== 'failed') return [{ ...of, message: `the gate is ${verdict.kind}` }];
      const told = said.gates.get(gate.name);
      if (told?.iteration === last.current.iteration && told.failures.length > 0)
        return told.failures.map((one) => ({ ...one, ...of }));
      return findings.map(({ title }) => ({ ...of, message: title }));
    });
}
