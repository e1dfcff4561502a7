import { randomBytes } from 'node:crypto';
import { agentEnvironment, supervise } from '../process/index.ts';

/** What a program said when it was asked, or why it said nothing. */
export type Answer = { kind: 'answered'; code: number; output: string } | { kind: 'silent'; why: string };

/** Long enough for the slowest agent to say its version on a cold disk. */
const patienceMs = 5_000;

/** Starts a program for a short answer, and ends it with all it started when it does not give one. */
export async function ask(
  argv: readonly [string, ...string[]],
  cwd: string,
  env: NodeJS.ProcessEnv,
  timeoutMs = patienceMs,
): Promise<Answer> {
  const { end, output } = await supervise({
    argv,
    cwd,
    env: agentEnvironment(env),
    marker: `agentgate-doctor-${randomBytes(6).toString('hex')}`,
    timeoutMs,
    graceMs: 500,
    headBytes: 16_384,
    tailBytes: 1_024,
  });
  switch (end.kind) {
    case 'exited':
      return { kind: 'answered', code: end.code, output };
    case 'timed-out':
      return { kind: 'silent', why: `no answer within ${timeoutMs / 1_000} s` };
    case 'signalled':
      return { kind: 'silent', why: `it was ended by ${end.signal}` };
    case 'unable':
      return { kind: 'silent', why: end.fault.message };
    case 'aborted':
      return { kind: 'silent', why: 'it was interrupted' };
  }
}
