import * as z from 'zod';
import { Duration } from '../../quantity.ts';
import { amount, command, flag, list, strict, text } from '../words.ts';
import { asItem, asQuality } from './checklist-forms.ts';
import { common } from './common.ts';

interface Named {
  name?: string;
}

/** One thing on a checklist, or a group of them. */
export type ChecklistItem = Named &
  (
    | { kind: 'all-of' | 'any-of'; items: ChecklistItem[] }
    | { kind: 'command' | 'not-command'; run: string | string[]; timeout: number }
    | { kind: 'file' | 'not-file'; path: string }
    | { kind: 'assertion'; text: string }
    | ({ kind: 'quality' } & Quality)
  );

export type Quality = z.output<typeof Quality>;

const Criterion = z.preprocess(
  (value) => (typeof value === 'string' ? { name: value } : value),
  strict({
    name: text('a criterion'),
    description: text('what it asks for').optional(),
    weight: amount(0.01, 100).default(1),
  }),
);

/** Judged by a program, or by a person. Not judged is never passed. */
const Quality = strict({
  criteria: z
    .array(Criterion, { error: () => 'a list of criteria' })
    .min(1, { error: () => 'at least one criterion' })
    .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, {
      error: () => 'criteria with names that differ',
    }),
  /** The least weighted mean of the scores, which go from 1 to 5. */
  threshold: amount(1, 5).default(4),
  /** Gets the rubric as JSON on its standard input and answers {"scores": {criterion: 1 to 5}}. */
  run: command.optional(),
  timeout: Duration.default(60_000),
  /** A person must agree as well. */
  confirmed: flag.default(false),
  /** The files that the judge should look at. */
  scope: list.default([]),
}).refine((one) => one.run !== undefined || one.confirmed, {
  path: ['run'],
  error: () => 'a command that judges, or confirmed: true so that a person does',
});

const Item: z.ZodType<ChecklistItem> = z.lazy(() => z.preprocess(asItem, Options.transform(toItem)));

const items = z
  .array(Item, { error: () => 'a list of checks' })
  .min(1, { error: () => 'at least one check' });

const checks = {
  command: command.optional(),
  not_command: command.optional(),
  file: text('a path or a glob').optional(),
  not_file: text('a path or a glob').optional(),
  assertion: text('a statement that a person confirms').optional(),
  quality: z.preprocess(asQuality, Quality.optional()),
  all_of: items.optional(),
  any_of: items.optional(),
};

const Options = strict({
  name: text('a name').optional(),
  ...checks,
  timeout: Duration.default(60_000),
}).refine((item) => kindsIn(item).length === 1, {
  error: () => `exactly one of ${Object.keys(checks).join(', ')}`,
});

/** Things that must all hold; groups of them may ask for any or for all. */
export const ChecklistGate = strict({
  kind: z.literal('checklist'),
  items,
  ...common,
}).refine(
  (gate) =>
    gate.severity === 'soft' || gate.items.some((one) => !isJudgedAlone(one)) || gate.items.length === 0,
  {
    path: ['items'],
    error: () =>
      'a check that needs no judgement: a judged quality alone cannot make a hard gate pass; set confirmed: true so that a person agrees, add another check, or make the gate soft',
  },
);

/** Whether nothing but the judgement of a program could make it hold. */
function isJudgedAlone(item: ChecklistItem): boolean {
  switch (item.kind) {
    case 'quality':
      return !item.confirmed;
    case 'all-of':
      return item.items.every(isJudgedAlone);
    case 'any-of':
      return item.items.some(isJudgedAlone);
    default:
      return false;
  }
}

function toItem(options: z.output<typeof Options>): ChecklistItem {
  const { name, timeout } = options;
  const named = name === undefined ? {} : { name };
  if (options.all_of) return { kind: 'all-of', ...named, items: options.all_of };
  if (options.any_of) return { kind: 'any-of', ...named, items: options.any_of };
  if (options.command) return { kind: 'command', ...named, run: options.command, timeout };
  if (options.not_command) return { kind: 'not-command', ...named, run: options.not_command, timeout };
  if (options.file) return { kind: 'file', ...named, path: options.file };
  if (options.not_file) return { kind: 'not-file', ...named, path: options.not_file };
  if (options.quality) return { kind: 'quality', ...named, ...options.quality };
  return { kind: 'assertion', ...named, text: options.assertion ?? '' };
}

const kindsIn = (item: Record<string, unknown>): string[] =>
  Object.keys(checks).filter((key) => item[key] !== undefined);
