import {
  type Advisor,
  adaptStrategy,
  AnswerError,
  type ConsultRequest,
  type Consulted,
  type Fault,
  fault,
  type LoopEnd,
  StrategyAnswer,
  type StrategyContext,
  type UserStrategy,
} from '@agentgate/core';
import { type Called, wordsOf } from './call.ts';
import { callStep, type Desk } from './desk.ts';

/** A strategy that lives in this process. */
export interface InProcess {
  /** Its name, for reasons and messages. */
  name: string;
  config: unknown;
  /** An object of any accepted shape, a class, or a function; made anew for each run where it is made at all. */
  make(): unknown;
}

/** An advisor, and how it begins: the fault when the strategy cannot be made or initialised. */
export interface InProcessAdvisor extends Advisor {
  begin(): Promise<Fault | null>;
}

/** Asks a strategy in this process. Whatever it does, there is an answer; without a usable one hybrid decides. */
export function makeAdvisor(
  desk: Desk,
  { name, config, make }: InProcess,
  { root, answerMs, again }: { root: string; answerMs: number; again: boolean },
): InProcessAdvisor {
  let strategy: UserStrategy | null = null;
  let ended: Promise<void> | null = null;
  const step = (what: string, iteration: number) => ({
    name: `${what} of strategy ${name}`,
    phase: 'strategy',
    iteration,
    limitMs: answerMs,
    graceMs: 0,
  });
  return {
    async begin() {
      const called = await callStep(desk, step('initialize', 0), async () => {
        strategy = adaptStrategy(make(), config, { workspace: root });
        if (again) await strategy.reset?.();
        await strategy.initialize?.(config);
      });
      return called.kind === 'answered' ? null : faultOf(name, called, 'while it was initialised', answerMs);
    },
    async consult(request) {
      const fromMs = desk.clock.monoMs();
      const { iteration } = request.context;
      const called = await callStep(desk, step('decide', iteration), () => strategy?.decide(given(request)));
      const answer = answerOf(name, called, iteration, answerMs);
      return { answer, tookMs: desk.clock.monoMs() - fromMs } satisfies Consulted;
    },
    end: (ending) => (ended ??= tellEnd(desk, name, strategy, ending)),
  };
}

function answerOf(
  name: string,
  called: Called<unknown>,
  iteration: number,
  answerMs: number,
): Consulted['answer'] {
  if (called.kind !== 'answered')
    return { kind: 'failed', fault: faultOf(name, called, `in iteration ${iteration}`, answerMs) };
  const parsed = StrategyAnswer.safeParse({ ...(called.value as object | undefined), kind: 'advice' });
  if (parsed.success) return parsed.data;
  const [first] = parsed.error.issues;
  const message = `strategy ${name} gave no advice in iteration ${iteration} (${first?.path.join('.')}: ${first?.message})`;
  return { kind: 'failed', fault: fault('strategy.garbage', message) };
}

function faultOf(
  name: string,
  called: Exclude<Called<unknown>, { kind: 'answered' }>,
  when: string,
  answerMs: number,
): Fault {
  if (called.kind === 'threw') {
    const said = called.error instanceof AnswerError ? '' : 'threw ';
    return fault('strategy.threw', `strategy ${name} ${said}${when}: ${wordsOf(called.error)}`);
  }
  return called.reason === 'time-out'
    ? fault('strategy.timeout', `strategy ${name} did not answer within ${answerMs} ms ${when}`)
    : fault('strategy.stopped', `strategy ${name} was not waited for ${when}: the run was stopped`);
}

/** A hook that throws or hangs changes nothing about how the run came out; it is told as a warning. */
async function tellEnd(
  desk: Desk,
  name: string,
  strategy: UserStrategy | null,
  ending: LoopEnd,
): Promise<void> {
  if (!strategy?.onLoopEnd) return;
  const hook = `onLoopEnd of strategy ${name}`;
  const step = {
    name: hook,
    phase: 'loop-end',
    iteration: ending.totalIterations,
    // A run that was stopped tells its end as well, so its stop does not cut this short.
    signal: new AbortController().signal,
    limitMs: desk.graceMs,
    graceMs: 0,
  };
  const called = await callStep(desk, step, () => strategy.onLoopEnd?.(ending));
  if (called.kind === 'threw') desk.said.warnings.push(`${hook} threw: ${wordsOf(called.error)}`);
}

/** What a strategy is given is its own to read and nobody's to change. Records never change once they are made. */
function given({ context }: ConsultRequest): StrategyContext {
  return freeze({ ...context, limits: { ...context.limits }, history: [...context.history] });
}

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const one of Object.values(value)) freeze(one);
  return value;
}
