import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { agentgate, makePlace, type Place, start } from '../support/command.ts';
import { styles } from './styles.ts';

/** One attempt to get away. */
export interface Trial {
  style: string;
  who: 'agent' | 'gate';
  /** How the controller ends: asked to stop, or killed at once. */
  end: 'stop' | 'kill';
  sandbox: 'bwrap' | 'none';
}

export interface Survivors {
  /** Still there when the controller is gone. */
  left: number;
  /** Still there when the next command has looked at the workspace. */
  later: number;
}

export const trials: readonly Trial[] = (['bwrap', 'none'] as const).flatMap((sandbox) =>
  (['stop', 'kill'] as const).flatMap((end) =>
    (['agent', 'gate'] as const).flatMap((who) =>
      Object.keys(styles).map((style) => ({ style, who, end, sandbox })),
    ),
  ),
);

let tried = 0;

/** Lets a process get away, ends the controller, and counts who is left. Ends those itself. */
export async function attempt({ style, who, end, sandbox }: Trial): Promise<Survivors> {
  const place = makePlace();
  // Every process of the trial has this word in its command line, whatever else it throws away.
  const word = `600.${process.pid}${String(++tried).padStart(4, '0')}`;
  const escape = styles[style]!(`echo > escaped; exec sleep ${word}`);
  place.write({
    'escape.sh': `${escape}\nuntil [ -e escaped ]; do sleep 0.01; done\necho > ready\nsleep ${word}\n`,
  });
  const gate = who === 'gate' ? 'sh escape.sh' : 'false';
  const agent = who === 'agent' ? 'sh escape.sh' : 'true';
  const flags = ['-p', 'x', '--gate', gate, '--agent', agent, '--sandbox', sandbox, '--json'];
  const { child, ended } = start(place, ['run', ...flags]);
  try {
    await until(() => existsSync(join(place.workspace, 'ready')) || child.exitCode !== null);
    if (child.exitCode !== null) throw new Error(`nobody got away: ${(await ended).stdout}`);
    child.kill(end === 'stop' ? 'SIGTERM' : 'SIGKILL');
    await ended;
    const left = await settled(word);
    return { left: left.length, later: left.length === 0 ? 0 : await afterNext(place, word) };
  } finally {
    for (const pid of withWord(word)) process.kill(pid, 'SIGKILL');
    place.remove();
  }
}

async function afterNext(place: Place, word: string): Promise<number> {
  await agentgate(place, 'check', '--gate', 'true');
  return (await settled(word)).length;
}

/** Who carries the word, once that has been nobody or the same for a moment. */
async function settled(word: string): Promise<number[]> {
  for (let looks = 0; looks < 25 && withWord(word).length > 0; looks++) await sleep(20);
  return withWord(word);
}

function withWord(word: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && commandLineOf(pid).includes(word));
}

function commandLineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    // It ended while we were looking.
    return '';
  }
}

async function until(holds: () => boolean): Promise<void> {
  for (const fromMs = performance.now(); !holds(); await sleep(10))
    if (performance.now() - fromMs > 20_000) throw new Error('nothing happened for 20 s');
}
