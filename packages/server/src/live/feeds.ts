import { join } from 'node:path';
import {
  isPlanDriven,
  openHistoryTail,
  openLogTail,
  openPlanStore,
  type WorkspaceHome,
} from '@agentgate/runtime';
import { type House, workspaceId } from '../house.ts';
import { type Feed, type FeedSource, openFeed } from './feed.ts';

/** The feeds that somebody reads. Each log is followed once, however many readers there are. */
export interface Feeds {
  run(home: WorkspaceHome, runId: string): Feed;
  plan(home: WorkspaceHome, planId: string): Feed;
  readers(): number;
  close(): void;
}

export function makeFeeds(house: House): Feeds {
  const open = new Map<string, Feed>();
  const take = (key: string, source: () => Omit<FeedSource, 'idle'>): Feed => {
    const known = open.get(key);
    if (known) return known;
    const feed: Feed = openFeed({
      ...source(),
      idle() {
        feed.close();
        if (open.get(key) === feed) open.delete(key);
      },
    });
    open.set(key, feed);
    return feed;
  };
  return {
    run: (home, runId) =>
      take(`run ${home.dir} ${runId}`, () => ({
        tail: openHistoryTail(home.runs, runId),
        dir: join(home.runs, runId),
        async standing() {
          const entry = await house.entry(workspaceId(home), runId);
          return JSON.stringify({ standing: house.standing(entry), wentOnAs: house.wentOnAs(entry) });
        },
      })),
    plan(home, planId) {
      const dir = openPlanStore(home.plans).dir(planId);
      return take(`plan ${dir}`, () => ({
        tail: openLogTail(join(dir, 'log.jsonl')),
        dir,
        standing: async () => JSON.stringify({ driven: isPlanDriven(home, planId) }),
      }));
    },
    readers: () => [...open.values()].reduce((sum, feed) => sum + feed.readers(), 0),
    close() {
      for (const feed of open.values()) feed.close();
      open.clear();
    },
  };
}
