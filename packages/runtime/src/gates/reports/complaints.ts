import { numbered } from './identity.ts';
import { type Found, once } from './plain/found.ts';
import type { Report } from './report.ts';

/** A report about places in files. Warnings are kept aside: they did not turn the gate red unless nothing else did. */
export function reportPlaces(found: readonly Found[], problem?: string): Extract<Report, { kind: 'read' }> {
  const all = once(found);
  const of = (level: Found['level']) =>
    numbered(all.filter((one) => one.level === level).map(({ finding }) => finding));
  const report: Extract<Report, { kind: 'read' }> = {
    kind: 'read',
    findings: of('error'),
    warnings: of('warning'),
    complete: true,
  };
  return problem === undefined ? report : { ...report, complete: false, problem };
}
