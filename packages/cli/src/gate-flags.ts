import { FaultError, fault } from '@agentgate/core';
import type { Override } from '@agentgate/runtime';

export interface GateFlags {
  gate?: readonly string[];
  softGate?: readonly string[];
}

/** The gates that flags give, beside those that are there or in the place of one. */
export function gateOverrides(
  { gate = [], softGate = [] }: GateFlags,
  inFile: readonly string[],
): Override[] {
  const used = new Set<string>();
  const make = (text: string, flag: string, severity: 'hard' | 'soft'): Override => {
    const { name, run } = splitGate(text);
    if (name !== null && used.has(name)) {
      throw new FaultError(fault('usage', `two gates are named "${name}"; give each a name of its own`));
    }
    // A gate given without a name stands beside those of the file; one given by name takes its place.
    const unique = name ?? uniqueName(gateName(run), new Set([...used, ...inFile]));
    used.add(unique);
    return { flag, path: ['gates', unique], value: { run, severity } };
  };
  return [
    ...gate.map((text) => make(text, '--gate', 'hard')),
    ...softGate.map((text) => make(text, '--soft-gate', 'soft')),
  ];
}

/**
 * `lint=npx eslint .` has a name; `FOO=1 npm test` and `test "$x" = 1` do not. `tests=` is a gate without a command, as
 * `tests=$UNSET` leaves it, and not the assignment that a shell would take it for, which always succeeds.
 */
function splitGate(text: string): { name: string | null; run: string } {
  const empty = /^([A-Za-z][\w.-]*)=\s*$/.exec(text);
  if (empty) return { name: empty[1]!, run: '' };
  const match = /^([a-z][\w.-]*)=(\S[\s\S]*)$/.exec(text);
  return match ? { name: match[1]!, run: match[2]! } : { name: null, run: text };
}

/** A short name for a gate given without one, from the words of its command. */
function gateName(run: string): string {
  const words = run.replaceAll(/["'`$(){}|&;<>\\]/g, ' ').split(/\s+/);
  const telling = words.find((word) =>
    /\b(test|tests|lint|tsc|types?|typecheck|build|check|pytest|eslint|vitest|jest)\b/.test(word),
  );
  const word = telling ?? words.find((one) => /^[\w./@-]+$/.test(one)) ?? 'gate';
  return (
    word
      .split('/')
      .at(-1)!
      .replaceAll(/[^\w.-]/g, '')
      .replace(/^[-.]+/, '')
      .slice(0, 32) || 'gate'
  );
}

/** Gates without a name of their own must not hide each other. */
function uniqueName(name: string, used: ReadonlySet<string>): string {
  let unique = name;
  for (let n = 2; used.has(unique); n++) unique = `${name}-${n}`;
  return unique;
}
