/**
 * One 32-bit hash per word, in order. Words are what lies between white space, without regard to case.
 * Reads character codes in one pass, because making a string per word costs more than all the rest.
 */
export function hashWords(text: string): Int32Array {
  const hashes = new Int32Array((text.length >> 1) + 1);
  const end = text.length;
  let count = 0;
  let i = 0;
  while (i < end) {
    const start = i;
    let hash = seed;
    let code = text.charCodeAt(i);
    while ((code - 33) >>> 0 < 94) {
      hash = Math.imul(hash ^ (folds[code] ?? 0), multiplier);
      if (++i === end) break;
      code = text.charCodeAt(i);
    }
    if (i < end && !isSpace(code)) {
      i = endOfWord(text, i);
      hash = hashFolded(text.slice(start, i));
    }
    if (i > start) hashes[count++] = hash;
    i++;
  }
  return hashes.subarray(0, count);
}

const seed = 0x2f0b4a87;
const multiplier = 0x9e3779b1;

/** Every ASCII code in lower case. */
const folds = Uint8Array.from({ length: 128 }, (_, code) => (code >= 65 && code <= 90 ? code + 32 : code));

/** Beyond ASCII the fold can change a word's length, so such words are folded as strings. */
function hashFolded(word: string): number {
  const folded = word.toLowerCase();
  let hash = seed;
  for (let i = 0; i < folded.length; i++) hash = Math.imul(hash ^ folded.charCodeAt(i), multiplier);
  return hash;
}

function endOfWord(text: string, from: number): number {
  let i = from;
  while (i < text.length && !isSpace(text.charCodeAt(i))) i++;
  return i;
}

/** The same characters as `\s` in a regular expression. */
function isSpace(code: number): boolean {
  if (code <= 32) return code === 32 || (code >= 9 && code <= 13);
  return code >= 160 && wideSpace.has(code);
}

const wideSpace = new Set([0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff]);
for (let code = 0x2000; code <= 0x200a; code++) wideSpace.add(code);
