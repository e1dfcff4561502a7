import { basename } from 'node:path';
import { buildCommand } from '@stricli/core';
import { FaultError, fault } from '@agentgate/core';
import {
  detectedSpec,
  findSpecFile,
  loadSpec,
  openHome,
  placeholderTask,
  stateRoot,
  writeArming,
} from '@agentgate/runtime';
import { type CommonFlags, type Context, common, commonAliases, configFlag, guarded } from '../context.ts';
import { exitCode } from '../exit-code.ts';
import { parsed } from '../flag.ts';
import { refuseSpec } from '../refuse.ts';
import { type AddFlags, addFlags, overridesOf, readAdded, type SpecFlags, specFlags } from '../spec-flags.ts';
import { planLines } from '../view/plan.ts';
import { findRun, rootOf } from '../wire.ts';

interface Flags extends CommonFlags, SpecFlags, AddFlags {
  config?: string;
  run?: string;
}

/** Whoever arms and then does something else for so long has changed their mind. */
const armedMs = 10 * 60_000;

const act = guarded(async function arm(this: Context, flags: Flags, file?: string): Promise<number> {
  const named = flags.run === undefined ? null : findRun(this, flags, flags.run);
  const home = named?.home ?? openHome(rootOf(this, flags), this.env);
  const order = { v: 1, root: home.root, untilMs: Date.now() + armedMs } as const;
  const key = basename(home.dir);
  const state = stateRoot(this.env);
  if (named) {
    const { runId } = named;
    const { added, problems } = readAdded(flags);
    for (const problem of problems) this.terminal.err(`agentgate: ${problem}`);
    if (problems.length > 0) return exitCode.usage;
    writeArming(state, key, { ...order, runId, added, loaded: null });
    return tell(this, flags, home.root, [`run      ${runId} goes on`]);
  }
  if (file !== undefined && flags.config !== undefined)
    throw new FaultError(fault('usage', 'a spec and --config were both given; give one of them'));
  const found = findSpecFile(home.root, file ?? flags.config);
  // Whoever names gates means those, and no others.
  const hasGates = (flags.gate ?? flags.softGate ?? []).length > 0;
  const seen =
    found === null ? detectedSpec(home.root).filter(({ path }) => !hasGates || path[0] !== 'gates') : [];
  const loaded = await loadSpec(
    home.root,
    found,
    ({ gates }) => [...seen, ...overridesOf(flags, { gateNames: gates })],
    { profile: flags.profile, env: this.env },
  );
  if (loaded.kind === 'invalid') return refuseSpec(this, flags, home.root, loaded);
  const { spec, hash, source } = loaded;
  writeArming(state, key, { ...order, runId: null, added: {}, loaded: { spec, hash, source } });
  const task = spec.task.trim() === placeholderTask ? 'what the next prompt says' : spec.task;
  return tell(this, flags, home.root, planLines({ ...spec, task }, source));
});

function tell({ terminal }: Context, { json }: Flags, root: string, lines: readonly string[]): number {
  if (json) terminal.out(JSON.stringify({ kind: 'armed', root, forMs: armedMs }));
  else {
    for (const line of lines) terminal.out(line);
    terminal.out(`Armed: the next prompt of an agent in ${root} is held, once, within ten minutes.`);
    terminal.out(
      'agentgate status shows it, agentgate stop ends it. The agent needs our hooks: agentgate hook install.',
    );
  }
  return exitCode.ok;
}

export const arm = buildCommand({
  func: act,
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [{ parse: String, brief: 'a spec file', placeholder: 'spec', optional: true }],
    },
    flags: {
      ...specFlags,
      ...addFlags,
      config: configFlag,
      run: parsed('go on with this run', 'run'),
      ...common,
    },
    aliases: { ...commonAliases, p: 'prompt' },
  },
  docs: {
    brief: 'hold the next session of an agent in this workspace until its gates pass',
    fullDescription: [
      'Takes the spec, or the gates that the project shows by itself. Where the spec has no task yet, the next prompt',
      'is the task. Binds to the next prompt in the workspace, once, within ten minutes.',
      '',
      'Example:',
      '  agentgate arm --gate "npm test" --max-iterations 10',
    ].join('\n'),
  },
});
