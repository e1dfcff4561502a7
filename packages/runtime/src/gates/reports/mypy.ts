import * as z from 'zod';
import { reportPlaces } from './complaints.ts';
import { readDocuments } from './documents.ts';
import { type Found, foundComplaint } from './plain/found.ts';
import { readMypyLines } from './plain/mypy.ts';
import { noProject, type Project } from './project.ts';
import type { Reader } from './report.ts';

export const mypyHead = /\{"file": "[^"\n]{1,1000}", "line": -?\d+, "column": /;

/** Reads mypy's lines and those of `mypy -O json`, which says nothing at all when all is well. */
export const readMypy: Reader = (text, project = noProject) => {
  const read = mypyHead.test(text) ? readDocuments(text, 'mypy', mypyHead, Complaint) : undefined;
  const json = read?.found.map((one) => complaintOf(one, project)).filter((one) => one !== undefined) ?? [];
  const lines = readMypyLines(text.split(/\r?\n/), project);
  const found = [...json, ...lines];
  return reportPlaces(found, read?.problem ?? oddProblem(text, read) ?? countProblem(text, found));
};

const Complaint = z.object({
  file: z.string(),
  line: z.number().int(),
  column: z.number().int(),
  message: z.string(),
  code: z.string().nullish(),
  severity: z.string(),
});
type Complaint = z.output<typeof Complaint>;

function complaintOf(one: Complaint, project: Project): Found | undefined {
  if (one.severity === 'note') return undefined;
  return foundComplaint(
    {
      kind: 'type',
      rule: one.code ?? 'error',
      file: project.clean(one.file),
      line: one.line,
      column: one.column,
      message: project.clean(one.message),
      level: one.severity === 'error' ? 'error' : 'warning',
      load: one.code === 'syntax',
    },
    project,
  );
}

/** Success is silence, so a line that could be a complaint must not be passed over. */
function oddProblem(text: string, read: object | undefined): string | undefined {
  return read === undefined && /^\{/m.test(text)
    ? 'the mypy report is not in a form that is known'
    : undefined;
}

function countProblem(text: string, found: readonly Found[]): string | undefined {
  const counted = /^Found (\d{1,9}) errors? in /m.exec(text)?.[1];
  return counted !== undefined && Number(counted) > found.length
    ? `mypy counts ${counted} errors and names ${found.length}`
    : undefined;
}
