import type { RunSpec } from '@agentgate/core';
import { openHome, ownWorkspace } from '@agentgate/runtime';
import { type JudgedOnce, judgeOnce } from '@agentgate/runtime';
import type { Where } from './where.ts';
import { gateLines } from './words.ts';

/** Below the time that agents give a tool by default. */
const patienceMs = 45_000;

interface Running {
  of: string;
  lines: string[];
  done: Promise<void>;
  fromMs: number;
}

/** Gates that are judged for an agent that asks. What needs longer than the agent waits goes on until it asks again. */
export class Checks {
  #running: Running | null = null;
  readonly #over = new AbortController();

  async check(where: Where, gate: string | undefined): Promise<string> {
    const { spec } = where;
    if (!spec) return `There is nothing to judge by: ${where.trouble}`;
    const gates = gate === undefined ? spec.gates : spec.gates.filter(({ name }) => name === gate);
    if (gates.length === 0)
      return `There is no gate ${gate}; there are: ${spec.gates.map(({ name }) => name).join(', ')}.`;
    const of = gates.map(({ name }) => name).join(', ');
    if (this.#running && this.#running.of !== of)
      return `${this.#running.of} is still judged; ask for that again, and then for this.`;
    const running = (this.#running ??= this.#begin(of, where, { ...spec, gates }));
    const isDone = await Promise.race([running.done.then(() => true), pause(patienceMs)]);
    if (!isDone)
      return [`${of}: still judged. Call check again to hear how it ends.`, ...running.lines].join('\n');
    this.#running = null;
    const ago = Math.round((Date.now() - running.fromMs) / 1_000);
    const when = `As the files were ${ago} s ago, when it began:`;
    return [
      ...(ago > 5 ? [when] : []),
      ...running.lines,
      'Nothing is decided by this: the gates judge again when you stop.',
    ].join('\n');
  }

  close(): void {
    this.#over.abort();
  }

  #begin(of: string, where: Where, spec: RunSpec): Running {
    const lines: string[] = [];
    const done = this.#judge(where, spec, ({ standing }) => lines.push(...gateLines(standing))).catch(
      (error: unknown) => void lines.push(`It could not be judged: ${(error as Error).message}`),
    );
    return { of, lines, done, fromMs: Date.now() };
  }

  async #judge(where: Where, spec: RunSpec, tell: (one: JudgedOnce) => void): Promise<void> {
    // The agent of a run works in a workspace that its run owns; whoever else asks must not disturb one, and a stop of
    // a session that is held waits for a check.
    const lock = where.isDriven ? null : await ownWorkspace(openHome(where.root, where.env), 'check');
    if (lock?.kind === 'busy') throw new Error('another run has this workspace; ask again later');
    try {
      for await (const one of judgeOnce(where.root, spec, this.#over.signal)) tell(one);
    } finally {
      lock?.release();
    }
  }
}

const pause = (ms: number): Promise<false> =>
  new Promise((done) => setTimeout(() => done(false), ms).unref());
