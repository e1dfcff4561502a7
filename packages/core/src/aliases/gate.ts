import { show, showPath } from '../parse-spec/problem.ts';
import { type Group, lookUp } from './group.ts';
import { readLevels } from './levels.ts';
import type { Reading } from './reading.ts';

/** Older names of the options of a gate. */
export const olderGateOptions: Record<string, string> = {
  type: 'kind',
  command: 'run',
  expectedExit: 'expectExit',
};

/** Older names of kinds of gates. */
export const olderKinds: Record<string, string> = { 'verification-levels': 'levels', 'github-actions': 'ci' };

/** Older names of what a gate that asks CI is told. */
export const olderCiOptions: Record<string, string> = { workflows: 'workflow', pollInterval: 'poll' };

/** One gate: what it checks, what failing and passing lead to, and when it is asked, each under today's name. */
export function readGate(reading: Reading, gate: Group): void {
  const older = reading.quietly(() => bringUp(reading, gate));
  // One note for a gate says more than one for each of its names.
  if (older) reading.note(gate.from, `${showPath(gate.from)} is read as {${optionsOf(gate)}}`);
}

function optionsOf(gate: Group): string {
  const kind = gate.get('kind')?.value;
  const first = [
    ...(kind === undefined ? [] : [`kind: ${String(kind)}`]),
    ...(gate.has('run') ? ['run'] : []),
  ];
  return [...first, ...gate.keys().filter((name) => name !== 'kind' && name !== 'run')].join(', ');
}

function bringUp(reading: Reading, gate: Group): void {
  const older = gate.has('check') || gate.has('type');
  for (const [group, names] of Object.entries(nested)) spread(reading, gate, group, names);
  // `{type, value}` is a checklist of one check, which the schema knows.
  const one = gate.has('type') && gate.has('value');
  for (const [old, now] of Object.entries(olderGateOptions)) if (!one) reading.rename(gate, old, now);
  readKind(reading, gate);
  if (gate.get('kind')?.value === 'levels') readLevels(reading, gate);
  if (gate.get('kind')?.value === 'ci')
    for (const [old, now] of Object.entries(olderCiOptions)) reading.rename(gate, old, now);
  readFeedback(reading, gate);
  if (older) for (const option of ['timeout', 'poll']) readMilliseconds(reading, gate, option);
}

/** Only the older form counts in milliseconds; elsewhere a bare number would leave the unit to guesswork. */
function readMilliseconds(reading: Reading, gate: Group, option: string): void {
  const entry = gate.get(option);
  if (typeof entry?.value !== 'number') return;
  gate.put(option, { ...entry, value: `${entry.value}ms` });
  reading.note(entry.from, `${showPath(entry.from)} ${entry.value} is read as ${entry.value}ms`);
}

/** Groups whose options stand in the gate itself today; null keeps every name. */
export const nested: Record<string, Record<string, string> | null> = {
  check: null,
  onFailure: {
    action: 'onFailure',
    maxAttempts: 'maxAttempts',
    feedback: 'feedback',
    backoff: 'backoff',
  },
  onSuccess: { action: 'onSuccess' },
  condition: { when: 'when', skipIf: 'skipIf' },
};

function spread(reading: Reading, gate: Group, name: string, names: Record<string, string> | null): void {
  const group = gate.open(name);
  if (!group) return name === 'check' ? reading.rename(gate, 'check', 'run') : undefined;
  gate.take(name);
  if (names) reading.only(group, Object.keys(names));
  const moved = group.keys();
  for (const key of moved) {
    const entry = group.get(key)!;
    const now = names?.[key] ?? key;
    if (gate.has(now))
      reading.problem(entry.from, `stands beside ${now} of the gate; give one of them`, true);
    else gate.put(now, entry);
  }
  if (moved.length > 0) reading.renamed(group.from, 'options of the gate');
}

function readKind(reading: Reading, gate: Group): void {
  const kind = gate.get('kind');
  if (!kind || typeof kind.value !== 'string') return;
  // The name says of which forge the gate speaks.
  if (kind.value === 'github-actions' && !gate.has('provider'))
    gate.put('provider', { value: 'github', from: kind.from });
  // `custom` was a command before it could be a module.
  const command =
    kind.value === 'custom' && !gate.has('module') && (gate.has('run') || kind.from.at(-2) === 'check');
  const now = command ? 'command' : lookUp(olderKinds, kind.value);
  if (now === undefined) return;
  gate.put('kind', { ...kind, value: now });
  reading.renamed(kind.from, `kind ${now}`, kind.value);
}

function readFeedback(reading: Reading, gate: Group): void {
  const generator = gate.open('feedback')?.get('generator');
  if (!generator) return;
  reading.rename(gate.open('feedback')!, 'generator', 'run');
  if (typeof generator.value !== 'string')
    reading.problem(
      generator.from,
      `expected a command that prints the feedback, found ${show(generator.value)}`,
    );
}
