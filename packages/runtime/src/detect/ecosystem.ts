import type { Project } from './project.ts';
import type { ProposedGate } from './proposed-gate.ts';

/** One kind of project: how it is known, which gates it has, and how it gets its first test. */
export interface Ecosystem {
  name: string;
  /** Null when the project is not of this kind; an empty list when it is and shows nothing to judge by. */
  look(project: Project): ProposedGate[] | null;
  /** What can still be judged where there are no tests. */
  lookWithoutTests?(project: Project, gates: readonly ProposedGate[]): ProposedGate[];
  /** How a project of this kind gets its first test, in a sentence or two. */
  firstTest: string;
}
