import { show, showPath } from '../parse-spec/problem.ts';
import type { Entry, Group } from './group.ts';
import { readMaximum } from './maximum.ts';
import type { Reading } from './reading.ts';

/** Older names of the options of strategies. `maxIterations` and a few others mean more than a name; see below. */
export const olderOptions: Record<string, string> = {
  mode: 'kind',
  type: 'kind',
  baseIterations: 'base',
  bonusIterations: 'bonus',
  maxBonusIterations: 'bonus',
  minIterations: 'min',
  windowSize: 'window',
  completionCriteria: 'criteria',
  completionSignals: 'signals',
  minVerificationLevel: 'minLevel',
  modulePath: 'module',
  strategyName: 'name',
};

/** Options of older designs that nothing here answers to, each with the reason. */
export const idleOptions: Record<string, string> = {
  progressTracking: 'progress is always read from the gates',
  maxCIIterations: 'the limits count every iteration',
  blockingExitCode: 'an exit code never keeps an agent from ending here',
  promptHotReload: 'the task is read once, when the run begins',
  tuningSignsPath: 'it never had an effect',
};

/** The strategy, however it was called, with its options under the names they have today. */
export function readStrategy(reading: Reading, top: Group, kindBelow?: string): void {
  for (const old of ['mode', 'loopStrategy']) joinName(reading, top, old);
  const strategy = top.open('strategy');
  if (!strategy) return;
  // Beside its kind, adaptive has a mode of its own.
  const isAdaptive = strategy.get('kind')?.value === 'adaptive';
  for (const [old, now] of Object.entries(olderOptions))
    if (old !== 'mode' || !isAdaptive) reading.rename(strategy, old, now);
  for (const [idle, why] of Object.entries(idleOptions)) {
    const entry = strategy.take(idle);
    if (entry) reading.note(entry.from, `${showPath(entry.from)} is left out: ${why}`);
  }
  const kind = strategy.get('kind')?.value ?? kindBelow ?? 'hybrid';
  reading.rename(strategy, 'convergenceThreshold', 'similarityThreshold', asSimilarity);
  readMaximum(reading, strategy, kind);
  readCriteria(reading, strategy);
  readElsewhere(reading, top, strategy, kind);
}

/** `mode: ralph` beside a group of options names it; alone it is the strategy. */
function joinName(reading: Reading, top: Group, old: string): void {
  const named = top.get(old);
  const strategy = named && typeof named.value === 'string' ? top.open('strategy') : undefined;
  if (named && strategy && !strategy.has('kind')) {
    top.take(old);
    strategy.put('kind', named);
    reading.note(named.from, `${showPath(named.from)} is read as strategy.kind`);
  } else reading.rename(top, old, 'strategy');
}

/** Up to a half it is a tolerated difference, above it a similarity (C-02). */
function asSimilarity(value: unknown): unknown {
  return typeof value === 'number' && value >= 0 && value <= 0.5 ? Number((1 - value).toFixed(12)) : value;
}

const wordOf = (name: unknown): unknown =>
  typeof name === 'string' ? name.toLowerCase().replaceAll('_', '-') : name;

function readCriteria(reading: Reading, strategy: Group): void {
  const ci = strategy.take('requireCI');
  if (ci) readRequireCi(reading, strategy, ci);
  const criteria = strategy.get('criteria');
  if (!Array.isArray(criteria?.value)) return;
  const names = criteria.value.map(wordOf);
  criteria.value.forEach((name, at) => {
    if (name !== names[at])
      reading.note(
        [...criteria.from, at],
        `${showPath(criteria.from)} ${show(name)} is read as ${names[at]}`,
      );
  });
  strategy.put('criteria', { ...criteria, value: names });
}

function readRequireCi(reading: Reading, strategy: Group, { value, from }: Entry): void {
  if (value === false)
    return reading.note(from, `${showPath(from)} false is left out: CI is not asked anyway`);
  if (value !== true) return reading.problem(from, `expected true or false, found ${show(value)}`);
  const there = strategy.get('criteria');
  const others = Array.isArray(there?.value) ? there.value : ['verification-pass', 'no-changes'];
  const criteria = others.map(wordOf).includes('ci-pass') ? others : [...others, 'ci-pass'];
  strategy.put('criteria', { value: criteria, from: there?.from ?? from });
  reading.note(from, `${showPath(from)} true is read as the criterion ci-pass`);
}

/** What stands elsewhere today: the folder for derived files, and the switch of the detectors. */
function readElsewhere(reading: Reading, top: Group, strategy: Group, kind: unknown): void {
  const stateDir = strategy.take('stateDir');
  if (stateDir && !top.has('stateDir')) {
    top.put('stateDir', stateDir);
    reading.note(stateDir.from, `${showPath(stateDir.from)} is read as stateDir of the spec`);
  } else if (stateDir)
    reading.problem(stateDir.from, 'stands beside stateDir of the spec; give one of them', true);
  const detection = kind === 'ralph' ? undefined : strategy.take('loopDetection');
  if (!detection) return;
  const detectors = top.openOrMake('detectors', detection.from);
  if (!detectors || detectors.has('enabled'))
    return reading.problem(detection.from, 'stands beside detectors; give one of them', true);
  detectors.put('enabled', detection);
  reading.note(detection.from, `${showPath(detection.from)} is read as detectors.enabled`);
}
