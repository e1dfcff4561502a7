import { buildCommand } from '@stricli/core';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reportMarkdown } from '@agentgate/core';
import { findAgentFault, type LoadedSpec, openHome, redact, startRun } from '@agentgate/runtime';
import {
  type CommonFlags,
  type Context,
  common,
  commonAliases,
  guarded,
  quietFlag,
  taskArgument,
  configFlag,
} from '../context.ts';
import { busyBySession } from '../busy.ts';
import { type Drive, driveRun, type OutputFlags } from '../drive-run.ts';
import { exitCode } from '../exit-code.ts';
import { driveNight } from '../night.ts';
import { tellNotes } from '../notes.ts';
import { tellCutShort } from '../open-ends.ts';
import { loadTask } from '../load-task.ts';
import { type SpecFlags, specFlags } from '../spec-flags.ts';
import { planLines } from '../view/plan.ts';
import { openRun, rootOf } from '../wire.ts';

type Loaded = Extract<LoadedSpec, { kind: 'loaded' }>;

interface Flags extends CommonFlags, OutputFlags, SpecFlags {
  config?: string;
  dryRun?: boolean;
  overnight?: boolean;
  open?: boolean;
}

const act = guarded(async function run(this: Context, flags: Flags, task?: string): Promise<number> {
  const home = openHome(rootOf(this, flags), this.env);
  const below = flags.overnight ? overnight : undefined;
  const loaded = await loadTask(this, flags, home.root, { taskFile: task, below });
  if (typeof loaded === 'number') return loaded;
  if (flags.dryRun) return showPlan(this, flags, home.root, loaded);
  const taken = busyBySession(this, flags, home.root);
  if (taken !== null) return taken;
  tellNotes(this, flags, loaded.notes);
  await tellCutShort(this, flags, home);
  const page = flags.open ? await openPage(this) : null;
  try {
    return await driveIt(this, flags, home, loaded);
  } finally {
    await page?.close();
  }
});

/** The page beside the run, for as long as it lasts; whoever serves already goes on to. */
async function openPage(context: Context): Promise<{ close(): Promise<void> } | null> {
  const { linkHere, serveHere, showPage } = await import('../serve-here.ts');
  const running = linkHere(context);
  const serving = running ? null : await serveHere(context, {});
  const link = running?.link ?? serving!.makeLink();
  context.terminal.err(`agentgate: the page of this run: ${link}`);
  showPage(context, link);
  return serving;
}

/** Drives the run to its end, and leaves a page for the morning after a night. */
async function driveIt(
  context: Context,
  flags: Flags,
  home: ReturnType<typeof openHome>,
  loaded: Loaded,
): Promise<number> {
  const begin: Drive = (door) => startRun({ home, version: context.version, ...door }, loaded);
  if (!flags.overnight) return driveRun(context, flags, home, begin);
  if (!loaded.spec.notify)
    context.terminal.err(
      "agentgate: nobody will be told when it is over; --notify 'command' or an address would",
    );
  const { cost, tokens } = loaded.spec.limits;
  if (cost === undefined && tokens === undefined)
    context.terminal.err(
      'agentgate: nothing but time and iterations bounds what this night may cost; --max-cost 20usd would',
    );
  const night = await driveNight(context, flags, home, begin, loaded.spec.limits.maxWait);
  if (night.runId !== null) await writePage(context, flags, night.runId);
  return night.code;
}

/** What a person wants who goes to bed, where the spec does not say otherwise. */
const overnight = {
  flag: '--overnight',
  value: {
    limits: { wallClock: '8h', quota: '90%' },
    deliver: { as: 'branch', on: 'any' },
  },
};

/** The whole story on one page, beside the log, for the morning. */
async function writePage(context: Context, flags: Flags, ran: string): Promise<void> {
  const { home, runId, events } = await openRun(context, flags, ran);
  const path = join(home.dir, `${runId}.md`);
  try {
    writeFileSync(path, redact(reportMarkdown(events)));
  } catch (error) {
    // The page is a copy; how the run came out is the answer of the command, also where the disk is full.
    const why = (error as NodeJS.ErrnoException).code ?? String(error);
    context.terminal.err(
      `agentgate: the page cannot be written to ${path} (${why}); agentgate report ${runId} prints it`,
    );
    return;
  }
  if (flags.json) context.terminal.err(`agentgate: the page of run ${runId} is in ${path}`);
  else context.terminal.out(`The whole night on one page: ${path}`);
}

/** What would run, and whether the agent's program is there at all. */
function showPlan(
  context: Context,
  flags: Flags,
  root: string,
  { spec, source, notes, metadata }: Loaded,
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
    positional: taskArgument,
    flags: {
      ...specFlags,
      config: configFlag,
      dryRun: {
        kind: 'boolean',
        brief: 'show what would run, and run nothing',
        optional: true,
        withNegated: false,
      },
      overnight: {
        kind: 'boolean',
        brief:
          'for the night: wait for usage windows and room on the disk, hand on the best tree as a branch, leave one page',
        optional: true,
        withNegated: false,
      },
      open: {
        kind: 'boolean',
        brief: 'show the run on a page in the browser while it lasts',
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
      '  agentgate run -p "Make the parser accept empty input" --gate "npm test" --agent claude',
      '',
      'Exit codes: 0 converged, 1 not converged, 2 wrong usage, 3 stopped, 4 could not judge, 75 busy, 130 signal.',
    ].join('\n'),
  },
});
