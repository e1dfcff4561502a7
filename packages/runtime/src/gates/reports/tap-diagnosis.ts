import { projectPlace, tell } from './identity.ts';

export interface Diagnosis {
  /** The file the runner says the test is in. */
  testFile?: string;
  line?: number;
  message?: string;
}

/** Takes what tells from the YAML under a failed point, as Node, Vitest, tape and tap write it. */
export function diagnose(diag: unknown, around: string): Diagnosis {
  const fields = asRecord(diag);
  const at = projectPlace(text(fields['location']) ?? text(fields['at']) ?? '');
  const stack = projectPlace(text(fields['stack']) ?? text(fields['at']) ?? '') ?? at;
  const diagnosis: Diagnosis = {};
  if (at !== undefined) diagnosis.testFile = at.file;
  if (stack !== undefined) diagnosis.line = stack.line;
  const place = stack === undefined ? undefined : `at ${stack.file}:${stack.line}`;
  const message = tell(errorOf(fields, around), valuesOf(fields), place);
  if (message !== undefined) diagnosis.message = message;
  return diagnosis;
}

// Node says no more than `test failed` of a file that ended before its tests; the error itself is printed above.
function errorOf(fields: Record<string, unknown>, around: string): string | undefined {
  const nested = asRecord(fields['error']);
  const error = text(nested['message']) ?? text(fields['error']) ?? text(fields['message']);
  const name = text(nested['name']) ?? text(fields['name']);
  const printed =
    /^\s*(?:Uncaught )?(?:\w+\.)*\w*(?:Error|Exception)\b.*$/m.exec(around)?.[0] ??
    /^\s+message: "([^"]+)/m.exec(around)?.[1];
  if (error === undefined || error === 'test failed') {
    const code = fields['exitCode'];
    return printed ?? (typeof code === 'number' ? `the file ended with exit code ${code}` : error);
  }
  return name === undefined || error.startsWith(name) ? error : `${name}: ${error}`;
}

function valuesOf(fields: Record<string, unknown>): string | undefined {
  if (!('expected' in fields) || !('actual' in fields)) return undefined;
  return `expected: ${show(fields['expected'])}, actual: ${show(fields['actual'])}`;
}

function show(value: unknown): string {
  const shown = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  return shown.length > 150 ? `${shown.slice(0, 149)}…` : shown;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
