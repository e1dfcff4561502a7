import { show, showPath } from '../parse-spec/problem.ts';
import { type Group, lookUp } from './group.ts';
import type { Reading } from './reading.ts';

/** The section of a gate that each level is judged by, and how to write those that say nothing by themselves. */
const sections: Record<string, { name: string; example?: string }> = {
  L0: { name: 'contracts' },
  L1: { name: 'tests', example: 'tests: {run: npm test}' },
  L2: {
    name: 'blackbox',
    example: 'blackbox: [{name: starts, run: ./app --version, expect: {exitCode: 0}}]',
  },
  L3: { name: 'sanity' },
};

/** `levels: [L0, L3]` as the sections themselves. Levels that need commands must say which. */
export function readLevels(reading: Reading, gate: Group): void {
  const levels = gate.take('levels');
  if (!levels) return;
  if (!Array.isArray(levels.value) || levels.value.length === 0)
    return reading.problem(levels.from, `expected a list of L0, L1, L2, L3, found ${show(levels.value)}`);
  levels.value.forEach((level, at) => {
    const from = [...levels.from, at];
    const section = lookUp(sections, level);
    if (!section) return reading.problem(from, `expected one of L0, L1, L2, L3, found ${show(level)}`);
    if (gate.has(section.name)) return;
    if (section.example) reading.problem(from, `${level} needs what it judges by; add ${section.example}`);
    // A level without what it needs is told here; a section that says nothing keeps the rest readable.
    gate.put(section.example ? 'contracts' : section.name, { value: true, from });
    return undefined;
  });
  const names = levels.value.flatMap((level) => lookUp(sections, level)?.name ?? []);
  reading.note(levels.from, `${showPath(levels.from)} is read as ${names.join(', ')}`);
}
