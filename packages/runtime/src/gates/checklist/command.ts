import { fault, showDuration } from '@agentgate/core';
import { excerpt } from '../excerpt.ts';
import { whatIsMissing } from '../missing.ts';
import { runStep } from '../step.ts';
import { type Answer, type ItemOf, type Look, met, unmet, wordsOf } from './answer.ts';

/** A command that must succeed, or one that must fail. One that cannot run has done neither. */
export async function judgeCommandItem(
  item: ItemOf<'command' | 'not-command'>,
  { request, untilMs }: Look,
): Promise<Answer> {
  const { run, timeout } = item;
  const name = wordsOf(item);
  const stepped = await runStep(request, { run, timeoutMs: timeout }, untilMs);
  if (stepped.kind === 'halt') return stepped;
  const message = excerpt(stepped.output).slice(-500) || undefined;
  const more = message === undefined ? {} : { message };
  if (stepped.kind === 'late') {
    const title = `${name}: did not end within ${showDuration(stepped.afterMs)}`;
    return unmet(item, title, { ...more, synthetic: true });
  }
  const { end, output } = stepped;
  if (end.kind === 'signalled') return unmet(item, `${name}: was ended by ${end.signal}`, more);
  if (end.code === 0)
    return item.kind === 'command' ? met : unmet(item, `${name}: succeeded, but must fail`, more);
  const missing = whatIsMissing(output, end.code, run);
  if (missing !== undefined) {
    const text = `${missing}, so nobody knows about "${name}"; install it, or correct the command`;
    return { kind: 'unable', fault: fault('gate.missing', text) };
  }
  return item.kind === 'not-command' ? met : unmet(item, `${name}: exited with ${end.code}`, more);
}
