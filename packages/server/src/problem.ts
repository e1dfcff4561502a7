import { FaultError } from '@agentgate/core';
import type * as z from 'zod';
import type { Problem } from './contract/index.ts';

export type ProblemStatus = 401 | 403 | 404 | 405 | 409 | 413 | 415 | 422 | 500 | 503 | 504;

const unknown = new Set([
  'run.unknown',
  'run.none',
  'plan.unknown',
  'plan.none',
  'workspace.unknown',
  'route.unknown',
  'output.unknown',
]);

/** How a fault of the world is told over HTTP. */
export function statusOf(code: string): ProblemStatus {
  if (unknown.has(code)) return 404;
  if (code === 'request.invalid') return 422;
  if (code === 'server.slow') return 504;
  if (code === 'state.full' || code === 'letter.full') return 503;
  return code.startsWith('state.') || code.startsWith('log.') ? 500 : 409;
}

export function problemOf(error: unknown): { status: ProblemStatus; problem: Problem } {
  if (error instanceof FaultError) {
    const { code, message } = error.fault;
    return { status: statusOf(code), problem: { kind: 'refused', code, message } };
  }
  // A bug of ours: its words may hold anything, so they stay in the log of the server.
  const message = 'the server met a bug of its own; its output says more, and the runs are not touched';
  return { status: 500, problem: { kind: 'refused', code: 'server.bug', message } };
}

/** What is wrong with a request, each part by its path. */
export function invalid(where: string, error: z.ZodError): { status: 422; problem: Problem } {
  const problems = error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
  const told = problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  return {
    status: 422,
    problem: {
      kind: 'refused',
      code: 'request.invalid',
      message: `the ${where} is not as it should be: ${told.join('; ')}`,
      problems,
    },
  };
}
