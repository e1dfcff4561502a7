import { readFileSync } from 'node:fs';

/** Names this start of the machine, where the system tells. */
export function bootId(path = '/proc/sys/kernel/random/boot_id'): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    // Not Linux, or not shown to us: then the mark of the agent alone tells.
    return undefined;
  }
}
