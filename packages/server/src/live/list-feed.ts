import { randomBytes } from 'node:crypto';
import type { PlanRow, RunRow } from '../contract/index.ts';
import { type House, workspaceId } from '../house.ts';
import { frameOf } from './frame.ts';
import { liveBody, makeBell, type Next } from './reader.ts';

/** What changes in the lists, for any number of readers. */
export interface ListFeed {
  open(lastId: string | undefined, gone: AbortSignal): ReadableStream<Uint8Array>;
  readers(): number;
  close(): void;
}

const pollMs = 500;
const frameRows = 500;

type Change =
  | { kind: 'run'; row: RunRow }
  | { kind: 'plan'; row: PlanRow }
  | { kind: 'gone'; workspace: string; runId: string };

export function openListFeed(house: House, readPlans: () => PlanRow[]): ListFeed {
  const bell = makeBell();
  /** Numbers of another life of the server mean nothing here. */
  const life = randomBytes(4).toString('hex');
  const changes = new Map<string, { tick: number; change: Change }>();
  const shown = new Map<string, string>();
  let tick = 0;
  let readers = 0;
  let isClosed = false;
  let timer: NodeJS.Timeout | null = null;
  let isLooking = false;

  async function look(): Promise<void> {
    await house.refresh();
    const isFirst = tick === 0;
    const before = tick;
    const here = new Set<string>();
    const put = (key: string, text: string, change: () => Change) => {
      here.add(key);
      if (shown.get(key) === text) return;
      shown.set(key, text);
      if (!isFirst) changes.set(key, { tick: before + 1, change: change() });
    };
    for (const entry of house.catalogue.entries()) {
      const workspace = workspaceId(entry.home);
      put(
        `run ${workspace} ${entry.runId}`,
        `${entry.revision} ${house.standing(entry)} ${house.wentOnAs(entry)}`,
        () => ({
          kind: 'run',
          row: house.row(entry),
        }),
      );
    }
    for (const row of readPlans())
      put(`plan ${row.workspace} ${row.planId}`, JSON.stringify(row), () => ({ kind: 'plan', row }));
    for (const key of [...shown.keys()].filter((one) => !here.has(one))) {
      const [kind, workspace = '', runId = ''] = key.split(' ');
      shown.delete(key);
      if (kind === 'run') changes.set(key, { tick: before + 1, change: { kind: 'gone', workspace, runId } });
    }
    const isNews = [...changes.values()].some((one) => one.tick > before);
    if (isFirst || isNews) tick = before + 1;
    if (isNews) bell.ring();
  }

  async function poll(): Promise<void> {
    isLooking = true;
    try {
      await look();
    } catch {
      // What cannot be read now is read the next time; whoever asks for a list is told why.
    }
    isLooking = readers > 0 && !isClosed;
    if (isLooking) timer = setTimeout(() => void poll(), pollMs);
  }

  function newsBehind(at: number): { rows: Change[]; last: number } {
    const news = [...changes.values()].filter((one) => one.tick > at).toSorted((a, b) => a.tick - b.tick);
    const some = news.slice(0, frameRows);
    // Changes of one look belong together.
    const last = some.length < news.length ? (some.at(-1)?.tick ?? at) : tick;
    return { rows: news.filter((one) => one.tick <= last).map(({ change }) => change), last };
  }

  return {
    readers: () => readers,
    open(lastId, gone) {
      readers += 1;
      if (!isLooking) void poll();
      let at: number | null = null;
      let isOpen = true;
      const [from, number] = (lastId ?? '').split('.');
      let isKnown = lastId === undefined || (from === life && /^\d+$/.test(number ?? ''));
      const next = (): Next => {
        if (isClosed) return { kind: 'end' };
        if (tick === 0) return null;
        if (!isKnown) {
          isKnown = true;
          at = tick;
          return { kind: 'frame', bytes: frameOf('restart', '{}', `${life}.${at}`) };
        }
        // From the first frame on nothing is missed: that is when a new reader asks for the lists.
        if (at === null) {
          at = lastId === undefined ? tick : Number(number);
          return { kind: 'frame', bytes: frameOf('changed', told([]), `${life}.${at}`) };
        }
        const { rows, last } = newsBehind(at);
        if (rows.length === 0) return null;
        at = last;
        return { kind: 'frame', bytes: frameOf('changed', told(rows), `${life}.${last}`) };
      };
      const closed = () => {
        if (isOpen) readers -= 1;
        isOpen = false;
      };
      return liveBody(next, { bell, closed, gone });
    },
    close() {
      isClosed = true;
      if (timer) clearTimeout(timer);
      bell.ring();
    },
  };
}

function told(changes: readonly Change[]): string {
  return JSON.stringify({
    runs: changes.flatMap((one) => (one.kind === 'run' ? [one.row] : [])),
    plans: changes.flatMap((one) => (one.kind === 'plan' ? [one.row] : [])),
    gone: changes.flatMap((one) =>
      one.kind === 'gone' ? [{ workspace: one.workspace, runId: one.runId }] : [],
    ),
  });
}
