import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { FaultError, fault, type PlanEvent, type PlanEventBody, Redirect } from '@agentgate/core';
import * as z from 'zod';
import { redactAll } from '../redact/index.ts';
import { type Disk, systemDisk } from '../store/disk.ts';
import { guarded, type LogWriter, openLogWriter } from '../store/log-file.ts';
import { readLog } from '../store/log-read.ts';

const short = z.string().max(2_000).optional();

/** A word from another process to whoever drives a plan. */
export const PlanRequest = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('stop'), note: short, via: z.literal('api').optional() }),
  /** The file of the plan was edited by a person, and is to be followed. */
  z.object({ kind: z.literal('reload') }),
  z.object({ kind: z.literal('redirect'), redirect: Redirect }),
  z.object({
    kind: z.literal('tick'),
    item: z.string(),
    criterion: z.number().int().nonnegative(),
    met: z.boolean(),
    by: z.string().min(1).max(200),
    note: short,
  }),
]);
export type PlanRequest = z.infer<typeof PlanRequest>;

export interface PlanLetter {
  name: string;
  request: PlanRequest;
  done(): void;
}

/** The plans of one workspace: a log for each, hash-chained like that of a run, and an inbox. */
export interface PlanStore {
  newId(): string;
  create(planId: string): void;
  /** Newest first. */
  list(): string[];
  dir(planId: string): string;
  read(planId: string): PlanEvent[];
  append(planId: string, afterSeq: number, bodies: readonly PlanEventBody[]): PlanEvent[];
  inbox(planId: string): string;
  request(planId: string, request: PlanRequest): void;
  letters(planId: string): PlanLetter[];
  close(): void;
}

export function openPlanStore(plansDir: string, disk: Disk = systemDisk): PlanStore {
  const writers = new Map<string, LogWriter<PlanEvent, PlanEventBody>>();
  const dir = (planId: string) => join(plansDir, planId);
  const logPath = (planId: string) => join(dir(planId), 'log.jsonl');
  const inbox = (planId: string) => join(dir(planId), 'inbox');
  const writer = (planId: string) => {
    const made = writers.get(planId) ?? openLogWriter<PlanEvent, PlanEventBody>(logPath(planId), disk);
    writers.set(planId, made);
    return made;
  };
  const read = (planId: string): PlanEvent[] => {
    if (!disk.exists(logPath(planId)))
      throw new FaultError(
        fault('plan.unknown', `there is no plan ${planId} here; agentgate plan list shows them`),
      );
    return readLog<PlanEvent>(logPath(planId), disk).events;
  };
  return {
    dir,
    inbox,
    read,
    newId() {
      for (;;) {
        const planId = `p${randomBytes(3).toString('hex')}`;
        if (!disk.exists(dir(planId))) return planId;
      }
    },
    create: (planId) => guarded(plansDir, () => disk.makeDir(inbox(planId))),
    list() {
      if (!disk.exists(plansDir)) return [];
      const plans = disk.list(plansDir).filter((name) => disk.exists(logPath(name)));
      const bornAt = (name: string) => read(name)[0]?.at ?? '';
      return plans
        .map((name) => ({ name, at: bornAt(name) }))
        .toSorted((a, b) => (a.at < b.at ? 1 : -1))
        .map(({ name }) => name);
    },
    append: (planId, afterSeq, bodies) =>
      guarded(logPath(planId), () => writer(planId).append(afterSeq, bodies.map(withoutSecrets), new Date())),
    request(planId, request) {
      const parsed = PlanRequest.safeParse(request);
      if (!parsed.success)
        throw new FaultError(fault('usage', 'what was said is empty or too long; say it in other words'));
      const name = `${Date.now()}-${randomBytes(4).toString('hex')}.json`;
      guarded(inbox(planId), () => disk.put(join(inbox(planId), name), JSON.stringify(redactAll(request))));
    },
    letters: (planId) => lettersIn(inbox(planId), disk),
    close() {
      for (const open of writers.values()) open.close();
      writers.clear();
    },
  };
}

/**
 * The plan is what its owner wrote, word for word, and names are names: a decision is made of both. Whatever others said
 * is kept without secrets.
 */
function withoutSecrets(body: PlanEventBody): PlanEventBody {
  if (body.kind === 'plan.decided') return body;
  const clean = redactAll(body);
  const kept = Object.entries(body).filter(([key]) => ['plan', 'written', 'item', 'runId'].includes(key));
  return { ...clean, ...Object.fromEntries(kept) };
}

function lettersIn(inbox: string, disk: Disk): PlanLetter[] {
  if (!disk.exists(inbox)) return [];
  return disk
    .list(inbox)
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .flatMap((name) => {
      const path = join(inbox, name);
      const request = parseRequest(path, disk);
      return request ? [{ name, request, done: () => disk.remove(path) }] : [];
    });
}

/** What is none of ours is dropped: anybody may write a file. */
function parseRequest(path: string, disk: Disk): PlanRequest | null {
  try {
    const parsed = PlanRequest.safeParse(JSON.parse(disk.read(path).toString('utf8')));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
