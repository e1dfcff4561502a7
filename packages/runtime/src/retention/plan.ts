import type { WorkspaceHome } from '../store/index.ts';
import { bytesOfOnly } from '../workspace/tidy.ts';
import { chooseByAge, chooseOldest, type Rules } from './choose.ts';
import { choosePlans } from './plans.ts';
import type { Survey } from './survey.ts';

/** What would go, and how much that would free. */
export interface PrunePlan {
  runIds: string[];
  planIds: string[];
  /** The rooms of the gates go with it, and are made anew when they are needed. */
  room: boolean;
  bytes: number;
}

/** Computes what goes by the rules. Changes nothing. */
export async function planPrune(
  home: WorkspaceHome,
  state: Survey,
  rules: Rules,
  nowMs: number,
): Promise<PrunePlan> {
  const gone = new Set(chooseByAge(state.runs, rules, nowMs));
  const plan = async (): Promise<PrunePlan> => {
    const room = isRoomFree(state, rules, gone, nowMs);
    return {
      runIds: [...gone],
      planIds: plansToGo(state, gone),
      room,
      bytes: await freedBytes(home, state, gone, room),
    };
  };
  let now = await plan();
  // Caches go first: they are made again, and a history is not.
  while (lastingBytes(state) - now.bytes > (rules.maxBytes ?? Number.POSITIVE_INFINITY)) {
    const next = chooseOldest(state.runs, rules, gone);
    if (next.length === 0) break;
    for (const runId of next) gone.add(runId);
    now = await plan();
  }
  return now;
}

/** What is set aside for a full disk is set aside again by the next run: no run goes for it. */
const lastingBytes = ({ totalBytes, reserveBytes }: Survey): number => totalBytes - reserveBytes;

function plansToGo({ runs, plans }: Survey, gone: ReadonlySet<string>): string[] {
  const left = new Set(runs.map(({ runId }) => runId).filter((runId) => !gone.has(runId)));
  return choosePlans(plans ?? [], (runId) => left.has(runId));
}

async function freedBytes(
  { gitDir }: WorkspaceHome,
  { runs, roomBytes }: Survey,
  gone: ReadonlySet<string>,
  room: boolean,
): Promise<number> {
  if (gone.size === 0 && !room) return 0;
  const folders = runs.filter(({ runId }) => gone.has(runId)).reduce((sum, { bytes }) => sum + bytes, 0);
  const snapshots = await bytesOfOnly(gitDir, [...gone]);
  return folders + snapshots + (room ? roomBytes : 0);
}

/** A run that may go on needs the room as it was before its agent worked. */
function isRoomFree(
  state: Survey,
  { olderThanMs, maxBytes }: Rules,
  gone: ReadonlySet<string>,
  nowMs: number,
): boolean {
  const { runs, roomBytes } = state;
  const kept = runs.filter(({ runId }) => !gone.has(runId));
  if (roomBytes === 0 || kept.some(({ canGoOn }) => canGoOn)) return false;
  const lastMs = Math.max(0, ...runs.map(({ endedMs }) => endedMs ?? 0));
  const isOld = olderThanMs !== undefined && nowMs - lastMs > olderThanMs;
  return isOld || (maxBytes !== undefined && lastingBytes(state) > maxBytes);
}
