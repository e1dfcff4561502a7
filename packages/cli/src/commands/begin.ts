import { createInterface } from 'node:readline/promises';
import { buildCommand } from '@stricli/core';
import type { RunSpec } from '@agentgate/core';
import {
  detectedSpec,
  findAgentFault,
  findSpecFile,
  type LoadedSpec,
  loadSpec,
  openHome,
  placeholderTask,
  proposeAgent,
  startRun,
} from '@agentgate/runtime';
import { busyBySession } from '../busy.ts';
import { type CommonFlags, type Context, common, commonAliases, guarded } from '../context.ts';
import { driveRun } from '../drive-run.ts';
import { exitCode } from '../exit-code.ts';
import { refuseSpec } from '../refuse.ts';
import { planLines } from '../view/plan.ts';
import { rootOf } from '../wire.ts';

type Loaded = Extract<LoadedSpec, { kind: 'loaded' }>;

/** Bare `agentgate`: what would run here, and the question whether it shall. */
const act = guarded(async function begin(this: Context, flags: CommonFlags): Promise<number> {
  const home = openHome(rootOf(this, flags), this.env);
  const file = findSpecFile(home.root);
  const seen = file === null ? detectedSpec(home.root, proposeAgent(home.root, this.env).agent) : [];
  const loaded = await loadSpec(home.root, file, () => seen, { env: this.env });
  if (loaded.kind === 'invalid') return refuseSpec(this, flags, home.root, loaded);
  const found: Loaded = file === null ? { ...loaded, source: 'what this project shows' } : loaded;
  const missing = findAgentFault(found.spec.agent, home.root);
  tell(this, flags, found, missing?.message ?? null);
  if (missing) return exitCode.error;
  const spec = flags.json ? null : await asked(this, found.spec, file === null);
  if (!spec) return exitCode.ok;
  const taken = busyBySession(this, flags, home.root);
  if (taken !== null) return taken;
  return driveRun(this, flags, home, (door) =>
    startRun({ home, version: this.version, ...door }, { ...found, spec }),
  );
});

function tell(
  { terminal }: Context,
  flags: CommonFlags,
  { spec, source }: Loaded,
  missing: string | null,
): void {
  if (flags.json) return terminal.out(JSON.stringify({ kind: 'plan', source, spec, missing }));
  for (const line of planLines(spec, source)) terminal.out(line);
  if (missing !== null) terminal.err(`agentgate: ${missing}`);
}

/** The spec with its task, once the person has said yes; null when they have not, or when nobody is there. */
async function asked(context: Context, spec: RunSpec, isDetected: boolean): Promise<RunSpec | null> {
  const { terminal, desk } = context;
  const open = spec.task.trim() === placeholderTask;
  if (!desk) {
    terminal.out(
      open
        ? 'Nothing was run; say what to do: agentgate run -p "…"'
        : 'Nothing was run; agentgate run starts it.',
    );
    if (isDetected) terminal.out('agentgate init writes this down in agentgate.yaml.');
    return null;
  }
  const rl = createInterface(desk);
  // Ctrl-C here means no; nothing has begun.
  const gone = new Promise<string>((done) => rl.once('close', () => done('')));
  const question = (text: string) => Promise.race([rl.question(text), gone]);
  try {
    const task = open ? (await question('What is to be done? ')).trim() : spec.task;
    if (task === '') return null;
    const yes = /^y(es)?$/i.test((await question('Run it now? [y/N] ')).trim());
    if (!yes) terminal.out('Nothing was run.');
    return yes ? { ...spec, task } : null;
  } finally {
    rl.close();
  }
}

export const begin = buildCommand({
  func: act,
  parameters: { flags: common, aliases: commonAliases },
  docs: {
    brief: 'look at the project, show what would run, and ask; the same as agentgate alone',
    fullDescription: [
      'Takes the spec file, or where there is none the agent and the gates that the project shows by itself,',
      'prints them with the caps of the run, and asks before anything is started.',
      '',
      'Example:',
      '  agentgate',
    ].join('\n'),
  },
});
