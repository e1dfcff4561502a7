import { createHmac } from 'node:crypto';
import { agentKinds, type NamedGate, type Observation } from '@agentgate/core';
import type { Trace } from './trace.ts';

/** Agents whose name says nothing about their user. */
const publicAgents: ReadonlySet<string> = new Set(agentKinds.filter((kind) => kind !== 'command'));

/**
 * A trace that may leave the machine: numbers, kinds and keyed hashes. Without the key nobody can find out by guessing
 * what a hash stands for; with the same key the same things have the same hash.
 */
export function anonymous(trace: Trace, gates: readonly NamedGate[], key: Uint8Array): Trace {
  const hash = (text: string): string => createHmac('sha256', key).update(text).digest('hex').slice(0, 16);
  const maybe = (text: string | null | undefined) => (text ? { of: hash(text) } : null);
  const { v, mode, horizon, solved, tokensTotal, endedBy, ignoredStop } = trace;
  return {
    v,
    source: hash(trace.source),
    suite: hash(trace.suite),
    task: hash(trace.task),
    model: agentWithoutWords(trace.model, hash),
    ...(trace.run ? { run: hash(trace.run) } : {}),
    mode,
    horizon,
    solved,
    ...(tokensTotal === undefined ? {} : { tokensTotal }),
    ...(endedBy ? { endedBy } : {}),
    ...(ignoredStop ? { ignoredStop } : {}),
    iterations: trace.iterations.map((one) => withoutWords(one, gates, maybe)),
  };
}

type Maybe = (text: string | null | undefined) => { of: string } | null;

/** Field by field, so that one which is added later does not leave the machine by itself. */
function withoutWords(one: Observation, gates: readonly NamedGate[], maybe: Maybe): Observation {
  const { ok, score, passed, failed, total, outChars, sim, costUsd, tokens, durationMs } = one;
  const numbers = { passed, failed, total, outChars, sim, costUsd, tokens, durationMs };
  const known = Object.entries(numbers).filter(([, value]) => value !== undefined && value !== null);
  const keys = { failKey: maybe(one.failKey), failSet: maybe(one.failSet), out: maybe(one.out) };
  const hashes = Object.entries(keys).flatMap(([name, value]) => (value ? [[name, value.of] as const] : []));
  return { ok, score, gate: gateKind(one.gate, gates), ...Object.fromEntries([...known, ...hashes]) };
}

/** `command-2` for the second gate of a spec; its name is its owner's. */
function gateKind(name: string, gates: readonly NamedGate[]): string {
  const at = gates.findIndex((gate) => gate.name === name);
  return at === -1 ? 'build' : `${gates[at]!.kind}-${at + 1}`;
}

function agentWithoutWords(agent: string, hash: (text: string) => string): string {
  const [kind = '', ...model] = agent.split(' ');
  if (!publicAgents.has(kind)) return `command-${hash(agent)}`;
  return model.length === 0 ? kind : `${kind}-${hash(model.join(' '))}`;
}
