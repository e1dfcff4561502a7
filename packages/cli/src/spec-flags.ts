import { FaultError, fault, moveKinds, strategyKinds } from '@agentgate/core';
import { agentNamed, type Override } from '@agentgate/runtime';
import { propose } from './completion/proposals.ts';
import { parsed, repeated } from './flag.ts';
import { type GateFlags, gateOverrides } from './gate-flags.ts';
import { readSet, scalarOf } from './set-flag.ts';

export { type AddFlags, addFlags, readAdded } from './add-flags.ts';

/** The fields of the spec that can be set by flag; `set` reaches every other one. */
export interface SpecFlags extends GateFlags {
  prompt?: string;
  agent?: string;
  strategy?: string;
  maxIterations?: string;
  maxWallClock?: string;
  maxCost?: string;
  maxTokens?: string;
  stuck?: string;
  ask?: boolean;
  deliver?: string;
  notify?: string;
  stateDir?: string;
  integrity?: string;
  sandbox?: string;
  profile?: string;
  set?: readonly string[];
}

export const specFlags = {
  prompt: parsed('the task, in words', 'text'),
  gate: {
    ...repeated('a gate, hard: a command, or name=command', '[name=]command'),
    proposeCompletions: propose.gates,
  },
  softGate: { ...repeated('a gate, soft', '[name=]command'), proposeCompletions: propose.gates },
  agent: parsed('the agent, by name or as a shell command; or give it after --', 'agent'),
  strategy: {
    ...parsed(`${orList(strategyKinds)}; with options as ralph,max=30`, 'name'),
    proposeCompletions: propose.strategies,
  },
  maxIterations: parsed('the most iterations (100)', 'n'),
  maxWallClock: parsed('the most active time (1h)', 'time'),
  maxCost: parsed('the most money', '5usd'),
  maxTokens: parsed('the most tokens', '2M'),
  stuck: parsed(`off, or the moves when the run is stuck: ${moveKinds.join(',')}`, 'off'),
  ask: {
    kind: 'boolean',
    brief: 'ask a person before giving up',
    optional: true,
    withNegated: false,
  },
  deliver: parsed('what becomes of a good tree: none, commit, branch or pr', 'how'),
  notify: parsed('whom to tell: a command, or an address that is called', 'command|url'),
  stateDir: parsed('write the derived files of older tools into this folder', 'dir'),
  integrity: parsed('how far the gates are kept from the agent: strict, guarded or off', 'mode'),
  sandbox: parsed('shut agent and gates in: auto, bwrap or none', 'how'),
  profile: parsed('build upon this profile; agentgate profiles lists them', 'name'),
  set: repeated('any other option by its path, such as limits.maxWait=2h', 'path=value'),
} as const;

/** The flags as settings over the file, each remembering which flag it was. */
export function overridesOf(
  flags: SpecFlags,
  given: { taskFile?: string | undefined; agent?: readonly string[]; gateNames: readonly string[] },
): Override[] {
  const { taskFile, agent = [], gateNames } = given;
  if (taskFile !== undefined && flags.prompt !== undefined) throw bothGiven('a task file', '--prompt');
  if (agent.length > 0 && flags.agent !== undefined) throw bothGiven('--agent', 'a command after --');
  const all: Override[] = [];
  const put = (flag: string, path: string[], value: unknown) => {
    if (value !== undefined) all.push({ flag, path, value });
  };
  if (taskFile !== undefined) put(taskFile, ['task'], { file: taskFile });
  put('--prompt', ['task'], flags.prompt);
  if (flags.agent !== undefined) put('--agent', ['agent'], agentNamed(flags.agent));
  if (agent.length > 0) put('--', ['agent'], { kind: 'command', run: [...agent] });
  all.push(...gateOverrides(flags, gateNames));
  put('--strategy', ['strategy'], flags.strategy && strategyOf(flags.strategy));
  put('--max-iterations', ['limits', 'iterations'], flags.maxIterations && scalarOf(flags.maxIterations));
  put('--max-wall-clock', ['limits', 'wallClock'], flags.maxWallClock);
  put('--max-cost', ['limits', 'cost'], flags.maxCost);
  put('--max-tokens', ['limits', 'tokens'], flags.maxTokens);
  put('--stuck', ['stuck'], flags.stuck && stuckOf(flags.stuck));
  if (flags.ask) put('--ask', ['stuck', 'moves'], withAsk);
  put('--deliver', ['deliver', 'as'], flags.deliver);
  const address = /^https?:\/\//.test(flags.notify ?? '');
  put('--notify', ['notify', address ? 'webhook' : 'run'], flags.notify);
  put('--state-dir', ['stateDir'], flags.stateDir);
  put('--integrity', ['integrity', 'mode'], flags.integrity);
  put('--sandbox', ['sandbox'], flags.sandbox);
  for (const text of flags.set ?? []) all.push(readSet(text));
  return all;
}

function bothGiven(one: string, other: string): FaultError {
  return new FaultError(fault('usage', `${one} and ${other} were both given; give one of them`));
}

/** Reads `ralph,max=30` as a spec file would write it. */
export function strategyOf(text: string): unknown {
  const [kind, ...options] = text.split(',');
  if (options.length === 0) return kind;
  return { kind, ...Object.fromEntries(options.map((option) => pairOf(option))) };
}

function pairOf(option: string): [string, unknown] {
  const at = option.indexOf('=');
  return at < 0 ? [option, true] : [option.slice(0, at), scalarOf(option.slice(at + 1))];
}

const stuckOf = (text: string): unknown =>
  text === 'off' ? 'off' : { moves: text.split(',').map((move) => move.trim()) };

/** Asking comes after whatever is tried before giving up. */
function withAsk(there: unknown): unknown {
  const moves = Array.isArray(there) ? there : moveKinds.filter((move) => move !== 'ask');
  return moves.includes('ask') ? moves : [...moves, 'ask'];
}

function orList(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}
