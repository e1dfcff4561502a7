import * as z from 'zod';
import { oneOf, strict, text, whole } from '../words.ts';
import { common } from './common.ts';

/** A person says yes to one tree. Approvals of another tree do not count. */
export const ApprovalGate = strict({
  kind: z.literal('approval'),
  message: text('what the person is asked').optional(),
  /** Who may answer; anybody with access to the run when nobody is named. */
  approvers: z.array(text('a name'), { error: () => 'a list of names' }).default([]),
  minApprovals: whole(1, 20).default(1),
  /** What silence means once `timeout` is over; without a time-out the gate waits as long as the run does. */
  default: oneOf('reject', 'approve').default('reject'),
  ...common,
}).refine((gate) => gate.approvers.length === 0 || gate.minApprovals <= new Set(gate.approvers).size, {
  path: ['minApprovals'],
  error: () => 'at most as many approvals as there are approvers',
});
