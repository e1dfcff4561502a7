import { parseCount, parseDuration, parseMoney } from '@agentgate/core';
import { parsed } from './flag.ts';

/** What a person grants on `resume`; a list of problems when a value cannot be read. */
export interface AddFlags {
  addIterations?: string;
  addWallClock?: string;
  addCost?: string;
  addTokens?: string;
}

export const addFlags = {
  addIterations: parsed('grant so many iterations more', 'n'),
  addWallClock: parsed('grant so much time more', 'time'),
  addCost: parsed('grant so much money more', '3usd'),
  addTokens: parsed('grant so many tokens more', '500k'),
} as const;

export function readAdded(flags: AddFlags): { added: Record<string, number>; problems: string[] } {
  const added: Record<string, number> = {};
  const problems: string[] = [];
  const read = (
    flag: string,
    text: string | undefined,
    name: string,
    parse: (text: string) => number | null,
    example: string,
  ) => {
    if (text === undefined) return;
    const value = parse(text);
    if (value === null || value <= 0) problems.push(`${flag}: expected ${example}, found "${text}"`);
    else added[name] = value;
  };
  read('--add-iterations', flags.addIterations, 'iterations', parseCount, 'a number such as 5');
  read('--add-wall-clock', flags.addWallClock, 'wallClockMs', parseDuration, 'a duration such as 30m');
  read('--add-cost', flags.addCost, 'costUsd', parseMoney, 'an amount such as 3usd');
  read('--add-tokens', flags.addTokens, 'tokens', parseCount, 'a number such as 500k');
  return { added, problems };
}
