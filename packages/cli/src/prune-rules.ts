import { parseBytes, parseDuration } from '@agentgate/core';
import type { Rules } from '@agentgate/runtime';

export interface PruneFlags {
  olderThan?: string;
  keep?: string;
  maxSize?: string;
}

/** What the flags of `prune` ask for; null when they ask for nothing. */
export function readRules(flags: PruneFlags): { rules: Rules | null; problems: string[] } {
  const rules: Rules = {};
  const problems: string[] = [];
  const read = (
    [flag, text]: [string, string | undefined],
    name: keyof Rules,
    parse: (text: string) => number | null,
    example: string,
  ) => {
    if (text === undefined) return;
    const value = parse(text);
    if (value === null || !Number.isFinite(value))
      problems.push(`${flag}: expected ${example}, found "${text}"`);
    else rules[name] = value;
  };
  read(['--older-than', flags.olderThan], 'olderThanMs', parseDuration, 'a duration such as 30d');
  read(['--keep', flags.keep], 'keep', parseWhole, 'a whole number such as 10');
  read(['--max-size', flags.maxSize], 'maxBytes', parseBytes, 'a size such as 2GB');
  return { rules: Object.keys(rules).length === 0 ? null : rules, problems };
}

const parseWhole = (text: string): number | null => (/^\d+$/.test(text.trim()) ? Number(text) : null);
