import type { Finding, NamedGate, ProtectedChange, Ratchet, Verdict } from '@agentgate/core';

/** The commit that the work is compared with. */
export interface Base {
  commit: string;
  /** The tree of the workspace's folder in it. */
  tree: string;
  /** How it was chosen, for people. */
  how: string;
}

/** When a failure came: with this work, or before it. Null when nobody can tell. */
export type Since = 'new' | 'before' | null;

export interface AuditedGate {
  gate: NamedGate;
  /** On the workspace as it is. */
  verdict: Verdict;
  tookMs: number;
  findings: readonly (Finding & { since: Since })[];
  /** Why it cannot be told what was red before. */
  untold?: string;
  /** It passes, but not with the protected files as they were: what fails then. */
  withOldFiles?: readonly Finding[];
}

/** What the comparison of the two trees shows, without running anything. */
export interface Compared {
  /** How many files differ. */
  files: number;
  deletedTests: ProtectedChange[];
  skipped: Ratchet[];
  weakened: Ratchet[];
  suppressions: Ratchet[];
  /** Other changes of what the gates judge by; each may be honest. */
  protected: ProtectedChange[];
  /** What is worth a look and proves nothing. */
  smells: Ratchet[];
  dependencies: string[];
}

export interface Audit {
  base: Base;
  tree: string;
  compared: Compared;
  gates: AuditedGate[];
  notes: string[];
  /** `clean`: nothing red and nothing worse. `unable`: nothing red was found, but not everything could be judged. */
  result: 'clean' | 'red' | 'unable';
}
