import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { agentgate, makePlace, outcomeOf, type Place, said, start } from '../support/command.ts';
import { newWord, until, withWord } from '../support/processes.ts';

/** What the run is at when it is asked to stop. */
export const phases = ['agent', 'gate', 'waiting', 'baseline', 'telling'] as const;
export type Phase = (typeof phases)[number];

/** Who asks: a signal, or another terminal. */
export const ways = ['SIGINT', 'SIGTERM', 'SIGHUP', 'command'] as const;
export type Way = (typeof ways)[number];

export interface Stopped {
  phase: Phase;
  way: Way;
  /** From the request until every process was dead and the end was recorded. */
  tookMs: number;
  survivors: number;
  code: unknown;
}

/** Those who do not listen, and one of them who got away from his parents. */
export const deaf = (word: string, mark: string): string =>
  `trap '' TERM INT HUP; ( ( sleep ${word} & ) & ); touch ${mark}; while :; do sleep ${word}; done`;

/** A gate that is red before the agent has worked, and then does as told. */
const later = (text: string): string => `test -e a || exit 1; ${text}`;

/** Starts a run that is about to be in a phase. Its processes carry the word. */
export function startIn(
  place: Place,
  phase: Phase,
  word: string,
): ReturnType<typeof start> & { isThere: Promise<void> } {
  const mark = join(dirname(place.workspace), 'ready');
  place.write({ '../deaf.sh': `${deaf(word, mark)}\n` });
  const script = `sh ${join(dirname(place.workspace), 'deaf.sh')}`;
  const gates: Record<Phase, string> = {
    agent: 'test -e b',
    gate: later(script),
    waiting: later('echo retry-after: 600; exit 75'),
    baseline: script,
    telling: 'test -e b',
  };
  // This one listens, and then whoever should be told of the end does not.
  const heeds = `touch ${mark}; exec sleep ${word}`;
  const agents: Partial<Record<Phase, string>> = { agent: `touch a; ${script}`, telling: heeds };
  const agent = agents[phase] ?? 'touch a';
  const more = phase === 'telling' ? ['--notify', script] : [];
  const flags = [
    '-p',
    'x',
    '--gate',
    gates[phase],
    '--agent',
    agent,
    '--integrity',
    'off',
    '--json',
    ...more,
  ];
  const run = start(place, ['run', ...flags]);
  const isThere =
    phase === 'waiting' ? said(run.child, '"decision":{"kind":"wait"') : until(() => existsSync(mark));
  return { ...run, isThere };
}

/** Stops a run in the middle of something, and measures how long it takes until nothing of it is left. */
export async function stopIn(phase: Phase, way: Way): Promise<Stopped> {
  const place = makePlace();
  const word = newWord();
  const { child, ended, isThere } = startIn(place, phase, word);
  try {
    await isThere;
    const fromMs = performance.now();
    const asked = way === 'command' ? agentgate(place, 'stop') : child.kill(way);
    const end = await ended;
    const tookMs = performance.now() - fromMs;
    const survivors = withWord(word).length;
    await asked;
    return { phase, way, tookMs, survivors, code: outcomeOf(end)['code'] };
  } finally {
    child.kill('SIGKILL');
    for (const pid of withWord(word)) process.kill(pid, 'SIGKILL');
    place.remove();
  }
}

/** The value that so many of a hundred do not pass. */
export function percentile(values: readonly number[], hundredth: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil((sorted.length * hundredth) / 100) - 1)] ?? 0;
}
