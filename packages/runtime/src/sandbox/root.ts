import { readFileSync } from 'node:fs';

const CAP_SYS_ADMIN = 1n << 21n;

/** Whether this process may mount without a user namespace of its own. */
export function isFullRoot(): boolean {
  if (process.getuid?.() !== 0) return false;
  try {
    const effective = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
    return effective !== undefined && (BigInt(`0x${effective}`) & CAP_SYS_ADMIN) !== 0n;
  } catch {
    // Without /proc nothing is known; a user namespace is the safer guess.
    return false;
  }
}
