import type { StrategyAdvice, StrategyContext, UserStrategy } from '../strategy.ts';
import { readAdvice } from './answer.ts';
import { fromState, type StrategyOf000 } from './by-state.ts';
import { fromLifecycle, type StrategyOf002 } from './lifecycle.ts';
import { fromOneCallback, type StrategyOf001 } from './one-callback.ts';
import { has, hasShape, isObject, namesIn, StrategyShapeError } from './shape.ts';

/** What the older shapes want to know beside the context. */
export interface Place {
  /** The path of the workspace. */
  workspace?: string;
}

/**
 * Turns an object, a class or a function of any of the four shapes into a strategy. A class is made with the
 * config. A function is called with the config: when it answers with a strategy it was a factory, otherwise it is
 * `decide` itself.
 */
export function adaptStrategy(value: unknown, config: unknown = {}, place: Place = {}): UserStrategy {
  if (typeof value !== 'function') return adaptObject(value, 'the object has', config, place);
  if (isClass(value)) {
    const made: unknown = Reflect.construct(value, [config]);
    return {
      name: value.name,
      ...adaptObject(made, `an instance of ${value.name || 'the class'} has`, config, place),
    };
  }
  return adaptFunction(value as Callable, config, place);
}

type Callable = ((given: unknown) => unknown) & { name: string };

/** Only what the object has tells the shapes apart; the lifecycle shape has methods that document 000 does not know. */
function adaptObject(value: unknown, what: string, config: unknown, place: Place): UserStrategy {
  if (has(value, 'decide')) return withHooks(value, fromDecide(value as UserStrategy), config);
  if (has(value, 'shouldContinue')) {
    const staged = ['onIterationStart', 'onIterationComplete', 'onRunComplete', 'getState'];
    const adapted = staged.some((name) => has(value, name))
      ? fromLifecycle(value as StrategyOf002, config, place.workspace ?? '')
      : fromState(value as StrategyOf000);
    return withHooks(value, adapted, config);
  }
  if (has(value, 'onIterationComplete')) {
    return withHooks(value, fromOneCallback(value as StrategyOf001), config);
  }
  throw new StrategyShapeError(what, namesIn(value));
}

function fromDecide(strategy: UserStrategy): UserStrategy {
  return {
    decide: async (context) => readAdvice(await strategy.decide(context)),
    ...(has(strategy, 'onLoopEnd') ? { onLoopEnd: (ending) => strategy.onLoopEnd?.(ending) } : {}),
  };
}

/** The hooks that all shapes share. The end of the loop is told once, however often it is reported. */
function withHooks(value: object, adapted: UserStrategy, config: unknown): UserStrategy {
  const strategy = value as UserStrategy;
  let ended: Promise<void> | undefined;
  const { onLoopEnd } = adapted;
  return {
    ...(typeof strategy.name === 'string' ? { name: strategy.name } : {}),
    ...(has(value, 'initialize') ? { initialize: () => strategy.initialize?.(config) } : {}),
    ...(has(value, 'reset') ? { reset: () => strategy.reset?.() } : {}),
    ...(has(value, 'snapshot') ? { snapshot: () => strategy.snapshot?.() } : {}),
    ...(has(value, 'restore') ? { restore: (state) => strategy.restore?.(state) } : {}),
    ...adapted,
    ...(onLoopEnd ? { onLoopEnd: (ending) => (ended ??= (async () => onLoopEnd(ending))()) } : {}),
  };
}

function adaptFunction(value: Callable, config: unknown, place: Place): UserStrategy {
  let made: Promise<Made> | undefined;
  const ready = () => (made ??= makeOnce(value, config, place));
  return {
    ...(value.name === '' ? {} : { name: value.name }),
    initialize: async () => void (await ready()),
    decide: async (context) => {
      const { strategy, refusal } = await ready();
      return strategy ? strategy.decide(context) : ask(value, context, refusal);
    },
    onLoopEnd: async (ending) => (await ready()).strategy?.onLoopEnd?.(ending),
    reset: async () => (await ready()).strategy?.reset?.(),
    snapshot: async () => (await ready()).strategy?.snapshot?.(),
    restore: async (state) => (await ready()).strategy?.restore?.(state),
  };
}

interface Made {
  /** Null when the function is itself `decide`. */
  strategy: UserStrategy | null;
  /** What it threw at the config. */
  refusal?: unknown;
}

async function makeOnce(value: Callable, config: unknown, place: Place): Promise<Made> {
  if (value.name === 'decide') return { strategy: null };
  let product: unknown;
  try {
    product = await value(config);
  } catch (refusal) {
    // A `decide` that finds no context in the config, or a factory that refuses the config: the first question tells.
    return { strategy: null, refusal };
  }
  if (!isObject(product) || isAnswer(product)) return { strategy: null };
  const strategy = adaptObject(product, `what ${value.name || 'the function'} made has`, config, place);
  await strategy.initialize?.(config);
  return { strategy };
}

const isAnswer = (value: object): boolean =>
  !hasShape(value) && ('continue' in value || 'shouldContinue' in value);

/** A refusal in the author's own words is told as well; a mistake of the language only says that a config is no context. */
async function ask(value: Callable, context: StrategyContext, refusal: unknown): Promise<StrategyAdvice> {
  try {
    return readAdvice(await value(context));
  } catch (error) {
    const own = refusal instanceof Error && !(refusal instanceof TypeError) ? refusal.message : undefined;
    if (own !== undefined && error instanceof Error && error.message !== own) {
      error.message += ` (called with its config it said: ${own})`;
    }
    throw error;
  }
}

function isClass(value: Function): boolean {
  return /^class\b/.test(Function.prototype.toString.call(value)) || hasShape(value.prototype);
}
