import * as z from 'zod';
import { Duration } from '../quantity.ts';
import { forge } from './forge.ts';
import { command, oneOf, strict, text } from './words.ts';

/** What becomes of a good tree: nothing, a commit under our own refs, a branch, or a pull request. Never the user's checkout. */
export const Deliver = z.preprocess(
  (value) => (typeof value === 'string' ? { as: value } : value),
  strict({
    as: oneOf('none', 'commit', 'branch', 'pr').default('none'),
    /** Which endings are delivered by themselves. */
    on: oneOf('converged', 'clean', 'any').default('converged'),
    branchPrefix: text('the beginning of the branch name').default('agentgate/'),
    commitPrefix: z.string({ error: () => 'the beginning of the commit message' }).default(''),
    /** For a pull request: what to merge into, and where, as the gate `ci` says it. */
    base: text('the branch to merge into').optional(),
    ...forge,
  }),
);

/** Whom to tell at the end, on escalation and while waiting. */
export const Notify = z.preprocess(
  (value) => (typeof value === 'string' || Array.isArray(value) ? { run: value } : value),
  strict({
    run: command.optional(),
    webhook: z.url({ protocol: /^https?$/, error: () => 'an http or https address' }).optional(),
    on: z
      .array(oneOf('end', 'escalation', 'waiting'), {
        error: () => 'a list of end, escalation, waiting',
      })
      .default(['end', 'escalation', 'waiting']),
    timeout: Duration.default(10_000),
  }).optional(),
);
