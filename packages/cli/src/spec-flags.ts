import { FaultError, fault, parseCount, parseDuration, parseMoney } from '@agentgate/core';
import type { Override } from '@agentgate/runtime';

/** The fields of the spec that can be set by flag. */
export interface SpecFlags {
  prompt?: string;
  gate?: readonly string[];
  softGate?: readonly string[];
  agent?: string;
  strategy?: string;
  maxIterations?: string;
  maxWallClock?: string;
  maxCost?: string;
  maxTokens?: string;
  integrity?: string;
}

const parsed = (brief: string, placeholder: string) =>
  ({ kind: 'parsed', parse: String, brief, placeholder, optional: true }) as const;
const repeated = (brief: string, placeholder: string) =>
  ({ kind: 'parsed', parse: String, brief, placeholder, optional: true, variadic: true }) as const;

export const specFlags = {
  prompt: parsed('the task, in words', 'text'),
  gate: repeated('a gate, hard: a command, or name=command', '[name=]command'),
  softGate: repeated('a gate, soft', '[name=]command'),
  agent: parsed('the agent, as a shell command; or give it after --', 'command'),
  strategy: parsed('fixed, hybrid or ralph; with options as ralph,max=30', 'name'),
  maxIterations: parsed('the most iterations (100)', 'n'),
  maxWallClock: parsed('the most active time (1h)', 'time'),
  maxCost: parsed('the most money', '5usd'),
  maxTokens: parsed('the most tokens', '2M'),
  integrity: parsed('off: gates run in place', 'off'),
} as const;

/** The flags as settings over the file, each remembering which flag it was. */
export function overridesOf(
  flags: SpecFlags,
  given: { taskFile?: string | undefined; agent?: readonly string[]; gateNames: readonly string[] },
): Override[] {
  const { taskFile, agent = [], gateNames } = given;
  if (taskFile !== undefined && flags.prompt !== undefined) throw bothGiven('a task file', '--prompt');
  if (agent.length > 0 && flags.agent !== undefined) throw bothGiven('--agent', 'a command after --');
  const set: Override[] = [];
  const put = (flag: string, path: string[], value: unknown) => set.push({ flag, path, value });
  if (taskFile !== undefined) put(taskFile, ['task'], { file: taskFile });
  if (flags.prompt !== undefined) put('--prompt', ['task'], flags.prompt);
  if (flags.agent !== undefined) put('--agent', ['agent'], { kind: 'command', run: flags.agent });
  if (agent.length > 0) put('--', ['agent'], { kind: 'command', run: [...agent] });
  set.push(...gateOverrides(flags, gateNames));
  if (flags.strategy !== undefined) put('--strategy', ['strategy'], strategyOf(flags.strategy));
  if (flags.maxIterations !== undefined)
    put('--max-iterations', ['limits', 'iterations'], numberOr(flags.maxIterations));
  if (flags.maxWallClock !== undefined) put('--max-wall-clock', ['limits', 'wallClock'], flags.maxWallClock);
  if (flags.maxCost !== undefined) put('--max-cost', ['limits', 'cost'], flags.maxCost);
  if (flags.maxTokens !== undefined) put('--max-tokens', ['limits', 'tokens'], flags.maxTokens);
  if (flags.integrity !== undefined) put('--integrity', ['integrity'], flags.integrity);
  return set;
}

function bothGiven(one: string, other: string): FaultError {
  return new FaultError(fault('usage', `${one} and ${other} were both given; give one of them`));
}

function gateOverrides({ gate = [], softGate = [] }: SpecFlags, inFile: readonly string[]): Override[] {
  const used = new Set<string>();
  const make = (text: string, flag: string, severity: 'hard' | 'soft'): Override => {
    const { name, run } = splitGate(text);
    if (name !== null && used.has(name)) {
      throw new FaultError(fault('usage', `two gates are named "${name}"; give each a name of its own`));
    }
    // A gate given without a name stands beside those of the file; one given by name takes its place.
    const unique = name ?? uniqueName(gateName(run), new Set([...used, ...inFile]));
    used.add(unique);
    return { flag, path: ['gates', unique], value: { run, severity } };
  };
  return [
    ...gate.map((text) => make(text, '--gate', 'hard')),
    ...softGate.map((text) => make(text, '--soft-gate', 'soft')),
  ];
}

/** `lint=npx eslint .` has a name; `FOO=1 npm test` and `test "$x" = 1` do not. */
function splitGate(text: string): { name: string | null; run: string } {
  const match = /^([a-z][\w.-]*)=(\S[\s\S]*)$/.exec(text);
  return match ? { name: match[1]!, run: match[2]! } : { name: null, run: text };
}

/** A short name for a gate given without one, from the words of its command. */
function gateName(run: string): string {
  const words = run.replaceAll(/["'`$(){}|&;<>\\]/g, ' ').split(/\s+/);
  const telling = words.find((word) =>
    /\b(test|tests|lint|tsc|types?|typecheck|build|check|pytest|eslint|vitest|jest)\b/.test(word),
  );
  const word = telling ?? words.find((one) => /^[\w./@-]+$/.test(one)) ?? 'gate';
  return (
    word
      .split('/')
      .at(-1)!
      .replaceAll(/[^\w.-]/g, '')
      .replace(/^[-.]+/, '')
      .slice(0, 32) || 'gate'
  );
}

/** Gates without a name of their own must not hide each other. */
function uniqueName(name: string, used: ReadonlySet<string>): string {
  let unique = name;
  for (let n = 2; used.has(unique); n++) unique = `${name}-${n}`;
  return unique;
}

function strategyOf(text: string): unknown {
  const [kind, ...options] = text.split(',');
  if (options.length === 0) return kind;
  return { kind, ...Object.fromEntries(options.map((option) => pairOf(option))) };
}

function pairOf(option: string): [string, unknown] {
  const at = option.indexOf('=');
  if (at < 0) return [option, true];
  return [option.slice(0, at), numberOr(option.slice(at + 1))];
}

const numberOr = (text: string): string | number => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text);

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
