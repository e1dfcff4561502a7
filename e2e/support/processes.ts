import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

let words = 0;

/** A time to sleep that nobody else sleeps: by it the processes of one trial are told from all others. */
export const newWord = (): string => `600.${process.pid}${String(++words).padStart(4, '0')}`;

/** Who carries the word, once that has been nobody or the same for a moment. */
export async function settled(word: string): Promise<number[]> {
  for (let looks = 0; looks < 25 && withWord(word).length > 0; looks++) await sleep(20);
  return withWord(word);
}

/** Those who carry the word in their command line, whatever else they threw away. */
export function withWord(word: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && commandLineOf(pid).includes(word));
}

function commandLineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    // It ended while we were looking.
    return '';
  }
}

/** Waits until something holds. */
export async function until(holds: () => boolean): Promise<void> {
  for (const fromMs = performance.now(); !holds(); await sleep(10))
    if (performance.now() - fromMs > 60_000) throw new Error('nothing happened for 60 s');
}
