import type { Advisor, Consulted, ConsultRequest, Fault, LoopEnd, StrategySpec } from '@agentgate/core';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseAnswer } from './answer.ts';
import { moduleFault, strategySubject } from './faults.ts';
import { locateModule } from './locate.ts';
import { type ModuleProcess, openModuleProcess } from './process.ts';
import type { Failure } from './protocol.ts';

type CustomSpec = Extract<StrategySpec, { kind: 'custom' }>;

export interface AdvisorRequest {
  root: string;
  spec: CustomSpec;
  runId: string;
  /** Marks every process of the strategy; the run's, so that a later session finds them again. */
  marker?: string;
  /** Descriptors that its processes inherit. */
  keepFds?: readonly number[];
  /** What the module prints, as it comes. */
  onOutput?: (text: string) => void;
}

/** What a start may take beyond the time for an answer; with it a default decides within 5 s on every path. */
const startMs = 1_000;
const closeMs = 500;
const endMs = 2_000;

/**
 * Asks a user's strategy in a process of its own, which lives as long as the run, so that the strategy may keep
 * what it knows; when it dies, the next question starts another with the state that was last kept.
 */
export function openAdvisor(request: AdvisorRequest): Advisor {
  return new ModuleAdvisor(request);
}

/** What would keep a strategy's module from being loaded, found without running any of it; null when there is nothing. */
export async function findStrategyFault(root: string, spec: StrategySpec): Promise<Fault | null> {
  if (spec.kind !== 'custom') return null;
  const located = await locateModule(root, spec.module);
  return located.kind === 'failed' ? moduleFault(strategySubject(spec.module), located.failure) : null;
}

class ModuleAdvisor implements Advisor {
  readonly #request: AdvisorRequest;
  #process: ModuleProcess | null = null;
  #state: unknown = undefined;
  /** A module that cannot be loaded has no hook to call. */
  #loads = true;
  #closing: Promise<unknown>[] = [];
  #end: Promise<void> | null = null;

  constructor(request: AdvisorRequest) {
    this.#request = request;
  }

  async consult(request: ConsultRequest): Promise<Consulted> {
    const fromMs = performance.now();
    const asked = await this.#ask(request, fromMs).catch(unexpected);
    const tookMs = performance.now() - fromMs;
    if (!('code' in asked)) {
      this.#state = asked.state ?? this.#state;
      return { answer: asked.advice, tookMs, ...(asked.state === undefined ? {} : { state: asked.state }) };
    }
    const fault = moduleFault(strategySubject(this.#request.spec.module), asked);
    return { answer: { kind: 'failed', fault }, tookMs };
  }

  end(ending: LoopEnd): Promise<void> {
    this.#end ??= this.#tellEnd(ending).catch(() => undefined);
    return this.#end;
  }

  async #ask({ context, state }: ConsultRequest, fromMs: number): Promise<ReturnType<typeof parseAnswer>> {
    const { timeout, max } = this.#request.spec;
    const leftMs = () => Math.max(1, fromMs + timeout + startMs - performance.now());
    this.#state = state ?? this.#state;
    const ready = await this.#ready(leftMs());
    if ('code' in ready) return ready;
    // The cap of the strategy binds as well, so the strategy is told the one that will.
    const iterations = Math.min(context.limits.iterations, max + context.granted);
    const capped = { ...context, limits: { ...context.limits, iterations } };
    const reply = await ready.call({ op: 'decide', context: capped }, Math.min(timeout, leftMs()));
    if (!ready.alive) await this.#close();
    return reply.kind === 'failed' ? reply.failure : parseAnswer(reply.value);
  }

  /** The process with the strategy loaded, within so much time. */
  async #ready(limitMs: number): Promise<ModuleProcess | Failure> {
    if (this.#process?.alive) return this.#process;
    await this.#close();
    const { root, spec, runId, marker = `agentgate-${runId}-strategy`, keepFds, onOutput } = this.#request;
    const fromMs = performance.now();
    const located = await locateModule(root, spec.module);
    if (located.kind === 'failed') return this.#refuse(located.failure);
    const opened = await openModuleProcess({
      root: located.root,
      marker,
      memoryMb: spec.memoryMb,
      ...(keepFds ? { keepFds } : {}),
      ...(onOutput ? { onOutput } : {}),
    });
    if ('code' in opened) return opened;
    this.#process = opened;
    const { name, config } = spec;
    const reply = await opened.call(
      { op: 'load', module: located.module, root: located.root, name, config, state: this.#state },
      Math.max(1, limitMs - (performance.now() - fromMs)),
    );
    if (reply.kind === 'value') {
      this.#loads = true;
      return opened;
    }
    await this.#close();
    return this.#refuse(reply.failure);
  }

  #refuse(failure: Failure): Failure {
    this.#loads = false;
    return failure;
  }

  /** The hook is called even when nothing was ever asked: a run that converges at once has ended as well. */
  async #tellEnd(ending: LoopEnd): Promise<void> {
    try {
      const ready = this.#loads ? await this.#ready(endMs) : null;
      if (ready && !('code' in ready)) await ready.call({ op: 'end', ending }, endMs);
    } finally {
      await this.#close();
      await Promise.all(this.#closing);
    }
  }

  /** Nobody waits long for a process that is being ended; the end of the run waits for all of them. */
  async #close(): Promise<void> {
    if (!this.#process) return;
    const closing = this.#process.close();
    this.#process = null;
    this.#closing.push(closing);
    await Promise.race([closing, sleep(closeMs, undefined, { ref: false })]);
  }
}

const unexpected = (error: unknown): Failure => ({
  code: 'unable',
  detail: `could not be asked: ${error instanceof Error ? error.message : String(error)}`,
});
