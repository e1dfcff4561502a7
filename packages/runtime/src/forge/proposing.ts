import type { Refusal } from './refusal.ts';

/** A commit that lies only here, as a forge can make it anew. */
export interface MadeCommit {
  parent: string;
  parentTree: string;
  tree: string;
  message: string;
  author: { name: string; email: string; date: string };
  changes: readonly MadeChange[];
}

export interface MadeChange {
  path: string;
  /** Whether the parent has something there. */
  isThere: boolean;
  /** What comes there; null where it is deleted. */
  after: { mode: string; oid: string; content: Buffer } | null;
}

/** What people are asked to merge. */
export interface Proposal {
  branch: string;
  /** The branch to merge into; the forge's own default where nobody says. */
  base: string | undefined;
  title: string;
  body: string;
  /** It is not yet to be merged. */
  isDraft: boolean;
}

/** Where a branch of the forge stands. */
export interface Tip {
  commit: string;
  message: string;
  /** Where the forge tells them: what lies there, and on what it stands. */
  tree: string | null;
  parents: readonly string[];
}

/** What a forge can do for whoever proposes a change. */
export interface Proposing {
  tip(branch: string): Promise<{ kind: 'tip'; tip: Tip } | { kind: 'none' } | Refusal>;
  knows(commit: string): Promise<{ kind: 'yes' } | { kind: 'no' } | Refusal>;
  /** Lets the branch stand at this commit, unless it stands elsewhere than before. The commit that it became there. */
  push(
    commit: MadeCommit,
    branch: string,
    from: string | null,
  ): Promise<{ kind: 'pushed'; commit: string } | Refusal>;
  /** Opens a proposal, or says the newest about the one that is open. */
  propose(proposal: Proposal): Promise<{ kind: 'proposed'; url: string; notes: string[] } | Refusal>;
}
