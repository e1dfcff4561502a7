const last = new Map<string, Promise<unknown>>();

/** Lets gates that start a server at one address do it one after the other, also when they are judged side by side. */
export async function inTurn<T>(
  address: string,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T | 'stopped'> {
  const before = last.get(address) ?? Promise.resolve();
  const takeTurn = async (): Promise<T | 'stopped'> => (signal.aborted ? 'stopped' : work());
  const turn = before.then(takeTurn);
  const ended = turn.catch(() => {}); // Whoever asked for the work gets the error.
  last.set(address, ended);
  try {
    return await turn;
  } finally {
    if (last.get(address) === ended) last.delete(address);
  }
}
