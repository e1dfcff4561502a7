import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildCommand } from '@stricli/core';
import { fold, type RunState } from '@agentgate/core';
import {
  type Binding,
  findHome,
  isWithin,
  listArmings,
  listBindings,
  listUnarmed,
  longestPause,
  openRunStore,
  ownerOf,
  readHistory,
  stateRoot,
  stillUnseen,
} from '@agentgate/runtime';
import { type CommonFlags, type Context, common, commonAliases, guarded } from '../context.ts';
import { exitCode } from '../exit-code.ts';
import { taskTitle, usage } from '../view/words.ts';

interface Flags extends CommonFlags {
  all?: boolean;
}

const act = guarded(async function status(this: Context, flags: Flags): Promise<number> {
  const state = stateRoot(this.env);
  const home = findHome(flags.directory ?? this.cwd, this.env);
  // A session that works in a folder of its project is held where the project begins.
  const isHere = ({ root }: { root: string }) => flags.all || isWithin(home.root, root);
  const sessions = await Promise.all(
    listBindings(state)
      .filter(isHere)
      .map((one) => sessionOf(one, home.root, this.env)),
  );
  const armings = listArmings(state).filter((one) => isHere(one) && one.untilMs > Date.now());
  const unseen = await stillUnseen(this.env, isHere);
  const unarmed = listUnarmed(state).filter((one) => isHere(one) && one.atMs > Date.now() - toldForMs);
  const owner = ownerOf(home);
  const misfires = misfiresIn(state);
  if (flags.json) {
    this.terminal.out(
      JSON.stringify({ kind: 'status', sessions, armings, unarmed, unseen, owner, misfires }),
    );
    return exitCode.ok;
  }
  const lines = [
    ...sessions.map(({ text }) => text),
    ...armings.map(
      ({ root, untilMs }) =>
        `armed for the next prompt in ${root}, for ${Math.ceil((untilMs - Date.now()) / 60_000)} min`,
    ),
    ...unarmed.map(
      ({ host, sessionId, atMs, text }) =>
        `a session of ${host} (${sessionId.slice(0, 8)}) is NOT held since ${shown(atMs)}: ${text}`,
    ),
    ...(owner
      ? [
          `run ${owner.runId} is driven by process ${owner.pid} since ${owner.since.slice(0, 16).replace('T', ' ')}`,
        ]
      : []),
    ...unseen.map(({ text }) => text),
  ];
  for (const line of lines) this.terminal.out(line);
  if (lines.length === 0)
    this.terminal.out('No session is held here, and none is armed. agentgate arm arms the next one.');
  if (misfires > 0)
    this.terminal.out(
      `Hooks misfired ${misfires} times, the last time on ${lastMisfire(state)}, and let it through: ${misfiresAt(state)} tells why`,
    );
  return exitCode.ok;
});

/** Nobody waits longer for a session that was not held. */
const toldForMs = 86_400_000;

const shown = (atMs: number): string => new Date(atMs).toISOString().slice(0, 16).replace('T', ' ');

async function sessionOf(binding: Binding, here: string, env: NodeJS.ProcessEnv) {
  const { host, sessionId, root, runId, phase, pauses } = binding;
  const run = await runOf(root, runId, env);
  const task = run?.spec ? `  ${taskTitle(run.spec.task, 50)}` : '';
  const used = run ? `  ${usage(run).join(', ')}` : '';
  // Whether the agent is still there nobody can see from here; when it was last heard can be.
  const heard = run ? ` since ${run.lastAt.slice(0, 16).replace('T', ' ')}` : '';
  const unheard = run?.held?.unheard ?? [];
  const unbound = unheard.length > 0 ? `  cannot bind in it: ${unheard.join(', ')}` : '';
  const paused = pauses && phase !== 'suspended' ? `; ${pausedText(pauses)}` : '';
  const place = root === here ? '' : ` in ${root}`;
  const text = `run ${runId} holds a session of ${host} (${sessionId.slice(0, 8)})${place}, ${phase}${heard}${task}${used}${unbound}${paused}`;
  return { host, sessionId, root, runId, phase, iterations: run?.iteration ?? null, unheard, pauses, text };
}

/** A session that pauses looks done to whoever sees it stop. */
const pausedText = ({ stops }: NonNullable<Binding['pauses']>): string =>
  `it has stopped ${stops} of at most ${longestPause.stops} times with work in the background, NOT judged since`;

async function runOf(root: string, runId: string, env: NodeJS.ProcessEnv): Promise<RunState | null> {
  try {
    return fold(await readHistory(openRunStore(findHome(root, env).runs), runId));
  } catch {
    // Removed or damaged since; agentgate list tells.
    return null;
  }
}

const misfiresAt = (state: string): string => join(state, 'hook-misfires.jsonl');

const misfireLines = (state: string): string[] =>
  existsSync(misfiresAt(state)) ? readFileSync(misfiresAt(state), 'utf8').split('\n').filter(Boolean) : [];

const misfiresIn = (state: string): number => misfireLines(state).length;

const lastMisfire = (state: string): string =>
  /"at":"([^".]+)/
    .exec(misfireLines(state).at(-1) ?? '')?.[1]
    ?.slice(0, 16)
    .replace('T', ' ') ?? 'an unknown day';

export const status = buildCommand({
  func: act,
  parameters: {
    flags: {
      all: { kind: 'boolean', brief: 'of every workspace', optional: true, withNegated: false },
      ...common,
    },
    aliases: commonAliases,
  },
  docs: {
    brief: 'which sessions are held here, what is armed, and what was left unfinished',
    fullDescription: ['Example:', '  agentgate status'].join('\n'),
  },
});
