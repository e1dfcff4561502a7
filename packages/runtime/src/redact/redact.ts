import { findInContext } from './contexts.ts';
import { findKeys } from './keys.ts';
import { findKnown, type Known, knownSecrets } from './known.ts';
import { findShapes } from './shapes.ts';
import { replaceSpans, type Span } from './span.ts';

/** Finds and hides secrets: those that look like one, and the values that one environment holds. */
export interface Redactor {
  readonly known: readonly Known[];
  /** `inside` says that the text begins within a private key; the answer says whether it ends within one. */
  find(text: string, inside: boolean): { spans: Span[]; inside: boolean };
  redact(text: string): string;
}

export function makeRedactor(environment: NodeJS.ProcessEnv): Redactor {
  const known = knownSecrets(environment);
  const find: Redactor['find'] = (text, inside) => {
    const keys = findKeys(text, inside);
    const spans = [...keys.spans, ...findKnown(text, known), ...findShapes(text), ...findInContext(text)];
    return { spans, inside: keys.inside };
  };
  return { known, find, redact: (text) => replaceSpans(text, find(text, false).spans) };
}

let own: Redactor | undefined;

/** The redactor for what this process and its children know; its environment does not change. */
export function ownRedactor(): Redactor {
  own ??= makeRedactor(process.env);
  return own;
}

/** The text with notes in the place of secrets. */
export const redact = (text: string): string => ownRedactor().redact(text);

/** A value with every text in it redacted, names of fields included. */
export function redactAll<T>(value: T, by: (text: string) => string = redact): T {
  if (typeof value === 'string') return by(value) as T;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one: unknown) => redactAll(one, by)) as T;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [by(name), redactAll(one as unknown, by)]),
  ) as T;
}
