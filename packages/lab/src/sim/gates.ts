import type { GateRequest, Judgement, Seal, Verdict } from '@agentgate/core';
import { fault } from '@agentgate/core';
import { plantedSecret } from './plan.ts';
import { type Files, isTest, sealed, treeOf, wrongIn } from './tree.ts';
import type { World } from './world.ts';

/** Judges what `look` shows of the workspace, as the gate of the plan would. */
export async function judgeFiles(
  world: World,
  { gate, signal, timeoutMs, run }: GateRequest,
  look: () => Files,
): Promise<Judgement> {
  const { time, plan } = world;
  const turn = world.gateTimes.get(gate.name) ?? 0;
  world.gateTimes.set(gate.name, turn + 1);
  const isNow = (one: { gate: string; time: number }) => one.gate === gate.name && one.time === turn;
  if (run.iteration === 0) world.truth.lookedFirst.delete(gate.name);
  const manners = plan.gates[gate.name]!;
  const lastsMs = world.faults('gate-hangs').some(isNow) ? Number.POSITIVE_INFINITY : manners.tookMs;
  const fromMs = time.nowMs;
  const seen: { files: Files | null } = { files: null };
  time.at(fromMs + Math.min(lastsMs, timeoutMs) / 2, () => {
    seen.files = look();
  });
  const edit = world.faults('edit-under').find(isNow);
  if (edit) time.at(fromMs + Math.min(lastsMs, timeoutMs) * 0.7, () => world.edit(edit.file, edit.text));
  const lay: Files = new Map(world.files);
  world.judging.add(lay);
  await waited(world, Math.min(lastsMs, timeoutMs), signal);
  world.judging.delete(lay);
  const tookMs = time.nowMs - fromMs;
  const said = (verdict: Verdict): Judgement => ({ verdict, tookMs, output: `${gate.name} ${verdict.kind}` });
  if (signal.aborted) return said({ kind: 'skipped', why: 'the run was stopped' });
  if (lastsMs > timeoutMs) return said({ kind: 'timed-out', afterMs: timeoutMs, excerpt: '' });
  const pending = world.faults('pending').find(isNow);
  if (pending) return said({ kind: 'pending', retryAfterMs: pending.retryMs });
  if (world.faults('unable').some(isNow))
    return said({ kind: 'unable', fault: fault('gate.unable', 'the gate cannot run') });
  const files = seen.files ?? look();
  const wrong = wrongIn(files, gate.name, baseOf(world));
  const tree = treeOf(withoutOutput(files));
  world.truth.looked.set(gate.name, { tree, passed: wrong.length === 0 });
  if (run.iteration === 0) world.truth.lookedFirst.set(gate.name, tree);
  if (world.faults('flake').some(isNow)) wrong.push('by chance');
  return said(verdictOf(wrong, manners.leaks ? ` token ${plantedSecret}` : ''));
}

/** What gates write for themselves is nobody's work. */
export const withoutOutput = (files: Files): Files =>
  new Map([...files].filter(([path]) => !path.startsWith('out/')));

function verdictOf(wrong: readonly string[], also: string): Verdict {
  if (wrong.length === 0) return { kind: 'passed' };
  const findings = wrong.map((path) => ({ id: path, title: `${path} is wrong` }));
  return { kind: 'failed', findings, excerpt: wrong.join(' ') + also, textKey: wrong.join(' ') };
}

/** So long, or until the signal and a little more: even what is cut short takes a moment to end. */
function waited({ time }: World, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) return done();
    const entry = time.at(time.nowMs + ms, done);
    signal.addEventListener(
      'abort',
      () => {
        entry.cancel();
        time.at(time.nowMs + 300, done);
      },
      { once: true },
    );
  });
}

const baseOf = ({ plan }: World): Files => new Map(Object.entries(plan.files));

/** The room of the gates: it judges captured trees, and never the workspace. */
export function makeSeal(world: World): Seal {
  const filesIn = (tree: string) => world.trees.get(tree) ?? new Map<string, string>();
  return {
    async rehearse(request, tree) {
      return { ...(await judgeFiles(world, request, () => filesIn(tree))), rung: 'sealed' };
    },
    async compare({ tree, baseTree }, { grants }) {
      const [now, before] = [filesIn(tree), filesIn(baseTree)];
      const changed = [...before.keys()]
        .filter(isTest)
        .filter((path) => now.get(path) !== before.get(path))
        .map((path) => ({ path, oid: oidOf(now, path) }))
        .filter((one) => !grants.some((grant) => grant.path === one.path && grant.oid === one.oid))
        .map((one) => ({ ...one, status: 'modified' as const, what: 'test' as const, diff: '' }));
      return { sealed: true, changed, ratchets: [], dependencies: [] };
    },
    async judge(request, { tree, baseTree, form }) {
      const [now, before] = [filesIn(tree), filesIn(baseTree)];
      const shown = form === 'base' ? before : form === 'as-is' ? now : sealed(now, before);
      return { ...(await judgeFiles(world, request, () => shown)), rung: 'sealed' };
    },
    whereabouts: async () => [],
    rest: async () => undefined,
    close: async () => undefined,
  };
}

const oidOf = (files: Files, path: string): string | null => {
  const content = files.get(path);
  return content === undefined ? null : treeOf(new Map([[path, content]]));
};
