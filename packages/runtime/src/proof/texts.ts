import type { Event } from '@agentgate/core';
import { type Check, checksOf, count } from './check.ts';
import type { ProofSource } from './source.ts';
import { refOf } from '../store/index.ts';

/** A text that lies beside a log, and what it is. */
export interface Reference {
  ref: string;
  seq: number;
  what: string;
}

/** The texts that the events of one run refer to, each once. */
export function referencesOf(events: readonly Event[]): Reference[] {
  const found = new Map<string, Reference>();
  for (const event of events) {
    for (const [what, ref] of textsOf(event)) {
      if (ref !== null && ref !== undefined && !found.has(ref)) found.set(ref, { ref, seq: event.seq, what });
    }
  }
  return [...found.values()];
}

type Named = [what: string, ref: string | null | undefined];

function textsOf(event: Event): Named[] {
  switch (event.kind) {
    case 'agent.started':
      return [
        [`the prompt of iteration ${event.iteration}`, event.prompt],
        [`the feedback of iteration ${event.iteration}`, event.feedback],
      ];
    case 'agent.ended':
      return [[`the agent's output in iteration ${event.iteration}`, event.output]];
    case 'gate.judged':
      return [
        [`the output of gate ${event.gate} in iteration ${event.iteration}`, event.output],
        [`the tests of gate ${event.gate}`, event.cases],
        [`the files of gate ${event.gate}`, event.scope],
      ];
    default:
      return [];
  }
}

/** Whether every text is there and is what its name says: the hash of its bytes. */
export function checkTexts(runId: string, events: readonly Event[], source: ProofSource): Check[] {
  const { ok, broken } = checksOf('texts', runId);
  const texts = referencesOf(events);
  const wrong = texts.flatMap(({ ref, seq, what }) => {
    const text = source.text(runId, ref);
    if (text !== null && refOf(text) === ref) return [];
    const why = text === null ? 'is not there' : 'is not as it was kept';
    return [broken(`${what}, text ${ref.slice(0, 12)} of run ${runId}, ${why}`, seq)];
  });
  if (wrong.length > 0) return wrong;
  return [ok(`${count(texts.length, 'text')} of run ${runId} there, each as it was kept`)];
}
