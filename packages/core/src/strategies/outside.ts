import { goOn, type Strategy } from './strategy.ts';

/** A strategy that is asked outside of the core; its answer is a fact before anything is decided here. */
const outside =
  (type: string, displayName: string): (() => Strategy) =>
  () => ({
    name: type,
    type,
    displayName,
    decide: () => goOn(type, 'it is asked outside of the core', 1),
  });

export const manual = outside('manual', 'ManualStrategy');
export const custom = outside('custom', 'CustomStrategy');
