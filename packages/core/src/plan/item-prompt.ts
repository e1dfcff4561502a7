import type { PlanDecisionOf } from './plan-decision.ts';
import type { GateWords, PlanEventOf } from './plan-event.ts';
import { isDone, type PlanState } from './plan-state.ts';
import type { WorkItem } from './work-item.ts';

/** What the agent of an item is told: where it stands in the whole, what is there already, and its own task. */
export function itemTask(state: PlanState, id: string): string {
  const item = state.agenda.item(id);
  const { notes } = state.records.get(id)!;
  const above = ancestors(state, item).filter((one) => one.task !== null || one.title !== one.id);
  return [
    ...(state.plan.context === null ? [] : [state.plan.context]),
    ...(state.plan.goal === null ? [] : [`The goal of the whole plan: ${state.plan.goal}`]),
    ...above.map((one) => `This is a part of ${one.id}: ${one.task ?? one.title}`),
    `Your task (${item.id}): ${item.task ?? item.title}`,
    ...(item.paths === null ? [] : [`Change only files under: ${item.paths.join(', ')}.`]),
    ...list('It is accepted when', criteriaOf(state, item).map(criterionText)),
    ...list('Its parts, which are there', item.resolvedBy === null ? [] : leftBelow(state, item)),
    ...list('Done before, which you can build upon', thereFor(state, item)),
    ...list('What was found out about it', notes),
    ...list('A person also said', state.constraints),
    'Work on this task alone; other items of the plan have their own turn.',
  ].join('\n\n');
}

/** What an agent is told when it comes back to an item. */
export function approachWords(state: PlanState, decision: PlanDecisionOf<'run-item'>): string | null {
  const words = wordsFor(state, decision);
  const { notes } = state.records.get(decision.item)!;
  // Whoever goes on was told its task before a person said these.
  const since =
    decision.from === null
      ? []
      : state.corrections.flatMap(({ text }) => (text.startsWith('not followed') ? [] : [text]));
  const known = decision.approach === 'go-on' && decision.from !== null ? notes : [];
  const all = [
    ...(words === null ? [] : [words]),
    // The first line stands for the whole where these words are told in short.
    ...(since.length === 0 ? [] : [since.map((one) => `A person says: ${one}`).join('\n')]),
    ...list('Known about it', known),
  ];
  return all.length === 0 ? null : all.join('\n\n');
}

function wordsFor(state: PlanState, decision: PlanDecisionOf<'run-item'>): string | null {
  const record = state.records.get(decision.item)!;
  switch (decision.approach) {
    case 'first':
    case 'integrate':
    case 'go-on':
      return null;
    case 'different':
      return [
        'What was tried so far did not lead there. Take a different approach; do not repeat any of these:',
        ...record.attempts.map(
          ({ outcome }, at) =>
            `- attempt ${at + 1}: ${outcome.paths.length > 0 ? `changed ${outcome.paths.slice(0, 8).join(', ')}` : 'changed nothing'}, ended because ${outcome.reason}${outcome.summary === '' ? '' : `; it said: ${outcome.summary}`}`,
        ),
        ...(record.conflict ? [conflictWords(record.conflict)] : []),
      ].join('\n');
    case 'informed':
      return ['Somebody has looked into it since:', ...record.notes.map((note) => `- ${note}`)].join('\n');
    case 'mend':
      return [
        `This was done, and its gates passed. Others have changed the files since, and these fail now: ${(record.broken?.failing ?? []).join(', ')}.`,
        ...saidLines(record.broken?.said),
        'Find out what broke it and put that right, so that both hold; do not undo what the others did.',
      ].join('\n');
    case 'resolve':
      return conflictWords(record.conflict);
  }
}

/** What gates found, as a list under the name of each. */
const saidLines = (said: readonly GateWords[] = []): string[] =>
  said.flatMap(({ gate, says }) => [`${gate}:`, ...says.map((line) => `- ${line}`)]);

type Conflict = Pick<PlanEventOf<'item.conflicted'>, 'paths' | 'failing' | 'said'>;

function conflictWords(conflict: Conflict | null): string {
  const paths = conflict?.paths ?? [];
  return paths.length > 0
    ? [
        'The work of others came in meanwhile, and yours does not fit to it. Both are in the files, between conflict marks.',
        'A file without marks (a binary one, a link, one that was taken away) has one side alone: see what is missing of yours.',
        'Keep what both sides want, take the marks out, and see that the gates pass:',
        ...paths.slice(0, 20).map((path) => `- conflict in ${path}`),
      ].join('\n')
    : [
        `The work of others came in meanwhile. Together with yours these gates fail: ${(conflict?.failing ?? []).join(', ')}. See that both hold.`,
        ...saidLines(conflict?.said),
      ].join('\n');
}

/** What an agent is asked that only looks. */
export function probeTask(state: PlanState, { item: id, about }: PlanDecisionOf<'probe'>): string {
  const item = state.agenda.item(id);
  const { attempts } = state.records.get(id)!;
  const tried = attempts.map(
    ({ outcome }) => `- ${outcome.reason}${outcome.summary === '' ? '' : `; it said: ${outcome.summary}`}`,
  );
  const waiting = state.agenda.dependentsOf(id).filter((one) => !isDone(state.records.get(one.id)!.status));
  return [
    'Investigate, and change nothing: whatever you write here is thrown away.',
    `The task in question (${id}): ${item.task ?? item.title}`,
    ...list(
      'What was tried',
      tried.map((line) => line.slice(2)),
    ),
    about === 'information'
      ? 'Find out what is missing: where the relevant code is, how it works, what exactly stands in the way, and what the next step should be. Answer in a few sentences.'
      : [
          `It is stuck, and these wait for it: ${waiting.map(({ id: one, title }) => `${one} (${title})`).join(', ')}.`,
          'Find out whether it can be taken apart into smaller pieces of which each can be done by itself, or whether some of those that wait do not really need it.',
          'Answer in a few sentences, and write JSON to the file named by AGENTGATE_OUTCOME_FILE:',
          '{"split": [{"id": "short-name", "task": "…"}]} for the pieces, {"drop": ["id"]} for those that need not wait.',
        ].join('\n'),
  ].join('\n\n');
}

/** Its own, and those of what it is an alternative of. */
const criteriaOf = ({ agenda }: PlanState, item: WorkItem): WorkItem['acceptance'] =>
  [...agenda.groupsAround(item.id).toReversed(), item].flatMap(({ acceptance }) => acceptance);

const criterionText = (one: WorkItem['acceptance'][number]): string =>
  'person' in one
    ? one.person
    : (one.text ?? ('run' in one ? `this command succeeds: ${commandText(one.run)}` : one.rubric));

const commandText = (run: string | readonly string[]): string =>
  typeof run === 'string' ? run : run.join(' ');

/** What the items that it depends on left. */
function thereFor(state: PlanState, item: WorkItem): string[] {
  const ids = [...new Set([item, ...ancestors(state, item)].flatMap(({ dependsOn }) => dependsOn))];
  return ids.flatMap((id) => [leftBy(state, id), ...leftBelow(state, state.agenda.item(id))]);
}

/** What a group left lies in its parts, or in the alternative that was taken. */
function leftBelow(state: PlanState, group: WorkItem): string[] {
  const { agenda, choices, records } = state;
  const found: string[] = [];
  const queue = [group];
  for (let one = queue.pop(); one; one = queue.pop()) {
    const inside = agenda
      .childrenOf(one.id)
      .filter(({ id }) => one.resolvedBy === 'all' || choices.get(one.id) === id);
    queue.push(...inside.toReversed());
    if (one !== group && isDone(records.get(one.id)!.status)) found.push(leftBy(state, one.id));
  }
  const more = found.length - mostBelow;
  return more > 0 ? [...found.slice(0, mostBelow), `and ${more} more of ${group.id}`] : found;
}

const mostBelow = 20;

function leftBy({ agenda, records }: PlanState, id: string): string {
  const { title } = agenda.item(id);
  const last = records.get(id)!.attempts.at(-1)?.outcome;
  const paths = last && last.paths.length > 0 ? ` (${last.paths.slice(0, 8).join(', ')})` : '';
  const summary = last && last.summary !== '' ? `; it said: ${last.summary.slice(-200)}` : '';
  return `${id}: ${title}${paths}${summary}`;
}

function ancestors({ agenda }: PlanState, item: WorkItem): WorkItem[] {
  const found: WorkItem[] = [];
  for (let up = item.parent; up !== null; up = agenda.item(up).parent) found.unshift(agenda.item(up));
  return found;
}

const list = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [[`${title}:`, ...lines.map((line) => `- ${line}`)].join('\n')];
