import { show } from '../parse-spec/problem.ts';
import { isRecord } from '../spec/words.ts';
import { readGate } from './gate.ts';
import { type Entry, Group } from './group.ts';
import type { Reading } from './reading.ts';

/** The gates by name, also where they were given as a list. */
export function readGates(reading: Reading, top: Group): void {
  const entry = top.get('gates');
  if (!entry) return;
  if (Array.isArray(entry.value)) top.put('gates', { ...entry, value: byName(reading, entry, entry.value) });
  const gates = top.open('gates');
  if (!gates) return;
  for (const name of gates.keys()) {
    const gate = gates.open(name);
    if (gate) readGate(reading, gate);
  }
}

function byName(reading: Reading, { from }: Entry, list: readonly unknown[]): Group {
  const gates = new Group(from);
  list.forEach((item, at) => {
    const here = [...from, at];
    if (!isRecord(item)) return reading.problem(here, `expected a gate with its name, found ${show(item)}`);
    const gate = new Group(here, item);
    const name = gate.take('name');
    if (typeof name?.value !== 'string') {
      const found = name ? `expected the name of the gate, found ${show(name.value)}` : undefined;
      return reading.problem([...here, 'name'], found ?? 'missing: expected the name of the gate');
    }
    if (gates.has(name.value))
      return reading.problem(
        [...here, 'name'],
        `two gates are named "${name.value}"; give each a name of its own`,
      );
    gates.put(name.value, { value: gate, from: here });
    return undefined;
  });
  // Mistakes of the list must not be followed by the complaint that there are no gates.
  if (list.length > 0 && gates.keys().length === 0) gates.put('none', { value: 'true', from });
  return gates;
}
