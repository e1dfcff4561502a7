import type { Clock } from '@agentgate/core';

/** Node caps a timer at about 24 days; a longer one would fire at once. */
const longestMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  wallMs: () => Date.now(),
  monoMs: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((done) => {
      if (signal.aborted) return done();
      const timer = setTimeout(finish, Math.min(ms, longestMs));
      signal.addEventListener('abort', finish, { once: true });
      function finish() {
        clearTimeout(timer);
        signal.removeEventListener('abort', finish);
        done();
      }
    }),
  after(ms, call) {
    // What lies further away than a timer can reach does not come within the life of this process.
    if (ms > longestMs) return { cancel: () => undefined };
    const timer = setTimeout(call, Math.max(0, ms));
    return { cancel: () => clearTimeout(timer) };
  },
};
