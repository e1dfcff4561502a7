import type { ProtectedChange, Ratchet } from '@agentgate/core';

/** One file of a captured tree; a link has mode 120000 and its target for content. */
export interface TreeFile {
  path: string;
  mode: string;
  oid: string;
  size: number;
}

/** Reads captured trees. */
export interface TreeReader {
  list(tree: string): Promise<readonly TreeFile[]>;
  read(oid: string): Promise<Buffer>;
}

/** What is protected beside the names that are known. */
export interface ProtectRules {
  /** Globs of a person's own. */
  protect: readonly string[];
  /** Globs that are free all the same. */
  unprotect: readonly string[];
  /** Files that gates are made of, by their paths. */
  gateFiles: readonly string[];
  /** Files of data that only tests name: what they expect may stand there. */
  testData?: readonly string[];
  /** The commands of the gates, where all of them do nothing but run tests. */
  testCommands?: readonly string[];
  /** Changes that a person has allowed: this content at this path, null for none. */
  grants: readonly { path: string; oid: string | null }[];
}

export interface Checked {
  /** Protected paths that are not as they were. */
  changed: ProtectedChange[];
  /** What got worse. */
  ratchets: Ratchet[];
  /** Dependencies that were gained, changed or lost. */
  dependencies: string[];
}

/** How a judged tree is sealed. Every other path is the agent's. */
export interface Seal {
  /** Paths that come from the baseline: a deleted one comes back, an added one goes. */
  fromBase: ReadonlySet<string>;
  /** Files that are made of both: the agent's manifest with the baseline's scripts and settings. */
  replaced: ReadonlyMap<string, string>;
}
