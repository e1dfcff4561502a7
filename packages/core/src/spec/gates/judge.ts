import * as z from 'zod';
import { command, oneOf, share, strict, text } from '../words.ts';
import { common } from './common.ts';

const rubric = z.union([text('what the judge looks for'), strict({ file: text('the path of a file') })], {
  error: () => 'what the judge looks for, in words, or {file: RUBRIC.md}',
});

/** A program judges by a rubric, most often with a model behind it. Its word alone never makes a hard gate pass. */
export const JudgeGate = strict({
  kind: z.literal('judge'),
  /** Gets the rubric and the change as JSON on its standard input, and answers with one JSON object. */
  run: command,
  rubric,
  /** The least score, from 0 to 1; without it the judge says passed or not. */
  minScore: share.optional(),
  /** A person must agree after the judge did. */
  confirm: oneOf('person').optional(),
  ...common,
}).refine((gate) => gate.severity === 'soft' || gate.confirm === 'person', {
  path: ['severity'],
  error: () =>
    'soft: a judge alone cannot make a hard gate pass; set severity: soft, or confirm: person so that a person agrees',
});
