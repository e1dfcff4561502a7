import { FaultError, fault, type Gate, type GateRequest, invariant, type Verdict } from '@agentgate/core';
import type { Repository } from '../../workspace/repository.ts';
import { stopped } from '../step.ts';
import { type Check, type CiGate, type Forge, short } from './check.ts';
import type { Refusal } from '../../forge/refusal.ts';
import { findCommits, holds, readHead } from './commit.ts';
import { openGithub } from './github.ts';
import { openGitlab } from './gitlab.ts';
import { isHopeful, nextPauseMs, type Patience, patienceFor } from './patience.ts';
import { repositoryOf } from '../../forge/remote.ts';
import { sayChecks, settle } from './settle.ts';
import { findTarget, type Target } from '../../forge/target.ts';

const mostCommits = 3;
const lookMs = 60_000;

/** Judges by what CI says of the commit that has the judged tree. Looking costs nothing, and never passes by itself. */
export const judgeCi: Gate = async (request) => {
  const { gate } = request;
  invariant(gate.kind === 'ci', 'a ci gate asks a forge');
  const fromMs = performance.now();
  const { verdict, checks } = await look(request, gate).catch((error: unknown): Seen => {
    if (!(error instanceof FaultError)) throw error;
    return { verdict: { kind: 'unable', fault: error.fault }, checks: [] };
  });
  const tookMs = performance.now() - fromMs;
  return { verdict: request.signal.aborted ? stopped.verdict : verdict, tookMs, output: sayChecks(checks) };
};

interface Seen {
  verdict: Verdict;
  checks: readonly Check[];
}

async function look(request: GateRequest, gate: CiGate): Promise<Seen> {
  const home = request.run.home ?? request.root;
  const repository = repositoryOf(home);
  const target = await findTarget(
    { ...gate, who: `gate ${gate.name}`, code: 'gate.ci' },
    repository,
    process.env,
  );
  if (target.kind === 'unable') return seen(target);
  const patience = patienceFor(request);
  const about = `${target.base.host}/${target.repository}`;
  patience.repository ??= about;
  if (patience.repository !== about)
    return seen({ kind: 'unable', fault: movedFault(gate, patience, about) });
  const context = { request, gate, target, patience, forge: openForge(request, gate, target) };
  const commits = await findAsked(context, repository, home);
  return 'verdict' in commits ? commits : lookAt(context, commits.commits);
}

interface Context {
  request: GateRequest;
  gate: CiGate;
  target: Target;
  patience: Patience;
  forge: Forge;
}

const seen = (verdict: Verdict, checks: readonly Check[] = []): Seen => ({ verdict, checks });

/** The commits to ask about, the likeliest first: what the gate names, or those that have the judged tree. */
async function findAsked(
  context: Context,
  repository: Repository | null,
  home: string,
): Promise<{ commits: string[] } | Seen> {
  const { gate, forge, request } = context;
  const { tree } = request.run;
  if (gate.ref !== undefined) {
    if (/^[0-9a-f]{40}$/.test(gate.ref)) return { commits: [gate.ref] };
    const resolved = await forge.resolve(gate.ref);
    if (resolved.kind === 'unknown') return wait(context, `no ${gate.ref} there yet; push it`);
    if (resolved.kind !== 'commit') return refused(context, resolved);
    const { commit } = resolved;
    const held = tree === '' || repository === null ? 'yes' : await holds(repository, home, commit, tree);
    if (held === 'yes') return { commits: [commit] };
    const stands = `${gate.ref} stands at ${short(commit)}`;
    if (held === 'unknown') return wait(context, `${stands}, which is not here; run git fetch`);
    return wait(context, `${stands}, which is another tree; commit the work and push it to ${gate.ref}`);
  }
  if (repository === null) {
    const why = `gate ${gate.name} finds no git repository around ${home}; name a commit or a branch in ref`;
    return seen({ kind: 'unable', fault: fault('gate.ci', why) });
  }
  const head = tree === '' ? await readHead(repository) : null;
  const commits = tree === '' ? (head === null ? [] : [head]) : await findCommits(repository, home, tree);
  if (commits.length > 0) return { commits: commits.slice(0, mostCommits) };
  // Before any token is spent it must be known whether the forge lets us in at all.
  const welcome = request.run.iteration === 0 ? await forge.resolve('HEAD') : null;
  if (welcome?.kind === 'denied') return refused(context, welcome);
  const what = tree === '' ? 'there is no commit yet' : 'no commit here has this tree';
  // Only this machine is looked at until then, so nothing is saved by waiting longer.
  return wait(context, `${what}; commit all of it (git add -A && git commit) and push it`, gate.poll);
}

async function lookAt(context: Context, commits: readonly string[]): Promise<Seen> {
  const { forge, gate, patience, target } = context;
  let unknown = 0;
  let empty = '';
  for (const commit of commits) {
    const found = await forge.look(commit);
    if (found.kind === 'unknown') unknown += 1;
    else if (found.kind !== 'checks') return refused(context, found);
    else if (found.checks.length === 0) empty ||= commit;
    else {
      const checks = found.checks.map((one) => hidden(one, target));
      const settled = settle(gate, checks, found.nowMs, `${target.repository} at ${short(commit)}`);
      if (settled.kind === 'waiting') return wait(context, settled.note, settled.againMs, checks);
      patience.looks = 0;
      patience.troubles = 0;
      return seen(settled.verdict, checks);
    }
  }
  const [first = ''] = commits;
  return unknown === commits.length
    ? wait(context, `${target.repository} does not know commit ${short(first)}; push it`)
    : wait(context, `${target.repository} at ${short(empty)}: no check yet; push it if you have not`);
}

/** Not yet. After the gate's own time-out it is waited for no longer. */
function wait(
  { gate, request, patience }: Context,
  note: string,
  againMs?: number,
  checks: readonly Check[] = [],
): Seen {
  patience.troubles = 0;
  const { timeout } = gate;
  const leftMs = timeout === undefined ? Infinity : timeout - (request.run.waitedMs ?? 0);
  if (leftMs <= 0) return seen({ kind: 'timed-out', afterMs: timeout ?? 0, excerpt: note }, checks);
  const pauseMs = againMs ?? nextPauseMs(patience, gate.poll);
  return seen({ kind: 'pending', retryAfterMs: Math.min(leftMs, pauseMs), note }, checks);
}

/** A forge that wants to be left alone is; one that is in trouble is asked a few times more. */
function refused(context: Context, refusal: Refusal): Seen {
  const { gate, target, patience } = context;
  const why = target.hide(refusal.why);
  const message = `gate ${gate.name} cannot ask ${target.base.host} about ${target.repository}: ${why}`;
  if (refusal.kind === 'limited')
    return seen({ kind: 'pending', retryAfterMs: refusal.forMs, note: `${target.base.host}: ${why}` });
  if (refusal.kind === 'trouble' && isHopeful(patience))
    return seen({ kind: 'pending', retryAfterMs: nextPauseMs(patience, gate.poll), note: message });
  const next = refusal.kind === 'trouble' ? '; see to the network, or correct apiUrl' : '';
  return seen({ kind: 'unable', fault: fault('gate.ci', `${message}${next}`) });
}

function openForge(request: GateRequest, gate: CiGate, target: Target): Forge {
  const api = {
    ...target,
    untilMs: performance.now() + Math.min(request.timeoutMs, lookMs),
    signal: request.signal,
  };
  return target.provider === 'github'
    ? openGithub(api, target.repository, gate.workflow)
    : openGitlab(api, target.repository);
}

/** What a forge says might repeat what it was sent. */
const hidden = (check: Check, { hide }: Target): Check => ({
  ...check,
  name: hide(check.name),
  ...(check.url === undefined ? {} : { url: hide(check.url) }),
  ...(check.summary === undefined ? {} : { summary: hide(check.summary) }),
});

function movedFault({ name }: CiGate, { repository }: Patience, now: string) {
  const what = `gate ${name} asked about ${repository} before, and the remote says ${now} now`;
  return fault('gate.ci', `${what}; put the remote back, or name repository in the gate`);
}
