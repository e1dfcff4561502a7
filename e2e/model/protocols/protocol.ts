import type { Deed } from '../deeds.ts';
import type { Call, Turn } from '../script.ts';

/** The language in which an agent speaks to its model. */
export interface Protocol {
  name: string;
  /** Whether this path of the address belongs to it. */
  isFor(path: string): boolean;
  read(body: Record<string, unknown>, path: string): Omit<Call, 'number' | 'protocol'>;
  /** The answer as one value, or as the events of a stream. */
  whole(answer: Answer): unknown;
  stream(answer: Answer): Iterable<StreamEvent>;
  failure(fail: NonNullable<Turn['fail']>): unknown;
}

export interface Answer {
  id: string;
  model: string;
  say: string;
  deeds: readonly Deed[];
  tokens: { input: number; cached: number; output: number };
}

export interface StreamEvent {
  event?: string;
  data: unknown;
}

type Loose = Record<string, unknown>;

export const isLoose = (value: unknown): value is Loose => typeof value === 'object' && value !== null;
export const listOf = (value: unknown): Loose[] => (Array.isArray(value) ? value.filter(isLoose) : []);

/** All text of a value, wherever it lies in it. */
export function textIn(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textIn).filter(Boolean).join('\n');
  return isLoose(value)
    ? Object.entries(value)
        .filter(([name]) => !isName(name))
        .map(([, one]) => textIn(one))
        .filter(Boolean)
        .join('\n')
    : '';
}

const isName = (name: string): boolean =>
  [
    'type',
    'role',
    'id',
    'call_id',
    'tool_use_id',
    'signature',
    'thoughtSignature',
    'cache_control',
    'encrypted_content',
  ].includes(name);

/** Everybody's words in a list of messages. */
export const saidIn = (body: Loose): { byModel: boolean; text: string }[] =>
  listOf(body['messages']).map((one) => ({
    byModel: one['role'] === 'assistant',
    text: textIn(one['content']),
  }));

/** What came after the model spoke last. */
export function newestOf(said: readonly { byModel: boolean; text: string }[]): string {
  const last = said.findLastIndex((one) => one.byModel);
  return said
    .slice(last + 1)
    .map((one) => one.text)
    .join('\n');
}

/** A stream comes in parts, so that a reader of parts is put to the test. */
export function halves(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  return text.length < 2 ? [text] : [text.slice(0, middle), text.slice(middle)];
}
