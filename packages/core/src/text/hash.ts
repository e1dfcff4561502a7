/** A 64-bit key of a text, as 16 hex digits; equal texts have equal keys. A key, not a safeguard: collisions can be made. */
export function hash64(text: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    high = Math.imul(high ^ code, 0x9e3779b1);
    low = Math.imul(low ^ code, 0x5f356495);
  }
  // Each lane ends mixed with the other, so that a weak bit in one is covered by both.
  const first = mix32(high ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35));
  const second = mix32(low ^ Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ text.length);
  return hex(first) + hex(second);
}

/** Spreads every bit of a 32-bit integer over all others; a bijection. */
export function mix32(value: number): number {
  let h = value;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

function hex(value: number): string {
  return (value >>> 0).toString(16).padStart(8, '0');
}
