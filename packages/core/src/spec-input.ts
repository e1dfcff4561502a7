import type * as z from 'zod';
import type { SpecFile } from './spec.ts';
import type { AgentKinds } from './spec/agents.ts';
import type { Deliver, Notify } from './spec/delivery.ts';
import type { Detectors } from './spec/detectors.ts';
import type { GateKinds } from './spec/gates/index.ts';
import type { StrategyKinds } from './spec/strategies.ts';
import type { Stuck } from './spec/stuck.ts';

type Command = string | string[];

/** What stands behind a short form: the type of the long one. */
type LongForm<T extends { out: z.ZodType }> = z.input<T['out']>;

/** Options tell the kind where they belong to one kind alone, so that it may be left out. */
type KindLeftOut<T> = T extends { kind: string } ? Omit<T, 'kind'> & { kind?: T['kind'] } : never;

type Gate = KindLeftOut<z.input<typeof GateKinds>>;
type Agent = KindLeftOut<z.input<typeof AgentKinds>>;
type Strategy = z.input<typeof StrategyKinds>;
type SwitchNames = Exclude<keyof typeof Detectors.shape, 'enabled'>;

/** A spec as a person writes it in code: the names of today, in their short or long forms. */
export type SpecInput = Omit<
  z.input<typeof SpecFile>,
  'agent' | 'gates' | 'strategy' | 'detectors' | 'stuck' | 'deliver' | 'notify' | 'task'
> & {
  task?: string | { file: string };
  agent?: string[] | Agent;
  gates?: Record<string, Command | Gate>;
  strategy?: Strategy['kind'] | Strategy;
  detectors?: { enabled?: boolean } & {
    [Name in SwitchNames]?: boolean | LongForm<(typeof Detectors.shape)[Name]>;
  };
  stuck?: 'off' | LongForm<typeof Stuck>;
  deliver?: NonNullable<LongForm<typeof Deliver>['as']> | LongForm<typeof Deliver>;
  notify?: Command | LongForm<typeof Notify>;
  /** Profiles that this spec builds upon, by name; later ones win. */
  extends?: string | string[];
};
