import { reportPlaces } from './complaints.ts';
import { readTscLines } from './plain/compilers.ts';
import { noProject } from './project.ts';
import type { Reader } from './report.ts';

/** Reads the errors of the TypeScript compiler, plain or pretty. It says nothing when all is well. */
export const readTsc: Reader = (text, project = noProject) => {
  const found = readTscLines(
    text.split(/\r?\n/).map((line) => line.slice(0, 2_000)),
    project,
  );
  const counted = /^Found (\d{1,9}) errors?\b/m.exec(text)?.[1];
  const fewer = counted !== undefined && Number(counted) > found.length;
  return reportPlaces(found, fewer ? `tsc counts ${counted} errors and names ${found.length}` : undefined);
};
