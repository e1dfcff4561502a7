import { buildCommand } from '@stricli/core';
import { FaultError, fault } from '@agentgate/core';
import {
  findAgentFault,
  findSpecFile,
  type LoadedSpec,
  loadSpec,
  openHome,
  startRun,
} from '@agentgate/runtime';
import {
  type CommonFlags,
  type Context,
  common,
  commonAliases,
  guarded,
  quietFlag,
  configFlag,
} from '../context.ts';
import { busyBySession } from '../busy.ts';
import { driveRun, type OutputFlags } from '../drive-run.ts';
import { exitCode } from '../exit-code.ts';
import { tellNotes } from '../notes.ts';
import { placeholderTask, refuseSpec } from '../refuse.ts';
import { overridesOf, type SpecFlags, specFlags } from '../spec-flags.ts';
import { planLines } from '../view/plan.ts';
import { rootOf } from '../wire.ts';

interface Flags extends CommonFlags, OutputFlags, SpecFlags {
  config?: string;
  dryRun?: boolean;
}

const act = guarded(async function run(this: Context, flags: Flags, task?: string): Promise<number> {
  const home = openHome(rootOf(this, flags), this.env);
  const loaded = await loadSpec(
    home.root,
    findSpecFile(home.root, flags.config),
    ({ gates }) => overridesOf(flags, { taskFile: task, agent: this.agentCommand, gateNames: gates }),
    { profile: flags.profile, env: this.env },
  );
  if (loaded.kind === 'invalid') return refuseSpec(this, flags, home.root, loaded);
  if (loaded.spec.task.trim() === placeholderTask) {
    throw new FaultError(fault('usage', `say what to do in "task" of ${loaded.source} first`));
  }
  if (flags.dryRun) return showPlan(this, flags, home.root, loaded);
  const taken = busyBySession(this, flags, home.root);
  if (taken !== null) return taken;
  tellNotes(this, flags, loaded.notes);
  return driveRun(this, flags, home, (door) => startRun({ home, version: this.version, ...door }, loaded));
});

/** What would run, and whether the agent's program is there at all. */
function showPlan(
  context: Context,
  flags: Flags,
  root: string,
  { spec, source, notes, metadata }: Extract<LoadedSpec, { kind: 'loaded' }>,
): number {
  const { terminal } = context;
  const missing = findAgentFault(spec.agent, root);
  if (flags.json) terminal.out(JSON.stringify({ kind: 'plan', source, spec, missing, notes, metadata }));
  else {
    for (const line of planLines(spec, source)) terminal.out(line);
    tellNotes(context, flags, notes);
  }
  if (missing) terminal.err(`agentgate: ${missing.message}`);
  return missing ? exitCode.error : exitCode.ok;
}

export const run = buildCommand({
  func: act,
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [
        {
          parse: String,
          brief: 'a file with the task, such as PROMPT.md',
          placeholder: 'task-file',
          optional: true,
        },
      ],
    },
    flags: {
      ...specFlags,
      config: configFlag,
      dryRun: {
        kind: 'boolean',
        brief: 'show what would run, and run nothing',
        optional: true,
        withNegated: false,
      },
      quiet: quietFlag,
      ...common,
    },
    aliases: { ...commonAliases, p: 'prompt' },
  },
  docs: {
    brief: 'drive an agent until the gates are met',
    fullDescription: [
      'Lets the agent work, judges what it left with the gates, decides, feeds back, and goes on until the',
      'gates are met or further work would only spend money.',
      '',
      'Example:',
      '  agentgate run -p "Make the parser accept empty input" --gate "npm test" -- claude -p',
      '',
      'Exit codes: 0 converged, 1 not converged, 2 wrong usage, 3 stopped, 4 could not judge, 75 busy, 130 signal.',
    ].join('\n'),
  },
});
