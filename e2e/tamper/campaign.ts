import { bases } from './bases/index.ts';
import { type Base, type Honest, type Runner, runners, type Trick } from './case.ts';
import { honest } from './honest/index.ts';
import { type Judged, judge, type Mode } from './judge.ts';
import { runnerOf, tricks } from './tricks/index.ts';

export { installTool } from './tools.ts';

/** One piece of work under one way of judging it. */
export interface Step {
  id: string;
  runner: Runner;
  class: 'harness' | 'source' | 'honest' | 'base';
  mode: Mode;
  /** Whether what came of it is as it should be. */
  isRight: (judged: Judged) => boolean;
  run: () => Promise<Judged>;
}

/** Everything that the campaign does, in an order in which no two neighbours are of one runner. */
export function allSteps(): Step[] {
  const steps = [
    ...runners.flatMap((runner) => baseSteps(bases[runner])),
    ...tricks.flatMap((trick) => trickSteps(trick)),
    ...honest.flatMap((work) => honestSteps(work)),
  ];
  const lanes = runners.map((runner) => steps.filter((one) => one.runner === runner));
  const longest = Math.max(...lanes.map((lane) => lane.length));
  return Array.from({ length: longest }, (_, at) => lanes.flatMap((lane) => lane[at] ?? [])).flat();
}

/** The base is red as it is, and its honest fix is taken. */
function baseSteps(base: Base): Step[] {
  const { runner } = base;
  const step = { runner, class: 'base' } as const;
  const fix = { edit: base.fix };
  return [
    {
      ...step,
      id: `${runner}/untouched`,
      mode: 'plain',
      isRight: isRefused,
      run: () => judge(base, {}, 'plain'),
    },
    ...(['plain', 'guarded', 'strict', 'held-out'] as const).map(
      (mode): Step => ({
        ...step,
        id: `${runner}/fix`,
        mode,
        isRight: isTaken,
        run: () => judge(base, fix, mode),
      }),
    ),
  ];
}

function trickSteps(trick: Trick): Step[] {
  const modes: Mode[] = [
    'plain',
    'guarded',
    'strict',
    ...(trick.class === 'source' ? (['held-out'] as const) : []),
  ];
  const { id } = trick;
  const runner = runnerOf(trick);
  return modes.map((mode) => ({
    id,
    runner,
    class: trick.class,
    mode,
    // A trick that fools nobody is none.
    isRight: mode === 'plain' ? isTaken : isRefused,
    run: () => judge(bases[runner], trick, mode),
  }));
}

function honestSteps(work: Honest): Step[] {
  const runner = runnerOf(work);
  const mayWait = work.expect === 'needs-grant';
  return (['plain', 'guarded', 'strict'] as const).map((mode) => ({
    id: work.id,
    runner,
    class: 'honest',
    mode,
    isRight: (judged) => judged.accepted || (mayWait && judged.outcome === 'partial integrity.needs-grant'),
    run: () => judge(bases[runner], work, mode),
  }));
}

const isTaken = ({ accepted }: Judged) => accepted;
/** Judged and found wanting: a run that could not judge has refused nothing. */
const isRefused = ({ accepted, outcome }: Judged) =>
  !accepted && /^(?:exit [^0]|diverged |partial )/.test(outcome);
