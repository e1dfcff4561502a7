import { type Fault, FaultError, fault, type RunSpec } from '@agentgate/core';
import { proposeOnGithub } from '../forge/github-proposing.ts';
import { proposeOnGitlab } from '../forge/gitlab-proposing.ts';
import type { MadeChange, MadeCommit, Proposal, Proposing } from '../forge/proposing.ts';
import type { Refusal } from '../forge/refusal.ts';
import { findTarget, type Target } from '../forge/target.ts';
import { runGit } from '../workspace/git.ts';
import { isText, toText } from '../workspace/path.ts';
import type { Repository } from '../workspace/repository.ts';
import { type Forge, forgeEnv } from './commit.ts';

/** So long may a forge take in all. */
const inAllMs = 120_000;
/** More than this is pushed by git, and not by an API. */
const most = { paths: 500, bytes: 50 * 1024 * 1024 };

export interface ProposeRequest {
  forge: Forge & { repository: Repository };
  /** A commit of ours on top of one that the forge knows. */
  commit: string;
  /** This run and those that it goes on from. */
  lineage: readonly string[];
  /** Commits that this process has pushed itself. */
  pushed: ReadonlySet<string>;
  proposal: Proposal;
  signal: AbortSignal;
}

export interface Proposed {
  /** As the forge names it. */
  commit: string;
  /** What lies in it. */
  tree: string;
  url: string;
  notes: string[];
}

/**
 * Lets a branch of the forge stand at a commit, and proposes it for merging. What is there already is left as it is, so
 * that it may be done again after a crash. A branch with somebody else's work is not touched.
 */
export async function proposeCommit(
  target: FoundTarget,
  request: ProposeRequest,
): Promise<{ kind: 'proposed'; proposed: Proposed } | { kind: 'refused'; refusal: Refusal; fault: Fault }> {
  const { proposal } = request;
  if (target.kind === 'unable')
    return { kind: 'refused', refusal: { kind: 'denied', why: target.fault.message }, fault: target.fault };
  const hosting = openHosting(target, request.signal);
  const refused = (refusal: Refusal) => ({
    kind: 'refused' as const,
    refusal,
    fault: faultOf(target, refusal),
  });
  const pushed = await push(hosting, request);
  if (pushed.kind !== 'pushed') return refused(pushed);
  const told = await hosting.propose(proposal);
  if (told.kind !== 'proposed') return refused(told);
  const { commit, tree } = pushed;
  return { kind: 'proposed', proposed: { commit, tree, url: told.url, notes: told.notes } };
}

export type FoundTarget = Awaited<ReturnType<typeof findTarget>>;

/** Which repository is meant. Looked up before the agent works, since it may write where git keeps that. */
export const findForge = (deliver: RunSpec['deliver'], repository: Repository | null): Promise<FoundTarget> =>
  findTarget({ ...deliver, who: 'the pull request', code: 'deliver.forge', scopes }, repository, process.env);

/** Whether a branch of this run is there. */
export async function isProposed(
  target: FoundTarget,
  branch: string,
  lineage: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  if (target.kind === 'unable') return false;
  const at = await openHosting(target, AbortSignal.any([AbortSignal.timeout(20_000), signal])).tip(branch);
  return at.kind === 'tip' && isOurs(at.tip.message, lineage);
}

const scopes = { github: 'to write contents and pull requests', gitlab: 'api' };

function openHosting(target: Target, signal: AbortSignal): Proposing {
  const api = { ...target, untilMs: performance.now() + inAllMs, signal };
  return target.provider === 'github'
    ? proposeOnGithub(api, target.repository)
    : proposeOnGitlab(api, target.repository);
}

function faultOf(target: Target, { why }: Refusal): Fault {
  const where = `${target.base.host} for ${target.repository}`;
  return fault('deliver.forge', `no pull request could be made at ${where}: ${target.hide(why)}`);
}

async function push(
  hosting: Proposing,
  { forge, commit, lineage, pushed, proposal: { branch } }: ProposeRequest,
): Promise<{ kind: 'pushed'; commit: string; tree: string } | Refusal> {
  const made = await readCommit(forge, commit);
  const at = await hosting.tip(branch);
  if (at.kind !== 'tip' && at.kind !== 'none') return at;
  if (at.kind === 'tip') {
    if (!isOurs(at.tip.message, lineage))
      return {
        kind: 'denied',
        why: `the branch ${branch} is there with work of somebody else; choose another branchPrefix`,
      };
    // Anybody can write a message; what counts is what lies there.
    const isSame =
      at.tip.tree === made.tree && at.tip.parents.length === 1 && at.tip.parents[0] === made.parent;
    if (isSame) return { kind: 'pushed', commit: at.tip.commit, tree: made.tree };
    if (at.tip.tree === null && pushed.has(`${made.tree} ${at.tip.commit}`))
      return { kind: 'pushed', commit: at.tip.commit, tree: made.tree };
  }
  const known = await hosting.knows(made.parent);
  if (known.kind === 'no')
    return {
      kind: 'denied',
      why: `it does not know commit ${made.parent.slice(0, 12)}, on which this stands; push that first`,
    };
  if (known.kind !== 'yes') return known;
  const done = await hosting.push(made, branch, at.kind === 'tip' ? at.tip.commit : null);
  return done.kind === 'pushed' ? { ...done, tree: made.tree } : done;
}

/** Whether one of these runs says in a message that it made it. */
const isOurs = (message: string, lineage: readonly string[]): boolean =>
  lineage.some((runId) => message.split('\n').includes(`AgentGate-Run: ${runId}`));

/** Reads a commit of ours with everything that a forge needs to make it anew. */
async function readCommit(forge: Forge, commit: string): Promise<MadeCommit> {
  const git = (...args: string[]) => runGit({ args, cwd: forge.gitDir, env: forgeEnv(forge) });
  const text = (await git('cat-file', 'commit', commit)).toString('utf8');
  const [head = '', ...rest] = text.split('\n\n');
  const field = (name: string): string => new RegExp(`^${name} (.*)$`, 'm').exec(head)?.[1] ?? '';
  const [, name = '', email = '', seconds = '0'] = /^(.*) <(.*)> (\d+)/.exec(field('author')) ?? [];
  const parent = field('parent');
  if (parent === '')
    throw new FaultError(
      fault('deliver.forge', 'there is no commit yet that the work could stand on; commit and push one'),
    );
  const parentTree = (await git('rev-parse', `${parent}^{tree}`)).toString('utf8').trim();
  return {
    parent,
    parentTree,
    tree: field('tree'),
    message: rest.join('\n\n'),
    author: { name, email, date: new Date(Number(seconds) * 1000).toISOString().replace('.000', '') },
    changes: await readChanges(git, parent, commit),
  };
}

async function readChanges(
  git: (...args: string[]) => Promise<Buffer>,
  parent: string,
  commit: string,
): Promise<MadeChange[]> {
  const raw = await git('diff-tree', '-r', '-z', '--no-renames', '--raw', '--no-abbrev', parent, commit);
  const fields = raw.toString('latin1').split('\0');
  const changes: MadeChange[] = [];
  let bytes = 0;
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, mode = '', , oid = '', status = ''] = fields[at]!.slice(1).split(' ');
    const path = fields[at + 1]!;
    if (!isText(path)) throw tooMuch('a path of it is no text');
    const content = status === 'D' ? Buffer.alloc(0) : await git('cat-file', 'blob', oid);
    bytes += content.length;
    if (changes.length >= most.paths || bytes > most.bytes) throw tooMuch('it is too much for an API');
    changes.push({
      path: toText(path),
      isThere: status !== 'A',
      after: status === 'D' ? null : { mode, oid, content },
    });
  }
  return changes;
}

const tooMuch = (why: string): FaultError =>
  new FaultError(
    fault('deliver.forge', `the work cannot be proposed: ${why}; deliver it with --as branch, and push that`),
  );
