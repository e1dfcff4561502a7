import type {
  Activity,
  Advisor,
  Agent,
  AgentRequest,
  Built,
  Clock,
  Deliver,
  Event,
  Gate,
  Notify,
  RunState,
  Seal,
  StrategyRegistry,
  Workspace,
} from '@agentgate/core';
import type { Draft } from '../delivery/index.ts';
import type { RunStore } from '../store/index.ts';

/** Everything the lap touches of the world. Doors pass real ones in; the simulator passes its own. */
export interface Ports {
  store: RunStore;
  workspace: Workspace;
  judge: Gate;
  /** Keeps the gates from the agent; without one they judge in the workspace as it is. */
  seal?: Seal | undefined;
  build: Agent;
  /** The last iteration before the run is left open for whoever drives next; without it, to its end. */
  upTo?: number;
  /** What became of an agent that was begun earlier and works outside of this process; null while nobody knows. */
  returned?: (state: RunState) => Built | null;
  clock: Clock;
  /** Asks the strategy outside of the core, where the spec has one. */
  advisor: Advisor | null;
  /** Where the strategies of the core are looked up; the default instance when none is given. */
  registry?: StrategyRegistry | undefined;
  /** Words of a door's own for the next build, given what the core composed; without it those are the words. */
  feedback?: (state: RunState, composed: string) => Promise<string>;
  /** The pause after a failed build is never longer than this; without it the core alone says. */
  longestPauseMs?: number;
  notify: Notify;
  deliver: Deliver;
  /** Brings a tree to where CI can judge it. */
  draft?: Draft | undefined;
  /** A directory of its own for one iteration's files, removed afterwards. */
  scratch(): { path: string; remove(): void };
  keepFds: readonly number[];
  /** Names this start of the machine, where the system tells. */
  boot?: string;
  /** What the agent is shut in by; without it the agent runs as any program does. */
  agentSandbox?: NonNullable<AgentRequest['sandbox']>;
}

/** What a door wants to see while a run goes on. Readers never write. */
export interface Watcher {
  onEvent?(event: Event, state: RunState): void;
  /** Something beside the run could not be done; the run goes on. */
  onWarning?(text: string): void;
  /** What the agent does, as it does it. */
  onActivity?(iteration: number, activity: Activity): void;
  /** Live text of the agent, or of a gate. */
  onOutput?(source: { kind: 'agent' } | { kind: 'gate'; gate: string }, text: string): void;
}
