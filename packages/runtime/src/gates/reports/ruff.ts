import * as z from 'zod';
import { reportPlaces } from './complaints.ts';
import { readDocuments, readEntries } from './documents.ts';
import { type Found, foundComplaint } from './plain/found.ts';
import { noProject, type Project } from './project.ts';
import type { Reader } from './report.ts';

export const ruffHead = /\[\s*\{\s*"(?:cell"\s*:\s*[^,{}]{1,20},\s*")?code"\s*:/;

/** Reads `ruff check --output-format json`. An empty list is what a clean project gives. */
export const readRuff: Reader = (text, project = noProject) => {
  const read = readDocuments(text, 'Ruff', ruffHead, z.array(z.unknown()));
  if (read === undefined) return { kind: 'absent', problem: 'there is no JSON report of Ruff' };
  const { entries, odd } = readEntries(read.found.flat(), Complaint);
  const problem = read.problem ?? (odd ? 'the report has an entry that cannot be read' : undefined);
  return reportPlaces(
    entries.map((one) => complaintOf(one, project)),
    problem,
  );
};

const Complaint = z.object({
  code: z.string().nullish(),
  filename: z.string(),
  location: z.object({ row: z.number().int(), column: z.number().int() }),
  message: z.string(),
});
type Complaint = z.output<typeof Complaint>;

function complaintOf({ code, filename, location, message }: Complaint, project: Project): Found {
  const rule = code ?? 'invalid-syntax';
  return foundComplaint(
    {
      kind: 'lint',
      rule,
      file: project.clean(filename),
      line: location.row,
      column: location.column,
      message: project.clean(message),
      load: rule === 'invalid-syntax' || rule === 'E999',
    },
    project,
  );
}
