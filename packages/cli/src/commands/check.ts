import { buildCommand } from '@stricli/core';
import { type Judgement, type RunSpec, type Standing, showDuration } from '@agentgate/core';
import {
  findSpecFile,
  type JudgedOnce,
  judgeOnce,
  loadSpec,
  openHome,
  ownWorkspace,
} from '@agentgate/runtime';
import { busy } from '../busy.ts';
import { type CommonFlags, type Context, common, commonAliases, guarded, configFlag } from '../context.ts';
import { exitCode } from '../exit-code.ts';
import { standIns } from '../stand-ins.ts';
import { tellNotes } from '../notes.ts';
import { refuseSpec } from '../refuse.ts';
import { abortOnSignal } from '../signals.ts';
import { overridesOf, type SpecFlags, specFlags } from '../spec-flags.ts';
import { gateCell } from '../view/words.ts';
import { rootOf } from '../wire.ts';

interface Flags extends CommonFlags, Pick<SpecFlags, 'gate' | 'softGate' | 'profile' | 'set'> {
  config?: string;
}

const act = guarded(async function check(this: Context, flags: Flags): Promise<number> {
  const home = openHome(rootOf(this, flags), this.env);
  const loaded = await loadSpec(
    home.root,
    findSpecFile(home.root, flags.config),
    ({ options, gates }) => [...standIns(options), ...overridesOf(flags, { gateNames: gates })],
    { profile: flags.profile, env: this.env },
  );
  if (loaded.kind === 'invalid') return refuseSpec(this, flags, home.root, loaded);
  tellNotes(this, flags, loaded.notes);
  const lock = await ownWorkspace(home, 'check');
  if (lock.kind === 'busy') return busy(this, flags, lock.holder);
  try {
    return await judgeAll(this, flags, home.root, loaded.spec);
  } finally {
    lock.release();
  }
});

async function judgeAll(context: Context, flags: Flags, root: string, spec: RunSpec): Promise<number> {
  const controller = new AbortController();
  abortOnSignal(controller);
  const { terminal } = context;
  let last: JudgedOnce['sofar'] | null = null;
  const judged = judgeOnce(root, spec, controller.signal, (name) =>
    terminal.status(terminal.colors.dim(`judging ${name}`)),
  );
  for await (const { standing, judgement, sofar } of judged) {
    last = sofar;
    tell(context, flags, standing, judgement);
  }
  if (controller.signal.aborted || !last) return exitCode.signalled;
  const { standings, unable, allGreen, hardGreen } = last;
  if (unable.length > 0) return exitCode.error;
  const hard = standings.some((one) => one.gate.severity === 'hard');
  return allGreen || (hardGreen && hard) ? exitCode.ok : exitCode.notConverged;
}

function tell({ terminal }: Context, flags: Flags, standing: Standing, { verdict, tookMs }: Judgement): void {
  if (flags.json) {
    terminal.out(
      JSON.stringify({
        kind: 'gate.judged',
        gate: standing.gate.name,
        severity: standing.gate.severity,
        verdict,
        tookMs,
      }),
    );
    return;
  }
  terminal.out(`${gateCell(standing, terminal)}   ${terminal.colors.dim(showDuration(tookMs))}`);
  if (verdict.kind === 'unable') terminal.out(`  ${verdict.fault.message}`);
  if (verdict.kind === 'pending' && verdict.note !== undefined) terminal.out(`  ${verdict.note}`);
  for (const finding of standing.findings.slice(0, 20)) {
    const place = finding.file ? `  ${finding.file}${finding.line ? `:${finding.line}` : ''}` : '';
    terminal.out(`  ${finding.title}${terminal.colors.dim(place)}`);
  }
  if (standing.findings.length > 20) terminal.out(`  and ${standing.findings.length - 20} more`);
}

export const check = buildCommand({
  func: act,
  parameters: {
    flags: {
      gate: specFlags.gate,
      softGate: specFlags.softGate,
      profile: specFlags.profile,
      set: specFlags.set,
      config: configFlag,
      ...common,
    },
    aliases: commonAliases,
  },
  docs: {
    brief: 'judge the gates once, without an agent',
    fullDescription:
      'Exit 0 when every hard gate passes, 1 when one fails, 4 when one cannot run.\n\nExample:\n  agentgate check --gate "npm test"',
  },
});
