import * as z from 'zod';
import { Duration } from '../../quantity.ts';
import { command, flag, isRecord, list, oneOf, strict, text, whole } from '../words.ts';
import { CommandGate } from './command.ts';
import { common } from './common.ts';
import { differ, json, jsonSchema, orDefaults, pattern, patterns, size, texts } from './matching.ts';

/** What no project should hold unless its owner ignores it. A list of your own replaces this one. */
export const forbiddenByDefault = [
  '**/.env',
  '**/.env.!(example|sample|template)',
  '**/secrets/**',
  '**/*.pem',
  '**/*.key',
  '**/id_rsa',
  '**/id_ed25519',
];

const Rule = strict({
  field: text('the way to a field, such as scripts.test'),
  exists: flag.optional(),
  type: oneOf('string', 'number', 'integer', 'boolean', 'array', 'object', 'null').optional(),
  matches: pattern.optional(),
}).refine((rule) => rule.exists !== undefined || rule.type !== undefined || rule.matches !== undefined, {
  path: ['exists'],
  error: () => 'what holds for the field: exists, type or matches',
});

const SchemaContract = strict({
  files: list,
  rules: z.array(Rule, { error: () => 'a list of rules' }).default([]),
  jsonSchema: jsonSchema.optional(),
}).refine((one) => one.rules.length > 0 || one.jsonSchema !== undefined, {
  path: ['rules'],
  error: () => 'something that the files must keep: rules or jsonSchema',
});

/** L0: which files there are, and how they look. */
const Contracts = strict({
  required: list.default([]),
  forbidden: list.default(forbiddenByDefault),
  schemas: z.array(SchemaContract, { error: () => 'a list of {files, rules, jsonSchema}' }).default([]),
  naming: z
    .array(strict({ files: list, style: oneOf('kebab', 'snake', 'camel', 'pascal') }), {
      error: () => 'a list of {files, style}',
    })
    .default([]),
}).refine((one) => [one.required, one.forbidden, one.schemas, one.naming].some((part) => part.length > 0), {
  path: ['required'],
  error: () => 'something to check: required, forbidden, schemas or naming',
});

const Step = z.preprocess(
  (value) => (typeof value === 'string' || Array.isArray(value) ? { run: value } : value),
  strict({
    name: text('a name').optional(),
    run: command,
    report: CommandGate.shape.report,
    timeout: Duration.default(120_000),
    expectExit: whole(0, 255).default(0),
  }),
);

const steps = z.preprocess(
  (value) => (typeof value === 'string' || isRecord(value) ? [value] : value),
  z.array(Step, { error: () => 'a list of commands' }),
);

/** L1: what prepares the tests, then the tests. */
const Tests = strict({
  setup: steps.default([]),
  run: steps.refine((all) => all.length > 0, { error: () => 'at least one command' }),
}).refine((one) => differ([...one.setup, ...one.run].map(({ name }) => name)), {
  path: ['run'],
  error: () => 'commands with names that differ',
});

const expectations = {
  /** 0 unless told; `any` for a program whose code means nothing. */
  exitCode: z.union([whole(0, 255), z.literal('any')], {
    error: () => 'a whole number from 0 to 255, or any',
  }),
  stdoutContains: texts,
  stdoutMatches: patterns,
  stderrContains: texts,
  equalsFile: text('the path of a file with the expected output'),
  jsonEquals: json,
  jsonSchema,
};

const Expect = strict(expectations)
  .partial()
  .refine(({ exitCode, ...rest }) => typeof exitCode === 'number' || Object.values(rest).some(isSaid), {
    error: () => `something to expect: ${Object.keys(expectations).join(', ')}`,
  });

function isSaid(value: unknown): boolean {
  return value !== undefined;
}

/** L2: the program from the outside. */
const Blackbox = strict({
  name: text('a name'),
  run: command,
  stdin: z.string({ error: () => 'the text of the standard input' }).optional(),
  /** A folder that is copied to a fresh place; the program works there. */
  fixture: text('a folder of the project').optional(),
  env: z.record(z.string(), z.string(), { error: () => 'variables and their values' }).default({}),
  timeout: Duration.default(60_000),
  expect: Expect,
});

const Forbidden = z.preprocess(
  (value) => (typeof value === 'string' ? { text: value } : value),
  strict({
    text: text('a text').optional(),
    matches: pattern.optional(),
    files: list.default(['**']),
  }).refine((one) => (one.text === undefined) !== (one.matches === undefined), {
    path: ['text'],
    error: () => 'either text or matches',
  }),
);

/** L3: signs of carelessness. Sizes and forbidden texts fail the level; the rest is only said. */
const Sanity = strict({
  maxFileSize: size.default(10 * 2 ** 20),
  forbidText: z.array(Forbidden, { error: () => 'a list of texts' }).default([]),
  tempFiles: flag.default(true),
  debugPrints: flag.default(true),
  todos: flag.default(true),
  missingTests: flag.default(true),
});

/** Four levels in their order; the first that fails leaves the rest not run. */
export const LevelsGate = strict({
  kind: z.literal('levels'),
  contracts: z.preprocess(orDefaults, Contracts.optional()),
  tests: Tests.optional(),
  blackbox: z
    .array(Blackbox, { error: () => 'a list of {name, run, expect}' })
    .min(1, { error: () => 'at least one check' })
    .refine((all) => differ(all.map(({ name }) => name)), { error: () => 'checks with names that differ' })
    .optional(),
  sanity: z.preprocess(orDefaults, Sanity.optional()),
  ...common,
}).refine((gate) => gate.contracts ?? gate.tests ?? gate.blackbox ?? gate.sanity, {
  path: ['contracts'],
  error: () => 'at least one section: contracts, tests, blackbox or sanity',
});
