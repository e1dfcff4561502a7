import { constants, readFileSync } from 'node:fs';
import { killAtOnce } from '@agentgate/runtime';
import { exitCode } from './exit-code.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
export type Signal = (typeof signals)[number];

/** A wrapper such as npx passes on what the terminal has sent to us already: the same so soon again is one press. */
const echoMs = 100;

/**
 * Hears the signals of this process in the place of whoever did before, and gives them back when it is called.
 * There is no moment at which nobody hears them.
 */
export function hearSignals(hear: (by: Signal, times: number) => void): () => void {
  let times = 0;
  let last: { by: Signal; atMs: number } | null = null;
  const backs = signals.map((by) => {
    const before = process.listeners(by) as NodeJS.SignalsListener[];
    const own = () => {
      if (by === 'SIGHUP' && isUnderNohup()) return;
      const atMs = performance.now();
      if (last?.by === by && atMs - last.atMs < echoMs) return;
      last = { by, atMs };
      times += 1;
      hear(by, times);
    };
    process.on(by, own);
    for (const one of before) process.off(by, one);
    return () => {
      for (const one of before) process.on(by, one);
      process.off(by, own);
    };
  });
  return () => {
    for (const back of backs) back();
  };
}

/**
 * Whoever says nohup wants the run to outlive the terminal. Node forgets that the signal was to be ignored; what is
 * left to see is the input, which nohup makes one that cannot be read.
 */
function isUnderNohup(): boolean {
  try {
    const mode = /^flags:\s*0*(\d+)/m.exec(readFileSync('/proc/self/fdinfo/0', 'utf8'))?.[1] ?? '0';
    return (Number.parseInt(mode, 8) & 3) === constants.O_WRONLY;
  } catch {
    // No such system, or no input at all.
    return false;
  }
}

/** The first signal asks for an end, the second one makes it. */
export function abortOnSignal(abort: AbortController): () => void {
  return hearSignals((_, times) => (times === 1 ? abort.abort('stop') : leaveAtOnce()));
}

/** Ends every process below this one, and this one. */
export function leaveAtOnce(): never {
  killAtOnce();
  process.exit(exitCode.signalled);
}
