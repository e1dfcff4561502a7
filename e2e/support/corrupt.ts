/** Numbers that look like chance and are the same for the same seed. */
export function chanceOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

type Chance = (below: number) => number;

/** The ways in which a file comes to harm. Each gives other bytes, or the same ones where it cannot be done. */
export const harms: Record<string, (bytes: Buffer, chance: Chance) => Buffer> = {
  'a cut anywhere': (bytes, chance) => bytes.subarray(0, chance(bytes.length)),
  'a cut behind a line': (bytes, chance) => joined(linesOf(bytes).slice(0, chance(linesOf(bytes).length))),
  'a flipped bit': (bytes, chance) => {
    const harmed = Buffer.from(bytes);
    const at = chance(bytes.length);
    harmed[at]! ^= 1 << chance(8);
    return harmed;
  },
  'a removed line': (bytes, chance) => {
    const lines = linesOf(bytes);
    lines.splice(chance(lines.length), 1);
    return joined(lines);
  },
  'two swapped lines': (bytes, chance) => {
    const lines = linesOf(bytes);
    const [one, other] = [chance(lines.length), chance(lines.length)];
    [lines[one], lines[other]] = [lines[other]!, lines[one]!];
    return joined(lines);
  },
  'a doubled line': (bytes, chance) => {
    const lines = linesOf(bytes);
    const at = chance(lines.length);
    lines.splice(at, 0, lines[at]!);
    return joined(lines);
  },
  'an edited value': (bytes, chance) => {
    const text = bytes.toString('latin1');
    const values = [...text.matchAll(/\d+/g)];
    const value = values[chance(values.length)];
    if (!value) return Buffer.concat([bytes, Buffer.from('?')]);
    const other = String(Number(value[0].slice(0, 9)) + 1);
    return Buffer.from(
      text.slice(0, value.index) + other + text.slice(value.index + value[0].length),
      'latin1',
    );
  },
  'a removed byte': (bytes, chance) => {
    const at = chance(bytes.length);
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]);
  },
};

/** The lines with their ends. */
function linesOf(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(10, start);
    const next = end === -1 ? bytes.length : end + 1;
    lines.push(bytes.subarray(start, next));
    start = next;
  }
  return lines;
}

const joined = (lines: readonly Buffer[]): Buffer => Buffer.concat(lines);
