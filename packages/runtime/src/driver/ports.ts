import type { Agent, Clock, Event, Gate, RunState, Workspace } from '@agentgate/core';
import type { RunStore } from '../store/index.ts';

/** Everything the lap touches of the world. Doors pass real ones in; the simulator passes its own. */
export interface Ports {
  store: RunStore;
  workspace: Workspace;
  judge: Gate;
  build: Agent;
  clock: Clock;
  /** A directory of its own for one iteration's files, removed afterwards. */
  scratch(): { path: string; remove(): void };
  keepFds: readonly number[];
}

/** What a door wants to see while a run goes on. Readers never write. */
export interface Watcher {
  onEvent?(event: Event, state: RunState): void;
  /** Live text of the agent, or of a gate. */
  onOutput?(source: { kind: 'agent' } | { kind: 'gate'; gate: string }, text: string): void;
}
