/** Whether a value looks made by chance rather than written by a person: a word, a path or a name is none. */
export function looksRandom(value: string): boolean {
  const sample = value.slice(0, 64);
  const hasDigit = /\d/.test(sample);
  // Letters alone are random only when they are many and capitals stand amid them.
  if (!hasDigit && !(sample.length >= 20 && /[a-z][A-Z][a-z]?[A-Z]/.test(sample))) return false;
  if (sample.length < 8 || isPlaceholder(sample) || isReference(sample)) return false;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z\d]/].filter((kind) => kind.test(sample)).length;
  return kinds >= 2 && entropy(sample) >= (hasDigit ? 2.5 : 3.8);
}

/** Hashes, object names and uuids name things; what they name is no secret. */
export function isIdentifier(value: string): boolean {
  return /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i.test(
    value,
  );
}

// What stands for a value instead of being one: ${TOKEN}, <token>, %TOKEN%, ****, xxxx.
function isPlaceholder(value: string): boolean {
  return /^(?:\$|%|<|\{\{|\*{3}|x{4}|\.{3}|…)/i.test(value) || /^(.)\1+$/.test(value);
}

// Code and places: process.env.TOKEN, src/token.ts:12, 2024-01-01T00:00, https://host.
function isReference(value: string): boolean {
  return (
    /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/.test(value) ||
    /^[\w.-]+\.[a-z]{1,4}(?::\d+)*$/.test(value) ||
    /^\d{4}-\d\d-\d\d/.test(value) ||
    /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ||
    isPath(value)
  );
}

/** Names between slashes; base64 has slashes too, but between them no names that a person gives. */
function isPath(value: string): boolean {
  const parts = value.replace(/(?::\d+){1,2}$/, '').split('/');
  return (
    parts.length > 1 && parts.every((part) => /^[\w@.~-]*$/.test(part) && !(part.length > 5 && isMixed(part)))
  );
}

const isMixed = (part: string): boolean => /[a-z]/.test(part) && /[A-Z]/.test(part) && /\d/.test(part);

/** Bits of information in one character of the value. */
function entropy(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}
