const names: Record<string, string> = { command: 'agentgate plan stop', api: 'somebody at the server' };

/** Who stopped a plan, in words. */
export const stopperWords = (by: string): string => names[by] ?? by;
