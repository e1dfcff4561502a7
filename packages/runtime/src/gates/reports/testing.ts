import type { Report } from './report.ts';

type Whole = Extract<Report, { kind: 'read' }>;

export function read(report: Report): Whole {
  if (report.kind !== 'read') throw new Error(report.problem);
  return report;
}

export const idsOf = (report: Report): string[] => read(report).findings.map(({ id }) => id);

export const loadsOf = (report: Report): string[] =>
  read(report)
    .findings.filter((one) => one.load)
    .map(({ id }) => id);

/** The ids of the inventory by how the tests ended. */
export function statusesOf(report: Report): Record<string, string[]> {
  const all: Record<string, string[]> = { passed: [], failed: [], skipped: [], todo: [] };
  for (const { id, status } of read(report).cases ?? []) all[status]?.push(id);
  return all;
}
