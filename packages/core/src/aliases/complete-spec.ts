import type * as z from 'zod';
import { type RunSpec, SpecFile } from '../spec.ts';
import { AgentKinds } from '../spec/agents.ts';
import { GateKinds } from '../spec/gates/index.ts';
import { Integrity } from '../spec/integrity.ts';
import { StrategyKinds } from '../spec/strategies.ts';
import { isRecord } from '../spec/words.ts';

/**
 * A stored spec with every field that was added since it was written, so that old logs fold. What is there stays as
 * it is, and where a default of today would change how an old run decides, the new field says what was meant then.
 */
export function completeSpec(stored: RunSpec): RunSpec {
  const { gates, strategy, agent, integrity, ...rest } = stored;
  const filled = {
    // A run of then had no ladder: stuck was the end.
    ...fill(rest, { ...defaultsOf(SpecFile.shape), stuck: { moves: [], patience: 2 } }),
    // A run of then had no integrity but `off`, which was a word alone.
    integrity: isRecord(integrity) ? integrity : Integrity.parse('off'),
    gates: gates.map((gate) => fill(gate, defaultsOfKind(GateKinds.options, gate))),
    strategy: fill(strategy, defaultsOfKind(StrategyKinds.options, strategy)),
    agent: fill(agent, defaultsOfKind(AgentKinds.options, agent)),
  };
  return filled as unknown as RunSpec;
}

interface Kind {
  shape: { kind: { value: string } } & Record<string, z.ZodType>;
}

function defaultsOfKind(kinds: readonly unknown[], { kind }: { kind: string }): object {
  const found = (kinds as readonly Kind[]).find(({ shape }) => shape.kind.value === kind);
  return found ? defaultsOf(found.shape) : {};
}

/** What each field is when nothing is said about it. */
function defaultsOf(shape: Record<string, z.ZodType>): object {
  const known = defaults.get(shape);
  if (known) return known;
  const found = Object.fromEntries(
    Object.entries(shape).flatMap(([key, field]) => {
      const { data } = field.safeParse(undefined);
      return data === undefined ? [] : [[key, data]];
    }),
  );
  defaults.set(shape, found);
  return found;
}

const defaults = new WeakMap<object, object>();

function fill(stored: object, defaults: object): object {
  const known = defaults as Record<string, unknown>;
  const there = Object.entries(stored).map(([key, value]) => {
    const inner = known[key];
    return [key, isRecord(value) && isRecord(inner) ? fill(value, inner) : value];
  });
  const missing = Object.entries(defaults).filter(([key]) => !Object.hasOwn(stored, key));
  return Object.fromEntries([...there, ...missing]);
}
