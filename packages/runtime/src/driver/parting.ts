import type { Clock } from '@agentgate/core';
import type { Control } from './control.ts';

/** What a run still hands on and tells at its end, and until when once somebody has asked it to stop. */
export interface Parting {
  delivery: AbortSignal;
  notice: AbortSignal;
  close(): void;
}

/** Whoever stops a run waits for no forge and no chat. The notice is left a part, since it may be all that goes out. */
const deliveryMs = 2_000;
const noticeMs = 3_000;

/** Without a stop there is as much time as each of them takes for itself. */
export function openParting({ signal: stop }: Control, clock: Clock): Parting {
  const delivery = new AbortController();
  const notice = new AbortController();
  let timers: { cancel(): void }[] = [];
  const begin = () => {
    timers = [
      clock.after(deliveryMs, () => delivery.abort('stop')),
      clock.after(noticeMs, () => notice.abort('stop')),
    ];
  };
  if (stop.aborted) begin();
  else stop.addEventListener('abort', begin, { once: true });
  return {
    delivery: delivery.signal,
    notice: notice.signal,
    close() {
      stop.removeEventListener('abort', begin);
      for (const timer of timers) timer.cancel();
    },
  };
}
