import { resolve } from 'node:path';
import type { NamedGate, SpecProblem } from '@agentgate/core';
import { readRegularFile } from '../regular-file.ts';

/** Reads the rubrics that lie in files. They are taken before an agent begins, so that none can change them. */
export function withRubrics(
  root: string,
  gates: readonly NamedGate[],
): { gates: NamedGate[]; problems: SpecProblem[] } {
  const problems: SpecProblem[] = [];
  const read = gates.map((gate) => {
    if (gate.kind !== 'judge' || typeof gate.rubric === 'string') return gate;
    const { file } = gate.rubric;
    const rubric = readRegularFile(resolve(root, file))?.trim() ?? '';
    if (rubric !== '') return { ...gate, rubric };
    const message = `the rubric file ${file} cannot be read, or is empty`;
    problems.push({ path: ['gates', gate.name, 'rubric', 'file'], message });
    return gate;
  });
  return { gates: read, problems };
}
