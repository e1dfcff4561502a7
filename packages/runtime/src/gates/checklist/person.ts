import type { GateRequest } from '@agentgate/core';
import { lastAnswers } from '../approval.ts';
import { type Answer, type Item, type ItemOf, type Look, met, unmet, wordsOf } from './answer.ts';

/** A statement that only a person can confirm, about this very tree. */
export function judgeAssertion(item: ItemOf<'assertion'>, look: Look): Answer {
  return askPerson(item, look, item.text);
}

/**
 * What persons said about one item on this tree. An answer to the gate as a whole speaks for all its items; one to
 * `<gate>/<item>` for that item, by its name or its place on the list.
 */
export function askPerson(item: Item, { request, at }: Look, question: string): Answer {
  const answers = lastAnswers(aboutItem(request, [at, ...(item.name === undefined ? [] : [item.name])]), []);
  const against = answers.find(({ approved }) => !approved);
  if (against !== undefined) {
    const more = against.note === undefined ? {} : { message: against.note };
    return unmet(item, `${wordsOf(item)}: ${against.by} said no`, more);
  }
  if (request.run.tree !== '' && answers.length > 0) return met;
  const next =
    request.run.tree === ''
      ? 'answers are given in a run'
      : `agentgate approve "${request.gate.name}/${at}", or reject`;
  return { kind: 'waiting', asks: [`is it so? ${question} (${next})`] };
}

function aboutItem({ gate, run }: GateRequest, keys: readonly string[]) {
  const names = new Set([gate.name, ...keys.map((key) => `${gate.name}/${key}`)]);
  return run.approvals.filter((answer) => names.has(answer.gate));
}
