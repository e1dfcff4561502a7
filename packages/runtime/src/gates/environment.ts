import type { NamedGate, Verdict } from '@agentgate/core';
import { agentEnvironment, gateEnvironment, withheldNames } from '../process/index.ts';

/** The environment of what a gate runs, with what the gate itself says about it. */
export function environmentOf(
  gate: NamedGate,
  extra: Record<string, string> = {},
  base: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
  const { env = [] } = gate;
  const [passed, set] = Array.isArray(env) ? [env, {}] : [[], env];
  // A judge is a program of the user's that needs its own login, as an agent does.
  if (gate.kind === 'judge') return agentEnvironment(base, { ...set, ...extra });
  return gateEnvironment(base, { ...set, ...extra }, passed);
}

/** A failure whose words ask for a variable that is set here and withheld says what to do about it. */
export function withWithheld(verdict: Verdict, gate: NamedGate, output: string, base = process.env): Verdict {
  if (verdict.kind !== 'failed') return verdict;
  const names = withheldNames(output, base, environmentOf(gate, {}, base)).slice(0, 5);
  if (names.length === 0) return verdict;
  const list = names.join(', ');
  const what = `agentgate: ${list} ${names.length === 1 ? 'is' : 'are'} set here and not passed on to gates; where gate ${gate.name} needs that, say env: [${list}]`;
  return { ...verdict, excerpt: `${verdict.excerpt}\n${what}` };
}
