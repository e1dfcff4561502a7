import { join } from 'node:path';
import type { Ecosystem } from './ecosystem.ts';
import { openProject, type Project } from './project.ts';
import type { ProposedGate } from './proposed-gate.ts';

/** Enough to find the parts of a repository, and few enough to read as gates. */
const mostParts = 12;

/** The tests of the parts below a root that has none of its own, each run in its directory. */
export function subprojectGates(project: Project, ecosystems: readonly Ecosystem[]): ProposedGate[] {
  return partsOf(project).flatMap((dir) => {
    const part = openProject(join(project.root, dir));
    const gates = ecosystems.map((one) => one.look(part)).find((found) => found && found.length > 0) ?? [];
    return gates.flatMap((gate) =>
      'run' in gate
        ? [
            {
              ...gate,
              name: `${dir.replaceAll('/', '.')}-${gate.name}`,
              run: `cd ${dir} && ${gate.run}`,
              because: `in ${dir}: ${gate.because}`,
            },
          ]
        : [],
    );
  });
}

const manifests =
  /^(?<dir>[\w.-]+(\/[\w.-]+)?)\/(package\.json|pyproject\.toml|setup\.py|requirements\.txt|go\.mod|Cargo\.toml|pom\.xml|build\.gradle(\.kts)?|composer\.json|Gemfile|mix\.exs|deno\.jsonc?|CMakeLists\.txt)$/;

/** What is only looked at, shown or copied is not part of the work. */
const aside =
  /(^|\/)(fixtures?|testdata|tests?|e2e|examples?|samples?|demos?|docs?|templates?|scripts|tools)(\/|$)/;

function partsOf(project: Project): string[] {
  const dirs = project.files().map((path) => manifests.exec(path)?.groups?.['dir']);
  const parts = [...new Set(dirs)].filter((dir) => dir !== undefined && !aside.test(dir)) as string[];
  // A part inside a part is run by the one around it.
  return parts.filter((dir) => !parts.some((other) => dir.startsWith(`${other}/`))).slice(0, mostParts);
}
