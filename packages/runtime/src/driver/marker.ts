/** The word in the environment of every process that a run starts, by which all of them are found again. */
export const markerOf = (runId: string): string => `agentgate-${runId}`;
