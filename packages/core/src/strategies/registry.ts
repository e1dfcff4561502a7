import { nearest } from '../text/index.ts';
import type { Strategy } from './strategy.ts';

export type StrategyFactory = (config: never) => Strategy;

interface Entry {
  factory: StrategyFactory;
  description: string;
}

/** Strategies by type. Types are open: a registered one stands beside the built-in ones. */
export interface StrategyRegistry {
  register(type: string, factory: StrategyFactory, options: { description: string; replace?: boolean }): void;
  create(type: string, config: unknown): Strategy;
  list(): string[];
  has(type: string): boolean;
  describe(): { type: string; description: string }[];
  unregister(type: string): boolean;
}

/** Makes a registry of its own, sharing nothing with the default one. */
export function makeRegistry(): StrategyRegistry {
  const entries = new Map<string, Entry>();
  return {
    register(type, factory, { description, replace = false }) {
      if (entries.has(type) && !replace) throw new DuplicateStrategyError(type);
      entries.set(type, { factory, description });
    },
    create(type, config) {
      const entry = entries.get(type);
      if (!entry) throw new StrategyNotFoundError(type, [...entries.keys()]);
      return (entry.factory as (config: unknown) => Strategy)(config);
    },
    list: () => [...entries.keys()],
    has: (type) => entries.has(type),
    describe: () => [...entries].map(([type, { description }]) => ({ type, description })),
    unregister: (type) => entries.delete(type),
  };
}

export class DuplicateStrategyError extends Error {
  constructor(type: string) {
    super(`strategy "${type}" is registered already; pass replace: true to take its place`);
    this.name = 'DuplicateStrategyError';
  }
}

export class StrategyNotFoundError extends Error {
  constructor(type: string, known: readonly string[]) {
    const near = nearest(type, known);
    super(
      `unknown strategy "${type}"${near ? `: did you mean "${near}"?` : ''} (known: ${known.join(', ')})`,
    );
    this.name = 'StrategyNotFoundError';
  }
}
