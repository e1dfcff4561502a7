import type { Remark } from './remark.ts';

/** The versions that the tests run on; the packages name the same. */
export const nodeRange = '^20.19.0 || ^22.13.0 || >=24';

export function lookAtNode(version = process.versions.node): Remark {
  const facts = { version, range: nodeRange };
  if (satisfies(version, nodeRange))
    return { about: 'node', mark: 'good', what: `${version}, supported`, facts };
  return {
    about: 'node',
    mark: 'bad',
    what: `${version} is not supported (${nodeRange})`,
    next: 'install Node 24 or newer from https://nodejs.org',
    facts,
  };
}

/** The two forms that our range has: the same major from there on, and any from there on. */
function satisfies(version: string, range: string): boolean {
  const have = numbers(version);
  return range.split('||').some((part) => {
    const least = numbers(part);
    const enough = compare(have, least) >= 0;
    return part.includes('^') ? enough && have[0] === least[0] : enough;
  });
}

const numbers = (text: string): number[] => (text.match(/\d+/g) ?? []).slice(0, 3).map(Number);

function compare(a: readonly number[], b: readonly number[]): number {
  for (const at of [0, 1, 2]) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
