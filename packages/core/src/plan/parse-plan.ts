import { explain } from '../parse-spec/explain.ts';
import { allGateChecks } from '../parse-spec/gate-checks.ts';
import type { Path, SpecProblem } from '../parse-spec/problem.ts';
import { isRecord } from '../spec/words.ts';
import { checkGraph } from './check-graph.ts';
import { ItemFile, PlanFile } from './plan-file.ts';
import { goalId, type Plan, type WorkItem } from './work-item.ts';

/** The items of a plan with the place of each in what was written. */
export interface PlacedItem {
  item: WorkItem;
  path: Path;
  /** How it names its parent by itself, and does not just stand inside of it. */
  joins: 'all' | 'any' | null;
}

export type ParsedPlan =
  | { kind: 'plan'; plan: Plan; contextFile: string | null; placed: PlacedItem[] }
  | {
      kind: 'invalid';
      problems: SpecProblem[];
      /** What is there all the same, so that whatever else is wrong with it can be told along. */
      rest: { run: Record<string, unknown>; contextFile: string | null; placed: PlacedItem[] };
    };

const none = { originOf: (path: Path) => path, olderNames: () => [] };

/** Parses an untrusted value, or collects every mistake in it at its own place. */
export function parsePlan(value: unknown, options: { root?: string } = {}): ParsedPlan {
  const top = PlanFile.safeParse(value);
  const problems = top.success ? [] : top.error.issues.flatMap((issue) => explain(issue, value, none));
  if (!isRecord(value))
    return { kind: 'invalid', problems, rest: { run: {}, contextFile: null, placed: [] } };
  const written = Array.isArray(value['items']) ? value['items'] : [];
  if (Array.isArray(value['items']) && written.length === 0)
    problems.push({ path: ['items'], message: 'expected at least one item' });
  const { placed, problems: wrong } = readItems(written, ['items'], options);
  problems.push(...wrong);
  if (isRecord(value['done'])) problems.push(...gateProblems(value['done'], ['done'], options.root));
  problems.push(...checkGraph(placed), ...openParts(placed));
  const run = sharedOf(value);
  if (!top.success || problems.length > 0)
    return { kind: 'invalid', problems, rest: { run, contextFile: fileOf(value['context']), placed } };
  const { title, goal, context, done, limits, maxParallel, allowDeferredDeps } = top.data;
  const byId = new Map(placed.map(({ item }) => [item.id, item]));
  const items = placed.map(({ item }) => {
    const group = item.parent === null ? undefined : byId.get(item.parent);
    // An alternative that has parts is judged by the gates of its group when they are there.
    return group?.resolvedBy === 'any' && item.resolvedBy !== null
      ? { ...item, gates: { ...group.gates, ...item.gates } }
      : item;
  });
  const whole = done === undefined ? items : underGoal(items, goal, value['done'] as WorkItem['gates']);
  const plan: Plan = {
    title: title ?? goal?.split('\n')[0]?.slice(0, 80) ?? 'plan',
    goal: goal ?? null,
    context: typeof context === 'string' ? context : null,
    items: whole,
    limits,
    maxParallel,
    allowDeferredDeps,
    base: {},
    run,
    hasSharedGates: isRecord(run['gates']) && Object.keys(run['gates']).length > 0,
  };
  return { kind: 'plan', plan, contextFile: fileOf(context), placed };
}

const fileOf = (context: unknown): string | null =>
  isRecord(context) && typeof context['file'] === 'string' ? context['file'] : null;

/** What holds for every item: options of a run, with the agent and the gates that stand at the top. */
function sharedOf({ run, agent, gates }: Record<string, unknown>): Record<string, unknown> {
  return {
    ...(isRecord(run) ? run : {}),
    ...(agent === undefined ? {} : { agent }),
    ...(gates === undefined ? {} : { gates }),
  };
}

/** Something that is done as a whole has no part that is still to be done: it would be left out without a word. */
function openParts(placed: readonly PlacedItem[]): SpecProblem[] {
  const parts = new Map<string, PlacedItem[]>();
  for (const one of placed)
    if (one.item.parent !== null) {
      const there = parts.get(one.item.parent);
      if (there) there.push(one);
      else parts.set(one.item.parent, [one]);
    }
  const isOpen = ({ item }: PlacedItem): boolean => {
    if (item.done || item.deferred) return false;
    if (item.resolvedBy !== 'all') return true;
    return (parts.get(item.id) ?? []).some(isOpen);
  };
  return placed.flatMap(({ item, path }) => {
    if (!item.done || item.resolvedBy !== 'all') return [];
    const open = (parts.get(item.id) ?? []).filter(isOpen).map((one) => one.item.id);
    if (open.length === 0) return [];
    const message = `${item.id} cannot be done before its parts are: ${open.join(', ')}; mark these as done, or leave this out`;
    return [{ path: [...path, 'done'], message }];
  });
}

/** Reads items that come to those that are there already. What is wrong between them is looked at by `checkGraph`. */
export function readItems(
  written: readonly unknown[],
  path: Path,
  { root, there = [] }: { root?: string | undefined; there?: readonly WorkItem[] } = {},
): { placed: PlacedItem[]; problems: SpecProblem[] } {
  const before = there.map((item): PlacedItem => ({ item: { ...item }, path: [item.id], joins: null }));
  const reading: Reading = { placed: before, problems: [], root };
  for (const [at, one] of written.entries()) readItem(reading, one, [...path, at], null);
  return { placed: withGroups(reading.placed, reading.problems), problems: reading.problems };
}

interface Reading {
  placed: PlacedItem[];
  problems: SpecProblem[];
  root: string | undefined;
}

/** Reads one item and what stands inside of it. `parent` is the item that it stands in. */
function readItem(reading: Reading, written: unknown, path: Path, parent: string | null): void {
  const { placed, problems, root } = reading;
  const value = withOwnNames(written);
  const parsed = ItemFile.safeParse(value);
  const at = (problem: SpecProblem): SpecProblem => ({ ...problem, path: [...path, ...problem.path] });
  if (!parsed.success)
    problems.push(...parsed.error.issues.flatMap((issue) => explain(issue, value, none)).map(at));
  const gates = isRecord(value) && isRecord(value['gates']) ? value['gates'] : {};
  problems.push(...gateProblems(gates, [...path, 'gates'], root));
  // What is wrong with it is known; those that name it are looked at all the same.
  const loose = parsed.success ? parsed.data : looseItem(value);
  if (!loose) return;
  const { parts, alternatives, parent: named, orGroup, title, task, ...rest } = loose;
  const say = (key: string, message: string) => problems.push({ path: [...path, key], message });
  if (parts && alternatives)
    say('alternatives', 'stands beside parts; put one of them into an item of its own');
  if (parent !== null && (named ?? orGroup) !== undefined)
    say(named === undefined ? 'orGroup' : 'parent', `it stands inside of ${parent} already; leave this out`);
  if (named !== undefined && orGroup !== undefined) say('orGroup', 'stands beside parent; give one of them');
  const inside = parts ?? alternatives;
  if (inside?.length === 0)
    say(parts ? 'parts' : 'alternatives', 'expected at least one item, found an empty list');
  if (!inside && task === undefined && title === undefined)
    problems.push({ path: [...path, 'task'], message: 'missing: expected what to do, in words' });
  const item: WorkItem = {
    ...rest,
    title: title ?? firstLine(task) ?? rest.id,
    task: task ?? (inside ? null : (title ?? rest.id)),
    parent: parent ?? named ?? orGroup ?? null,
    resolvedBy: parts ? 'all' : alternatives ? 'any' : null,
    gates: gates as WorkItem['gates'],
    priority: rest.priority ?? null,
    agent: isRecord(value) ? value['agent'] : undefined,
    paths: rest.paths ?? null,
  };
  placed.push({ item, path, joins: orGroup !== undefined ? 'any' : named !== undefined ? 'all' : null });
  const key = parts ? 'parts' : 'alternatives';
  for (const [index, one] of (inside ?? []).entries()) readItem(reading, one, [...path, key, index], item.id);
}

/** Other plans call the same things by other names. */
const otherNames: Record<string, string> = {
  description: 'task',
  name: 'title',
  children: 'parts',
  dependencies: 'dependsOn',
  depends_on: 'dependsOn',
  or_group: 'orGroup',
  acceptanceCriteria: 'acceptance',
  acceptance_criteria: 'acceptance',
};

function withOwnNames(value: unknown): unknown {
  if (!isRecord(value) || !Object.keys(value).some((key) => Object.hasOwn(otherNames, key))) return value;
  const entries = Object.entries(value).map(([key, one]): [string, unknown] => {
    const own = Object.hasOwn(otherNames, key) ? otherNames[key] : undefined;
    return own !== undefined && !(own in value) ? [own, one] : [key, one];
  });
  return Object.fromEntries(entries);
}

/** What is there of an item that is not well formed. */
function looseItem(value: unknown) {
  if (!isRecord(value) || typeof value['id'] !== 'string') return null;
  const words = (one: unknown) => (typeof one === 'string' ? one : undefined);
  const parsed = ItemFile.safeParse({ id: 'x', title: 'x' });
  if (!parsed.success) return null;
  return {
    ...parsed.data,
    id: value['id'],
    title: words(value['title']) ?? value['id'],
    dependsOn: Array.isArray(value['dependsOn'])
      ? value['dependsOn'].filter((one) => typeof one === 'string')
      : [],
    parts: Array.isArray(value['parts']) ? value['parts'] : undefined,
    alternatives: Array.isArray(value['alternatives']) ? value['alternatives'] : undefined,
    parent: words(value['parent']),
    orGroup: words(value['orGroup']),
  };
}

const firstLine = (text: string | undefined): string | undefined => text?.trim().split('\n')[0]?.slice(0, 80);

function gateProblems(gates: Record<string, unknown>, path: Path, root: string | undefined): SpecProblem[] {
  if (Object.keys(gates).length === 0) return [];
  return allGateChecks(gates, root).map((one) => ({ ...one, path: [...path, ...one.path.slice(1)] }));
}

/** Items that are named as a parent become one; a group of alternatives that nobody wrote down comes into being. */
function withGroups(placed: readonly PlacedItem[], problems: SpecProblem[]): PlacedItem[] {
  const byId = new Map(placed.map(({ item }) => [item.id, item]));
  return placed.flatMap((one) => {
    const { item, path, joins } = one;
    if (joins === null || item.parent === null) return [one];
    const parent = byId.get(item.parent);
    if (!parent && joins === 'any') {
      const group = emptyGroup(item.parent);
      byId.set(group.id, group);
      return [{ item: group, path: [...path, 'orGroup'], joins: null }, one];
    }
    if (parent && parent.resolvedBy !== null && parent.resolvedBy !== joins)
      problems.push({
        path: [...path, joins === 'any' ? 'orGroup' : 'parent'],
        message: `${parent.id} has ${parent.resolvedBy === 'all' ? 'parts' : 'alternatives'} already; an item has one or the other`,
      });
    if (parent) parent.resolvedBy ??= joins;
    return [one];
  });
}

const emptyGroup = (id: string): WorkItem => ({
  id,
  title: id,
  task: null,
  dependsOn: [],
  parent: null,
  resolvedBy: 'any',
  gates: {},
  acceptance: [],
  priority: null,
  weight: 1,
  limits: {},
  agent: undefined,
  paths: null,
  deferred: false,
  done: false,
});

/** The whole as an item above all others, with gates of its own. */
function underGoal(
  items: readonly WorkItem[],
  goal: string | undefined,
  gates: WorkItem['gates'],
): WorkItem[] {
  const whole: WorkItem = {
    ...emptyGroup(goalId),
    title: goal?.split('\n')[0]?.slice(0, 80) ?? 'the whole plan',
    task: goal ?? 'Make the whole plan work together: every gate below must pass.',
    resolvedBy: 'all',
    gates,
  };
  return [whole, ...items.map((item) => (item.parent === null ? { ...item, parent: goalId } : item))];
}
