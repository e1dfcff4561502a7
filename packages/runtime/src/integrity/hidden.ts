import type { Finding, Ratchet } from '@agentgate/core';

const hiding: readonly Ratchet['kind'][] = ['suppression', 'type-escape'];

/** Which failures, known before and gone now, lie in a file that looks away more than it did: hidden, not fixed. */
export function hiddenFailures(known: readonly Finding[], ratchets: readonly Ratchet[]): Finding[] {
  const files = new Set(ratchets.filter((one) => hiding.includes(one.kind)).map((one) => one.file));
  return known.filter(({ file }) => file !== undefined && files.has(file.replace(/^\.\//, '')));
}
