import {
  type Fault,
  FaultError,
  type Gate,
  type GateRequest,
  type Judgement,
  type NamedGate,
  type Rung,
} from '@agentgate/core';
import { judgeInPlace } from './in-place.ts';
import { needsOf, reaches } from './needs.ts';
import { type Rehearsal, rehearse } from './rehearse.ts';
import type { OpenedRoom, Rooms } from './rooms.ts';
import { checkToolchain } from './toolchain.ts';

/** The rehearsals of all gates on one untouched tree; as in place, a later gate sees what an earlier one built. */
export interface Rehearsals {
  rehearse(request: GateRequest): Promise<Rehearsal>;
  close(): Promise<void>;
}

export function openRehearsals(rooms: Rooms, tree: string, judge: Gate): Rehearsals {
  const opened = new Map<boolean, Promise<OpenedRoom>>();

  const roomFor = (rung: Rung): Promise<OpenedRoom> => {
    const ignored = reaches(rung, 'ignored');
    const room = opened.get(ignored) ?? openOne(rooms, tree, ignored);
    opened.set(ignored, room);
    return room;
  };

  async function judgeIn(request: GateRequest, rung: Rung): Promise<Judgement> {
    try {
      const room = await roomFor(rung);
      const trouble = await checkTools(room, rung, request);
      if (trouble !== null) return { verdict: { kind: 'unable', fault: trouble }, tookMs: 0, output: '' };
      return await judge({ ...request, room: room.forGate(rung, needsOf(request.gate)) });
    } catch (error) {
      if (!(error instanceof FaultError)) throw error;
      return { verdict: { kind: 'unable', fault: error.fault }, tookMs: 0, output: '' };
    }
  }

  return {
    rehearse: (request) =>
      rehearse({
        gate: request.gate.name,
        judgeInPlace: () => judgeHere(judge, request),
        judgeIn: (rung) => judgeIn(request, rung),
      }),
    async close() {
      const ended = await Promise.allSettled(opened.values());
      for (const one of ended) if (one.status === 'fulfilled') await one.value.close();
    },
  };
}

/** In place the services of the gate are started all the same. */
export async function judgeHere(judge: Gate, request: GateRequest): Promise<Judgement> {
  const needs = needsOf(request.gate);
  if (needs.services.length === 0) return judge(request);
  const place = judgeInPlace(request.root, needs);
  try {
    return await judge({ ...request, room: place });
  } finally {
    place.close();
  }
}

async function openOne(rooms: Rooms, tree: string, ignored: boolean): Promise<OpenedRoom> {
  if (ignored) await rooms.captureIgnored();
  return rooms.open(tree, { ignored });
}

async function checkTools(room: OpenedRoom, rung: Rung, { gate, root }: GateRequest): Promise<Fault | null> {
  for (const run of commandsOf(gate)) {
    const trouble = await checkToolchain(room, rung, root, run);
    if (trouble !== null) return trouble;
  }
  return null;
}

function commandsOf(gate: NamedGate): (string | readonly string[])[] {
  if (gate.kind === 'command') return [gate.run];
  return gate.kind === 'levels' ? (gate.tests?.run ?? []).map(({ run }) => run) : [];
}
