import { addressOf, type Answered, makeClient, RefusedError } from '@agentgate/server/client';

export type { Answered };
export { addressOf, RefusedError };

/** Asks the server that this page came from. */
export const ask = makeClient();

export interface RunKey {
  workspace: string;
  run: string;
}

export const runRoute = '/api/workspaces/{workspace}/runs/{run}';
export const planRoute = '/api/workspaces/{workspace}/plans/{plan}';

/** The session is over, or there never was one, or not from here: only a link of the server lets a browser in. */
export const isShutOut = (error: unknown): error is RefusedError =>
  error instanceof RefusedError && (error.status === 401 || error.status === 403);
