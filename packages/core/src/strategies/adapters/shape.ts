/** Something was given as a strategy that has none of the shapes. */
export class StrategyShapeError extends Error {
  constructor(what: string, found: readonly string[]) {
    const names = found.length === 0 ? 'nothing' : found.join(', ');
    super(`${what} no function ${contract.join(', ').replace(/, (\w+)$/, ' or $1')}; found: ${names}`);
    this.name = 'StrategyShapeError';
  }
}

/** The functions of which a strategy has one, whatever its shape. */
const contract = ['decide', 'onIterationComplete', 'shouldContinue'];

export const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

export const has = (value: unknown, name: string): value is object =>
  isObject(value) && typeof (value as Record<string, unknown>)[name] === 'function';

/** Whether a value has the function of any shape. */
export const hasShape = (value: unknown): value is object => contract.some((name) => has(value, name));

/** The names of what there is, for a person who looks for the mistake. */
export function namesIn(value: unknown): string[] {
  if (!isObject(value)) return value === undefined || value === null ? [] : [`a ${typeof value}`];
  const names = new Set(Object.keys(value));
  for (let at = Object.getPrototypeOf(value); at && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const name of Object.getOwnPropertyNames(at)) if (name !== 'constructor') names.add(name);
  }
  return [...names].slice(0, 20);
}
