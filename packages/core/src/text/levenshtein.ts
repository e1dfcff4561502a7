/** How much of each text is compared: the end is where outputs differ, and the cost stays bounded. */
const levenshteinTail = 20_000;

/** One minus edit distance over the longer length, of the last 20,000 characters of each text. */
export function levenshteinRatio(a: string, b: string): number {
  const left = a.slice(-levenshteinTail);
  const right = b.slice(-levenshteinTail);
  const longer = Math.max(left.length, right.length);
  return longer === 0 ? 1 : 1 - distance(left, right) / longer;
}

function distance(a: string, b: string): number {
  if (a === b) return 0;
  let start = 0;
  while (start < a.length && start < b.length && a.charCodeAt(start) === b.charCodeAt(start)) start++;
  let endA = a.length;
  let endB = b.length;
  while (endA > start && endB > start && a.charCodeAt(endA - 1) === b.charCodeAt(endB - 1)) {
    endA--;
    endB--;
  }
  if (endA === start || endB === start) return endA - start + (endB - start);
  return bitDistance(a.slice(start, endA), codesOf(b.slice(start, endB)));
}

/**
 * Myers' algorithm in blocks of 32 rows (Hyyrö 2003): a block keeps the vertical differences of a column in
 * the bits of two integers, and `carry` hands the horizontal differences of its last row to the next block.
 */
function bitDistance(pattern: string, text: Uint16Array): number {
  const carry = new Int8Array(text.length).fill(1);
  const masks = new Int32Array(0x10000);
  for (let top = 0; top < pattern.length; top += 32) {
    const rows = Math.min(32, pattern.length - top);
    for (let row = 0; row < rows; row++) {
      const code = pattern.charCodeAt(top + row);
      masks[code] = (masks[code] ?? 0) | (1 << row);
    }
    runBlock(masks, text, carry, 1 << (rows - 1));
    for (let row = 0; row < rows; row++) masks[pattern.charCodeAt(top + row)] = 0;
  }
  let sum = pattern.length;
  for (const difference of carry) sum += difference;
  return sum;
}

function runBlock(masks: Int32Array, text: Uint16Array, carry: Int8Array, lastRow: number): void {
  let up = -1;
  let down = 0;
  for (let column = 0; column < text.length; column++) {
    const into = carry[column] ?? 0;
    const match = masks[text[column] ?? 0] ?? 0;
    const vertical = match | down;
    const fed = into < 0 ? match | 1 : match;
    const diagonal = (((fed & up) + up) ^ up) | fed;
    let plus = down | ~(diagonal | up);
    let minus = up & diagonal;
    carry[column] = (plus & lastRow ? 1 : 0) - (minus & lastRow ? 1 : 0);
    plus = (plus << 1) | (into > 0 ? 1 : 0);
    minus = (minus << 1) | (into < 0 ? 1 : 0);
    up = minus | ~(vertical | plus);
    down = plus & vertical;
  }
}

function codesOf(text: string): Uint16Array {
  const codes = new Uint16Array(text.length);
  for (let i = 0; i < text.length; i++) codes[i] = text.charCodeAt(i);
  return codes;
}
