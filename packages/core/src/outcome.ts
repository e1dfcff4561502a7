import * as z from 'zod';

export const Status = z.enum(['converged', 'partial', 'diverged', 'stopped', 'suspended', 'error']);
export type Status = z.infer<typeof Status>;

/** How an ending reads in the vocabularies of the older designs (requirements 3.2). */
export interface Mapped {
  /** One-callback strategies. */
  finalResult: 'success' | 'max_iterations' | 'timeout' | 'strategy_stop' | 'error' | null;
  /** Base-class strategies. */
  action: 'continue' | 'complete' | 'timeout' | 'fail';
  /** Tasks of a plan. */
  task: 'DONE' | 'DONE_WITH_CAVEATS' | 'STUCK' | 'IN_PROGRESS';
  /** Work graphs. */
  graph: 'completed' | 'stopped' | 'running';
  run:
    | 'passed'
    | 'failed_verification'
    | 'failed_timeout'
    | 'failed_build'
    | 'failed_error'
    | 'canceled'
    | null;
}

/** Maps an ending onto every older vocabulary; total over statuses and codes. */
export function mapOutcome(status: Status, code: string): Mapped {
  switch (status) {
    case 'converged':
      return {
        finalResult: 'success',
        action: 'complete',
        task: code === 'goal.met' ? 'DONE' : 'DONE_WITH_CAVEATS',
        graph: 'completed',
        run: 'passed',
      };
    case 'partial':
      return {
        finalResult: 'strategy_stop',
        action: 'complete',
        task: 'STUCK',
        graph: 'stopped',
        run: 'failed_verification',
      };
    case 'diverged':
      return diverged(code);
    case 'stopped':
      return {
        finalResult: 'strategy_stop',
        action: 'fail',
        task: 'IN_PROGRESS',
        graph: 'stopped',
        run: 'canceled',
      };
    case 'suspended':
      return { finalResult: null, action: 'continue', task: 'IN_PROGRESS', graph: 'running', run: null };
    case 'error':
      return {
        finalResult: 'error',
        action: 'fail',
        task: 'STUCK',
        graph: 'stopped',
        run: code === 'error.build' ? 'failed_build' : 'failed_error',
      };
  }
}

function diverged(code: string): Mapped {
  const rest = { task: 'STUCK', graph: 'stopped' } as const;
  if (code === 'limit.iterations') {
    return { ...rest, finalResult: 'max_iterations', action: 'timeout', run: 'failed_verification' };
  }
  if (code.startsWith('limit.')) {
    return { ...rest, finalResult: 'timeout', action: 'timeout', run: 'failed_timeout' };
  }
  return { ...rest, finalResult: 'strategy_stop', action: 'fail', run: 'failed_verification' };
}
