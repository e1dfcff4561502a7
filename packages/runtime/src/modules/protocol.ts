import type { LoopEnd, StrategyContext } from '@agentgate/core';

/** What the module's process is asked. One request is answered before the next is sent. */
export type ChildRequest =
  | (ModuleName & { op: 'load'; state?: unknown })
  | { op: 'decide'; context: StrategyContext }
  | { op: 'end'; ending: LoopEnd }
  | (ModuleName & { op: 'judge'; request: unknown });

/** A module, what it exports, and what that is given. */
export interface ModuleName {
  /** The real path of the file. */
  module: string;
  /** The real path of the project. */
  root: string;
  name: string;
  config: unknown;
}

/** Why there is no answer. The first group is told by the process itself, the second is seen from outside. */
export type FailureCode =
  | ('export' | 'interface' | 'config' | 'import' | 'threw' | 'garbage')
  | ('missing' | 'outside' | 'timeout' | 'memory' | 'exited' | 'unable');

export interface Failure {
  code: FailureCode;
  /** In words that follow the name of the module. */
  detail: string;
  /** The place in the project, as `file:line:column`. */
  where?: string;
}

/** What came of a request. */
export type Reply = { kind: 'value'; value: unknown } | { kind: 'failed'; failure: Failure };

/** The largest answer in characters; a strategy's state may have as many beside it. */
export const maxAnswer = 64 * 1024;
/** Judgements name up to 500 findings. */
export const maxJudgement = 512 * 1024;
