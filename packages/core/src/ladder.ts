import { type Assessment, assess, recordOf } from './assess.ts';
import { bestTree } from './best.ts';
import type { Move } from './event.ts';
import type { Status } from './outcome.ts';
import { isLooked, realProgress, since } from './records.ts';
import type { MoveKind, RunSpec } from './spec.ts';
import type { RunState } from './state.ts';

/** The next thing to change before giving up. */
export interface NextMove {
  move: MoveKind;
  tree?: string;
  to?: number;
}

/** What each move is called in a sentence. */
export const moveNames: Record<MoveKind, string> = {
  differently: 'try differently',
  fresh: 'fresh context',
  revert: 'back to the best tree',
  escalate: 'another agent',
  ask: 'ask a person',
};

/** What can be done in a session of a person's own: nobody can give it another agent, or empty what it remembers. */
export const movesInSession: readonly MoveKind[] = ['differently', 'revert', 'ask'];

/** Whether this is the kind of ending that a change may still avert. */
export function isStuck(spec: RunSpec, code: string): boolean {
  // An explicit number keeps exactly base + bonus; nothing is added to it.
  if (spec.strategy.kind === 'hybrid' && spec.strategy.bonus !== 'progress') return false;
  if (code.startsWith('loop.') || code.startsWith('no-progress.') || code === 'strategy.agent-fails')
    return true;
  if (code !== 'strategy.no-progress') return false;
  return spec.strategy.kind === 'adaptive' || spec.strategy.kind === 'hybrid';
}

/** The next untried move of the ladder; null when all are used up or off. */
export function nextMove(state: RunState, spec: RunSpec, now: Assessment, code: string): NextMove | null {
  for (const move of orderFor(spec, code)) {
    const next = asNext(state, spec, now, move);
    if (next) return next;
  }
  return null;
}

/** Worsening work is taken back first; an agent that cannot even run is not helped by words. */
function orderFor({ stuck }: RunSpec, code: string): readonly MoveKind[] {
  if (code === 'no-progress.divergence' && stuck.moves.includes('revert'))
    return ['revert', ...stuck.moves.filter((one) => one !== 'revert')];
  if (code === 'strategy.agent-fails')
    return stuck.moves.filter((one) => one === 'escalate' || one === 'ask');
  return stuck.moves;
}

function asNext(state: RunState, spec: RunSpec, { current }: Assessment, move: MoveKind): NextMove | null {
  if (state.held?.moves && !state.held.moves.includes(move)) return null;
  if (move === 'escalate')
    return state.rung < spec.agent.escalate.length ? { move, to: state.rung + 1 } : null;
  if (state.tried.includes(move)) return null;
  if (move !== 'revert') return { move };
  const best = bestTree(state);
  if (!best || best.work === current.work) return null;
  return { move, tree: best.tree, to: best.iteration };
}

/** The newest move while its effect is open: how many iterations it had, and how many in a row brought nothing. */
export function trialOf(
  state: RunState,
  now: Assessment,
): { move: Move; iterations: number; dry: number } | null {
  const move = state.moves.at(-1);
  if (!move || move.effect !== null || now.current.iteration <= move.after) return null;
  const records = [...since(state.history, move.after), recordOf(now, '')].filter(
    (one) => (one.build !== 'interrupted' || one.moved) && one.build !== 'aborted' && isLooked(one),
  );
  if (records.length === 0) return { move, iterations: 0, dry: 0 };
  if (records.some((one) => realProgress(one.progress))) return null;
  const dry = records.length - 1 - records.findLastIndex((one) => one.progress !== null);
  return { move, iterations: records.length, dry };
}

/** Every move with what came of it, at the end of a run. */
export function settledMoves(state: RunState, status: Status): Move[] {
  const last = state.moves.at(-1);
  if (!last || last.effect !== null) return state.moves;
  const { current } = state;
  const worked =
    status === 'converged' ||
    (current !== null && current.iteration > last.after && realProgress(assess(state, current).progress));
  return [...state.moves.slice(0, -1), { ...last, effect: worked ? 'progress' : 'none' }];
}

/** The moves in a sentence: `tried: try differently after 3 (nothing), fresh context after 5 (progress)`. */
export function movesText(moves: readonly Move[]): string {
  const parts = moves.map(({ move, after, to, effect }) => {
    const where =
      move === 'revert' && to !== undefined ? ` (of ${to === 0 ? 'the start' : `iteration ${to}`})` : '';
    return `${moveNames[move]}${where} after iteration ${after}: ${effect === 'progress' ? 'progress' : 'no effect'}`;
  });
  return parts.join('; ');
}
