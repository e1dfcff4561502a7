import { moveNames } from '@agentgate/core';
import type { Chronicle } from './chronicle.ts';

/** Something beside the work that an iteration is remembered by. */
export interface Flag {
  iteration: number;
  kind: 'claim' | 'move' | 'person' | 'fault';
  text: string;
}

/** Claims, moves of the ladder, words of persons and faults, by the iteration at which they came. */
export function flagsOf({ state, story, chapters }: Chronicle): Flag[] {
  const iterationAt = (at: string) => chapters.findLast((one) => one.closed && one.at <= at)?.iteration ?? 0;
  return [
    ...chapters.flatMap(({ iteration, claim }) =>
      claim === null
        ? []
        : [{ iteration, kind: 'claim' as const, text: `the agent said it was done: ${claim}` }],
    ),
    ...state.moves.map(({ after, move, effect }) => ({
      iteration: after,
      kind: 'move' as const,
      text: `${moveNames[move]}${effect === null ? '' : `: ${effect === 'none' ? 'no effect' : effect}`}`,
    })),
    ...story.said.map((said) => ({
      iteration: 'iteration' in said ? said.iteration : iterationAt(said.at),
      kind: 'person' as const,
      text: saidText(said),
    })),
    ...story.faults.map(({ iteration, fault }) => ({
      iteration,
      kind: 'fault' as const,
      text: fault.message,
    })),
  ];
}

export function saidText(said: Chronicle['story']['said'][number]): string {
  switch (said.kind) {
    case 'redirect.requested':
      return `redirected: ${said.text}`;
    case 'approval.given':
      return `${said.by} ${said.approved ? 'approved' : 'rejected'} ${said.gate}${said.note ? `: ${said.note}` : ''}`;
    case 'grant.given':
      return `${said.by} granted ${said.files.map(({ path }) => path).join(', ')}`;
    case 'person.answered':
      return said.by === 'timeout'
        ? `nobody answered, so: ${said.answer}`
        : `answered: ${said.answer}${said.text ? `, ${said.text}` : ''}`;
    case 'stop.requested':
      return `asked to stop (${said.who ?? said.by})${said.note ? `: ${said.note}` : ''}`;
    case 'went-on':
      return `went on from run ${said.from}`;
  }
}

export const flagSigns: Record<Flag['kind'], string> = { claim: '“', move: '◆', person: '●', fault: '!' };

export const flagWords: Record<Flag['kind'], string> = {
  claim: 'the agent said it was done',
  move: 'something was changed, because it was stuck',
  person: 'a person said something',
  fault: 'a fault',
};

const room = 12;

/** Where the signs of one iteration stand: beside each other as far as its column has room, the weightiest otherwise. */
export function besideEachOther(flags: readonly Flag[], step: number): { flag: Flag; shift: number }[] {
  const columns = new Map<number, Flag[]>();
  for (const flag of flags) columns.set(flag.iteration, [...(columns.get(flag.iteration) ?? []), flag]);
  return [...columns.values()].flatMap((all) => {
    const most = Math.max(1, Math.floor(step / room));
    const shown = all.toSorted((a, b) => weights[b.kind] - weights[a.kind]).slice(0, most);
    return shown.map((flag, at) => ({ flag, shift: (at - (shown.length - 1) / 2) * room }));
  });
}

const weights: Record<Flag['kind'], number> = { claim: 0, move: 1, person: 2, fault: 3 };
