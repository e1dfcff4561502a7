import * as z from 'zod';
import { Duration } from '../../quantity.ts';
import { Environment } from './environment.ts';
import { room } from './room.ts';
import { amount, command, flag, list, oneOf, strict, text, whole } from '../words.ts';

const Backoff = strict({
  initial: Duration.default(1_000),
  max: Duration.default(60_000),
  multiplier: amount(1, 10).default(2),
});

/** What every kind of gate may say about itself. */
export const common = {
  severity: oneOf('hard', 'soft').default('hard'),
  baseline: oneOf('absolute', 'no-new').default('absolute'),
  timeout: Duration.optional(),
  /** Escalation tells a person and goes on; a hard gate blocks all the same. */
  onFailure: oneOf('iterate', 'stop', 'escalate').default('iterate'),
  maxAttempts: whole(1, 100).optional(),
  /** A pause before the next iteration while this gate fails, longer each time. */
  backoff: Backoff.optional(),
  /** `skip-remaining` spares the gates after this one while it passes; none is spared before the run converges. */
  onSuccess: oneOf('continue', 'skip-remaining').default('continue'),
  /** `on-change` judges again only when the inputs changed; `manual` only in `agentgate check`. */
  when: oneOf('always', 'on-change', 'manual').default('always'),
  /** `gate.<name>.passed`, `gate.<name>.failed`, or `iteration < 3`. */
  skipIf: text('a condition such as gate.tests.failed or iteration < 3').optional(),
  /** What the verdict depends on; a green verdict is used again while none of it changed. */
  inputs: list.optional(),
  /** Paths that this gate judges by, which the agent must not change. */
  protect: list.default([]),
  /** A failure that passes when it is tried again is flaky, never green. */
  flaky: strict({
    rerun: whole(1, 10).default(2),
    /** Until this day a known flaky failure does not block. */
    quarantineUntil: z.iso.date({ error: () => 'a day such as 2027-01-31' }).optional(),
  }).optional(),
  /** The agent is told nothing of it but whether it passed. */
  heldOut: flag.default(false),
  ...room,
  /** Variables of the caller that its programs get beside the harmless ones, or variables with values. */
  env: Environment.optional(),
  /** May run beside other gates that say so too. */
  parallel: flag.optional(),
  /** What the agent is told while this gate fails. */
  feedback: z
    .union(
      [oneOf('auto', 'manual'), strict({ text: text('what to tell the agent') }), strict({ run: command })],
      { error: () => 'auto, manual, {text: …} or {run: command}' },
    )
    .default('auto'),
};
