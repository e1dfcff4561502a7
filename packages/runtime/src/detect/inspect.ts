import { ciGates, ciName } from './ci/index.ts';
import { cmake } from './cmake.ts';
import { deno } from './deno.ts';
import { dotnet } from './dotnet.ts';
import type { Ecosystem } from './ecosystem.ts';
import { go } from './go.ts';
import { javascript } from './javascript.ts';
import { jvm } from './jvm.ts';
import { makeGates } from './make.ts';
import { php } from './php.ts';
import { plain } from './plain.ts';
import { openProject, type Project } from './project.ts';
import { missingProofs, type ProposedGate, withGates } from './proposed-gate.ts';
import { python } from './python.ts';
import { ruby } from './ruby.ts';
import { rust } from './rust.ts';
import { staticFiles } from './static-files.ts';
import { subprojectGates } from './subprojects.ts';
import { justGates, taskGates } from './task-files.ts';

/** What a look at a project found. */
export interface Inspection {
  gates: ProposedGate[];
  /** The kinds of project it is, the main one first. */
  ecosystems: string[];
  /** Whether one of the gates runs tests. */
  tested: boolean;
  /** How this project gets its first test; null when it has some, or when nothing tells what it is. */
  firstTest: string | null;
}

const languages: readonly Ecosystem[] = [
  javascript,
  deno,
  python,
  go,
  rust,
  jvm,
  dotnet,
  ruby,
  php,
  ...plain,
  cmake,
];

/** Looks at a project and proposes its gates. Reads files, runs nothing. */
export function inspectProject(root: string): Inspection {
  const project = openProject(root);
  const known = look(project, languages);
  const kinds = known.length > 0 ? known : look(project, [staticFiles]);
  const own = kinds.reduce<ProposedGate[]>(
    (there, { one, gates }) => withGates(there, gates, ({ name }) => `${one.name}-${name}`),
    [],
  );
  const seen = withCi(project, withParts(project, withTargets(project, own)));
  const tested = isTested(seen);
  const gates = tested ? seen : kinds.reduce((there, { one }) => withLeast(project, there, one), seen);
  return {
    gates,
    ecosystems: kinds.map(({ one }) => one.name),
    tested,
    firstTest: tested ? null : (kinds[0]?.one.firstTest ?? null),
  };
}

/** The gates alone. */
export const proposeGates = (root: string): ProposedGate[] => inspectProject(root).gates;

function look(
  project: Project,
  ecosystems: readonly Ecosystem[],
): { one: Ecosystem; gates: ProposedGate[] }[] {
  return ecosystems.flatMap((one) => {
    const gates = one.look(project);
    return gates === null ? [] : [{ one, gates }];
  });
}

/** A task runner mostly wraps what the language already showed, so it only adds what is missing. */
function withTargets(project: Project, gates: ProposedGate[]): ProposedGate[] {
  return [makeGates, justGates, taskGates].reduce(
    (there, look) => withGates(there, missingProofs(there, look(project))),
    gates,
  );
}

function withParts(project: Project, gates: ProposedGate[]): ProposedGate[] {
  return isTested(gates) ? gates : withGates(gates, subprojectGates(project, languages));
}

function withCi(project: Project, gates: ProposedGate[]): ProposedGate[] {
  return withGates(gates, ciGates(project, gates), ciName);
}

function withLeast(project: Project, gates: ProposedGate[], one: Ecosystem): ProposedGate[] {
  return withGates(gates, one.lookWithoutTests?.(project, gates) ?? []);
}

const isTested = (gates: readonly ProposedGate[]): boolean => gates.some(({ proves }) => proves === 'tests');
