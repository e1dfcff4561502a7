import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { agentgate, makePlace, type Place, start } from '../support/command.ts';
import { newWord, settled, until, withWord } from '../support/processes.ts';
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

/** Lets a process get away, ends the controller, and counts who is left. Ends those itself. */
export async function attempt({ style, who, end, sandbox }: Trial): Promise<Survivors> {
  const place = makePlace();
  // Every process of the trial has this word in its command line, whatever else it throws away.
  const word = newWord();
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
