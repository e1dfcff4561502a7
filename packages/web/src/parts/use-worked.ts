import { useEffect, useState } from 'preact/hooks';
import type { Chronicle } from '../model/chronicle.ts';
import { doingOf } from '../model/doing.ts';

/** How long the step under way has worked, told every second; what is recorded counts a step only when it is over. */
export function useWorkedMs(chronicle: Chronicle, isDriven: boolean): number {
  const doing = isDriven ? doingOf(chronicle) : null;
  const sinceMs = doing?.isWork ? Date.parse(doing.since) : Number.NaN;
  const isWork = Number.isFinite(sinceMs);
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isWork) return;
    const ticking = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(ticking);
  }, [isWork]);
  return isWork ? Math.max(0, Math.floor((now - sinceMs) / 1_000) * 1_000) : 0;
}
