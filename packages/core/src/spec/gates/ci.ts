import * as z from 'zod';
import { Duration } from '../../quantity.ts';
import { forge } from '../forge.ts';
import { strict, text } from '../words.ts';
import { common } from './common.ts';

const names = z
  .union([text('a name'), z.array(text('a name'))], { error: () => 'a name or a list of names' })
  .transform((value) => (typeof value === 'string' ? [value] : value));

const ref = text('a commit or a branch').regex(/^(?!.*\.\.)[^\s~^:?*[\\\x00-\x1f]+$/, {
  error: () => 'a commit or a branch',
});

/** What the CI of a forge says of the commit that has the judged tree. */
export const CiGate = strict({
  kind: z.literal('ci'),
  ...forge,
  /** A commit or a branch; without one the commit is found by the judged tree. */
  ref: ref.optional(),
  /** Names of checks, `*` stands for any part; all of them unless told. */
  checks: names.default([]),
  /** Workflows of GitHub, by their name or their file; all of them unless told. */
  workflow: names.default([]),
  /** The first pause between two looks; it grows to two minutes. */
  poll: Duration.default(15_000),
  ...common,
}).refine((gate) => gate.provider !== 'gitlab' || gate.workflow.length === 0, {
  path: ['workflow'],
  error: () => 'no workflow beside gitlab, which has none; name jobs with checks',
});
