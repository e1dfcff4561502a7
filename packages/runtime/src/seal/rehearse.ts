import {
  fault,
  type Gate,
  type GateRequest,
  type Judgement,
  type Sealed,
  type Verdict,
} from '@agentgate/core';
import { agree, judgeHere, type Rehearsal, type Rehearsals } from '../room/index.ts';
import { type Known, reporting } from './runner.ts';

export interface GateRehearsal {
  request: GateRequest;
  strict: boolean;
  /** The rehearsals of all gates in their rooms, or why there are none. */
  rooms: Rehearsals | { why: string };
  /** The runner that may be asked for a report of ours. */
  known: Known | null;
  judge: Gate;
  /** Judges in a room in which there is nothing. */
  judgeEmpty(request: GateRequest, rehearsal: Rehearsal): Promise<Judgement>;
}

/**
 * Before any token: where the gate judges as it does in the workspace itself, whether its runner reports to us, and
 * whether it looks at the workspace at all.
 */
export async function rehearseGate(how: GateRehearsal): Promise<Sealed> {
  const { request, known } = how;
  const asked = known ? await rehearseOnce(how, reporting(request, known).request) : null;
  // Without a list of tests or files the report brings nothing, and the command as it is written is the safer one.
  const listed = asked?.judgement.cases ?? asked?.judgement.scope ?? [];
  const reports = listed.length > 0;
  const found = asked && reports ? asked : await rehearseOnce(how, request);
  const { rung, judgement, line } = found;
  const sealed: Sealed = {
    ...judgement,
    rung,
    ...(known && reports ? { runner: known.runner } : {}),
    ...(line === undefined ? {} : { line }),
  };
  if (how.strict && rung !== 'sealed') return { ...sealed, verdict: refused(request, found) };
  const same = rung !== 'in-place' && (await isBlind(how, found, known && reports ? known : null));
  return same ? { ...sealed, blind: true } : sealed;
}

async function rehearseOnce({ rooms, judge }: GateRehearsal, request: GateRequest): Promise<Rehearsal> {
  if ('rehearse' in rooms) return rooms.rehearse(request);
  const line = `gate ${request.gate.name} judges in place: ${rooms.why}`;
  return { rung: 'in-place', judgement: await judgeHere(judge, request), line };
}

/** Strict mode allows no gate that is not sealed; why is told, and what could be done. */
function refused({ gate }: GateRequest, { line }: Rehearsal): Verdict {
  const what = line ?? `gate ${gate.name} cannot be sealed`;
  const next = 'declare what it needs (network, services, data, env), or use integrity: guarded';
  return { kind: 'unable', fault: fault('room.unsealed', `${what}; ${next}`) };
}

/** A red gate that has the same to say about an empty tree. One that says nothing at all cannot be told. */
async function isBlind(
  { request, judgeEmpty }: GateRehearsal,
  rehearsal: Rehearsal,
  known: Known | null,
): Promise<boolean> {
  const { verdict } = rehearsal.judgement;
  if (verdict.kind !== 'failed' || verdict.textKey === undefined || namesPath(request.gate)) return false;
  const empty = await judgeEmpty(known ? reporting(request, known).request : request, rehearsal);
  return saysTheSame(verdict, empty.verdict);
}

/** A command that names a file may be waiting for it: that it is red without is no sign of blindness. */
function namesPath(gate: GateRequest['gate']): boolean {
  if (gate.kind !== 'command') return true;
  const words = typeof gate.run === 'string' ? gate.run.split(/[\s;|&<>()"'`]+/) : gate.run;
  return words.some((word) => !word.includes('://') && /^\.{0,2}[\w@-][^\s]*[./*]\w|\/|^[*.]/.test(word));
}

const saysTheSame = (one: Extract<Verdict, { kind: 'failed' }>, other: Verdict): boolean =>
  other.kind === 'failed' && other.textKey === one.textKey && agree(one, other);
