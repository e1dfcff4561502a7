import { block, type Found, foundTest, type Recogniser } from './found.ts';

/** `go test`: the innermost failures, under the package that is named after them, and packages that did not build. */
export const readGo: Recogniser = (lines) => {
  const names = lines.map((line) => /^\s*--- FAIL: (\S+)/.exec(line)?.[1]);
  const parents = new Set(names.flatMap((name) => (name === undefined ? [] : parentsOf(name))));
  const packages = packagesOf(lines);
  return lines.flatMap((line, index): Found[] => {
    const broken = /^FAIL\s+(\S+) \[(build|setup) failed\]/.exec(line);
    if (broken?.[1] !== undefined)
      return [foundTest({ names: [broken[1]], message: line.trim(), load: true })];
    const name = names[index];
    if (name === undefined || parents.has(name)) return [];
    const told = logOf(lines, index);
    const place = /^\s*(\S+\.go):(\d+):/.exec(told[0] ?? '');
    const test = foundTest({ names: [...(packages[index] ?? []), name], message: told.join('\n') });
    if (place?.[1] === undefined) return [test];
    return [{ ...test, finding: { ...test.finding, file: place[1], line: Number(place[2]) } }];
  });
};

// With -v the log stands above the line that says FAIL, without it below.
function logOf(lines: readonly string[], index: number): string[] {
  const below = block(lines, index + 1, /^\s*---|^\S/);
  if (below.length > 0) return below;
  const above = lines.slice(Math.max(0, index - 12), index);
  return above
    .slice(above.findLastIndex((line) => /^\s*(?:===|---)/.test(line)) + 1)
    .filter((line) => line.trim() !== '');
}

function parentsOf(name: string): string[] {
  const parts = name.split('/');
  return parts.slice(1).map((_part, index) => parts.slice(0, index + 1).join('/'));
}

// A package is named after its tests, so it is known only from below.
function packagesOf(lines: readonly string[]): string[][] {
  let current: string[] = [];
  return lines
    .toReversed()
    .map((line) => {
      const named = /^(FAIL|ok)\s+(\S+)\s/.exec(line);
      if (named?.[2] !== undefined) current = named[1] === 'FAIL' ? [named[2]] : [];
      return current;
    })
    .toReversed();
}
