export interface Plain {
  value: unknown;
  problems: { path: (string | number)[]; message: string }[];
}

/** The data of a value that code made. What no file could say is a mistake, at its place. */
export function plainOf(given: unknown): Plain {
  const problems: Plain['problems'] = [];
  const copy = (value: unknown, path: (string | number)[], around: readonly object[]): unknown => {
    if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint') {
      problems.push({ path, message: `expected data, found a ${typeof value}` });
      return undefined;
    }
    if (typeof value !== 'object' || value === null) return value;
    if (around.includes(value)) {
      problems.push({ path, message: 'expected data, found a value that holds itself' });
      return undefined;
    }
    const inside = [...around, value];
    if (Array.isArray(value)) return value.map((one, at) => copy(one, [...path, at], inside));
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, one]) => one !== undefined)
        .map(([key, one]) => [key, copy(one, [...path, key], inside)]),
    );
  };
  return { value: copy(given, [], []), problems };
}
