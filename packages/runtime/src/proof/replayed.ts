import { type Difference, type Event, replay } from '@agentgate/core';
import { redactAll } from '../redact/index.ts';
import { type Check, checksOf, count } from './check.ts';

/** Decides every recorded decision again, and makes the ending again. */
export function checkReplay(runId: string, events: readonly Event[], version: string): Check[] {
  const { decisions, endings, differences, state } = replay(events, { clean: redactAll });
  const of = (what: Difference['what']) => differences.filter((one) => one.what === what);
  const { ok, note } = checksOf('ending', runId);
  const wrong = of('ending').map((one) => tell('ending', one, version));
  const { ended } = state;
  const ending = ended
    ? ok(`the ending follows from the log: ${ended.status} (${ended.code})`, ended.seq)
    : note(`run ${runId} has not ended`, state.seq);
  return [
    ...checkDecisions(runId, decisions, of('decision'), version),
    ...(wrong.length > 0 ? wrong : endings > 0 || !ended ? [ending] : []),
  ];
}

function checkDecisions(
  runId: string,
  decisions: number,
  differences: readonly Difference[],
  version: string,
): Check[] {
  const { ok } = checksOf('decisions', runId);
  const [first] = differences;
  if (!first) return [ok(`${count(decisions, 'decision')} decided again, each as it was recorded`)];
  const { text, ...told } = tell('decisions', first, version);
  const more = differences.length - 1;
  return [{ ...told, text: more === 0 ? text : `${text} (and ${count(more, 'more decision')})` }];
}

/** Another version may decide otherwise and still be right; this one may not. */
function tell(about: 'decisions' | 'ending', one: Difference, version: string): Check {
  const { note, broken } = checksOf(about, one.runId);
  const what = `event ${one.seq} of run ${one.runId} records the ${one.what} ${one.recorded}`;
  const now = one.recorded === one.recomputed ? 'the same with other words or evidence' : one.recomputed;
  return one.version === version
    ? broken(`${what}, but what follows from the log is ${now}`, one.seq)
    : note(`${what}, made by version ${one.version}; version ${version} would say ${now}`, one.seq);
}
