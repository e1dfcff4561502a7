import * as z from 'zod';
import { readDocuments } from './documents.ts';
import { packageProblem, Packages } from './go-packages.ts';
import { reportTests } from './inventory.ts';
import { noProject } from './project.ts';
import type { Reader } from './report.ts';

export const goHead =
  /\{"(?:Time":"[^"\n]{10,40}","|ImportPath":"[^"\n]{1,500}",")?Action":"(?:start|run|pause|cont|output|pass|fail|skip|bench|attr|build-output|build-fail)"/;

/** Reads `go test -json`. Only the innermost tests count; a package that did not build is a failure of its own. */
export const readGo: Reader = (text, project = noProject) => {
  const read = readDocuments(text, 'Go', goHead, Event);
  // Before Go 1.24 a package that does not build is told in words between the events.
  const unbuilt = [...text.matchAll(/^FAIL\s+(\S{1,500}) \[(?:build|setup) failed\]$/gm)].map(
    ([line, name = '']) => ({ line, name }),
  );
  if (read === undefined && unbuilt.length === 0)
    return { kind: 'absent', problem: 'there are no events of go test -json' };
  const packages = new Packages(project);
  for (const event of read?.found ?? []) packages.take(event);
  for (const { name, line } of unbuilt) packages.fail(name, line);
  return reportTests(packages.tested(), read?.problem ?? packageProblem(packages));
};

const Event = z.object({
  Action: z.string(),
  Package: z.string().optional(),
  ImportPath: z.string().optional(),
  Test: z.string().optional(),
  Output: z.string().optional(),
  FailedBuild: z.string().optional(),
});
export type GoEvent = z.output<typeof Event>;
