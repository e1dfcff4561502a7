import { createHash } from 'node:crypto';
import type { RunSpec } from '@agentgate/core';

/** The same for the same spec, however its file is written. */
export const specHash = (spec: RunSpec): string => hashOf(spec);

/** The same for the same value, in whatever order its keys stand. */
export const hashOf = (value: unknown): string =>
  createHash('sha256').update(canonical(value)).digest('hex').slice(0, 16);

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return `{${entries
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, one]) => `${JSON.stringify(key)}:${canonical(one)}`)
    .join(',')}}`;
}
