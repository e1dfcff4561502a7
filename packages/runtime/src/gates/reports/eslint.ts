import * as z from 'zod';
import { reportPlaces } from './complaints.ts';
import { readDocuments, readEntries } from './documents.ts';
import { type Found, foundComplaint } from './plain/found.ts';
import { noProject, type Project } from './project.ts';
import type { Reader } from './report.ts';

export const eslintHead = /\[\s*\{\s*"filePath"\s*:\s*"/;

/** Reads `eslint -f json`. A file without a complaint is in it too, so an empty list says that nothing was looked at. */
export const readEslint: Reader = (text, project = noProject) => {
  const read = readDocuments(text, 'ESLint', eslintHead, z.array(z.unknown()));
  if (read === undefined) return { kind: 'absent', problem: 'there is no JSON report of ESLint' };
  const files = readEntries(read.found.flat(), File);
  const lists = files.entries.map((file) => ({ file, ...readEntries(file.messages, Message) }));
  const odd = files.odd || lists.some((one) => one.odd);
  const found = lists.flatMap(({ file, entries }) => entries.map((one) => complaintOf(file, one, project)));
  const own = odd ? 'the report has an entry that cannot be read' : problemOf(lists);
  const report = reportPlaces(found, read.problem ?? own);
  return { ...report, scope: files.entries.map((file) => project.clean(file.filePath)) };
};

const File = z.object({
  filePath: z.string(),
  messages: z.array(z.unknown()),
  errorCount: z.number().int().nonnegative(),
});
type File = z.output<typeof File>;

const Message = z.object({
  ruleId: z.string().nullish(),
  severity: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  message: z.string(),
  line: z.number().int().nullish(),
  column: z.number().int().nullish(),
  fatal: z.boolean().nullish(),
});
type Message = z.output<typeof Message>;

function problemOf(lists: readonly { file: File; entries: readonly Message[] }[]): string | undefined {
  if (lists.length === 0) return 'ESLint looked at no file';
  const counted = lists.reduce((sum, { file }) => sum + file.errorCount, 0);
  const seen = lists.reduce((sum, one) => sum + one.entries.filter(isError).length, 0);
  return counted === seen ? undefined : `the report counts ${counted} errors and names ${seen}`;
}

const isError = (one: Message): boolean => one.severity === 2;

function complaintOf(file: File, one: Message, project: Project): Found {
  return foundComplaint(
    {
      kind: 'lint',
      rule: one.ruleId ?? 'error',
      file: project.clean(file.filePath),
      line: one.line ?? undefined,
      column: one.column ?? undefined,
      message: project.clean(one.message),
      level: isError(one) ? 'error' : 'warning',
      load: one.fatal === true,
    },
    project,
  );
}
