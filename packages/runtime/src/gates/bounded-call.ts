import { createContext, Script } from 'node:vm';

const call = new Script('work()');
const room: { work: () => unknown } = { work: () => undefined };
createContext(room);

/**
 * Calls something that an agent's text could make endless, such as a pattern that backtracks, and gives up after
 * so long. No other means interrupts a synchronous call, and without it no time-out and no stop would be heard.
 */
export function boundedCall<T>(work: () => T, limitMs = 2_000): T | 'too-long' {
  room.work = work;
  try {
    return call.runInContext(room, { timeout: limitMs }) as T;
  } catch (error) {
    // It comes from the room and is no Error of ours, so only its code tells.
    if ((error as { code?: unknown } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return 'too-long';
    throw error;
  } finally {
    room.work = () => undefined;
  }
}
