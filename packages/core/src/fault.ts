import * as z from 'zod';

/** Something around the work went wrong: a missing program, a full disk. Never a failed gate. */
export const Fault = z.object({
  code: z.string(),
  message: z.string(),
  retry: z.union([z.literal('never'), z.object({ afterMs: z.number() })]),
  cause: z.string().optional(),
});
export type Fault = z.infer<typeof Fault>;

export function fault(
  code: string,
  message: string,
  cause?: unknown,
  retry: Fault['retry'] = 'never',
): Fault {
  const text = cause === undefined ? undefined : cause instanceof Error ? cause.message : String(cause);
  return text === undefined ? { code, message, retry } : { code, message, retry, cause: text };
}

/** Carries a fault through a promise; caught at the edge of a room and in the driver. */
export class FaultError extends Error {
  readonly fault: Fault;
  constructor(value: Fault) {
    super(value.message);
    this.name = 'FaultError';
    this.fault = value;
  }
}

/** Ends the process on an impossible state; the log stays. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`invariant broken: ${message}`);
}

/** Closes a switch over a union, so that a new kind shows every place to visit. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}
