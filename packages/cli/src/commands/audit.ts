import { buildCommand } from '@stricli/core';
import {
  type Audit,
  auditWork,
  chooseSandbox,
  findSpecFile,
  inspectProject,
  judge,
  judgeShutIn,
  loadSpec,
  openHome,
  type Override,
  ownWorkspace,
} from '@agentgate/runtime';
import { busy } from '../busy.ts';
import { type CommonFlags, type Context, common, commonAliases, configFlag, guarded } from '../context.ts';
import { exitCode } from '../exit-code.ts';
import { tellNotes } from '../notes.ts';
import { refuseSpec } from '../refuse.ts';
import { abortOnSignal } from '../signals.ts';
import { overridesOf, type SpecFlags, specFlags } from '../spec-flags.ts';
import { auditLines } from '../view/audit.ts';
import { rootOf } from '../wire.ts';

interface Flags extends CommonFlags, Pick<SpecFlags, 'gate' | 'softGate'> {
  since?: string;
  config?: string;
}

const act = guarded(async function audit(this: Context, flags: Flags): Promise<number> {
  const home = openHome(rootOf(this, flags), this.env);
  const file = findSpecFile(home.root, flags.config);
  const seen = file === null ? detected(home.root) : [];
  const hasGates = file !== null || seen.length > 0 || (flags.gate ?? flags.softGate ?? []).length > 0;
  // Nothing is built here, so the task and the agent may be missing; even gates, and then the files are compared.
  const standIns = [
    { flag: '', path: ['task'], value: 'audit' },
    { flag: '', path: ['agent'], value: ['true'] },
    ...(hasGates ? [] : [{ flag: '', path: ['gates'], value: { none: 'true' } }]),
  ];
  const loaded = await loadSpec(
    home.root,
    file,
    ({ options, gates }) => [
      ...standIns.filter(({ path }) => !options.includes(path[0]!)),
      ...seen,
      ...overridesOf(flags, { gateNames: [...gates, ...seen.map(({ path }) => path[1]!)] }),
    ],
    { env: this.env },
  );
  if (loaded.kind === 'invalid') return refuseSpec(this, flags, home.root, loaded);
  tellNotes(this, flags, loaded.notes);
  const lock = await ownWorkspace(home, 'audit');
  if (lock.kind === 'busy') return busy(this, flags, lock.holder);
  const stop = new AbortController();
  const unhook = abortOnSignal(stop);
  try {
    const spec = hasGates ? loaded.spec : { ...loaded.spec, gates: [] };
    const { terminal } = this;
    terminal.status(terminal.colors.dim('comparing'));
    const found = await auditWork({
      home,
      spec,
      since: flags.since,
      judge: judgeShutIn(judge, home.root, spec, await chooseSandbox(spec)),
      signal: stop.signal,
      keepFds: [lock.fd],
      onGate: ({ name }) => terminal.status(terminal.colors.dim(`judging ${name}`)),
    });
    terminal.status(null);
    if (stop.signal.aborted) return exitCode.signalled;
    if (flags.json) terminal.out(JSON.stringify(forMachines(found)));
    else for (const line of auditLines(found, terminal)) terminal.out(line);
    return exits[found.result];
  } finally {
    unhook();
    lock.release();
  }
});

const exits = { clean: exitCode.ok, red: exitCode.notConverged, unable: exitCode.error } as const;

/** The gates that the project shows by itself. */
function detected(root: string): Override[] {
  return inspectProject(root).gates.map(({ name, severity, ...gate }) => ({
    flag: 'what this project shows',
    path: ['gates', name],
    value: 'run' in gate ? { run: gate.run, severity } : { exists: gate.exists, severity },
  }));
}

function forMachines({ gates, compared, ...rest }: Audit): object {
  return {
    kind: 'audit',
    ...rest,
    gates: gates.map(({ gate, verdict, ...judged }) => ({
      name: gate.name,
      severity: gate.severity,
      ...judged,
      verdict,
    })),
    ...compared,
  };
}

export const audit = buildCommand({
  func: act,
  parameters: {
    flags: {
      since: {
        kind: 'parsed',
        parse: String,
        brief: 'the commit to compare with; where the work left its upstream or main branch by default',
        optional: true,
        placeholder: 'ref',
      },
      gate: specFlags.gate,
      softGate: specFlags.softGate,
      config: configFlag,
      ...common,
    },
    aliases: commonAliases,
  },
  docs: {
    brief: 'judge work that is already done, whoever did it, against a commit',
    fullDescription:
      'Needs no set-up: runs the gates of the spec, or those that the project shows by itself, on the files as they are, and says what is red, what of that was red before, which tests were deleted, skipped or weakened, which suppressions were added, and what else was changed that the gates judge by. Exit 0 when it is clean, 1 when something is red or got worse, 4 when it cannot be judged.\n\nExample:\n  agentgate audit --since main',
  },
});
