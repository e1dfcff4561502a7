import * as z from 'zod';
import { Count, Duration, Money, Share } from './quantity.ts';
import { AgentInput, type AgentKinds, type PlainAgent as PlainAgentShape } from './spec/agents.ts';
import { Deliver, Notify } from './spec/delivery.ts';
import { Detectors } from './spec/detectors.ts';
import { GateInput, type GateKinds } from './spec/gates/index.ts';
import { Prepare } from './spec/gates/room.ts';
import { Integrity } from './spec/integrity.ts';
import { Sandbox } from './spec/sandbox.ts';
import { Stuck } from './spec/stuck.ts';
import { StrategyInput, type StrategyKinds } from './spec/strategies.ts';
import { list, strict, text, whole } from './spec/words.ts';

/** The shape of `agentgate.yaml`. */
export const SpecFile = strict({
  task: z.union([text('the task, in words'), strict({ file: text('the path of a file') })], {
    error: () => 'the task in words, or {file: PROMPT.md}',
  }),
  agent: AgentInput,
  gates: z.record(z.string(), GateInput, { error: () => 'gates by name, such as {tests: npm test}' }),
  strategy: StrategyInput.prefault('hybrid'),
  limits: strict({
    iterations: whole(1, 10_000).default(100),
    wallClock: Duration.default(3_600_000),
    tokens: Count.optional(),
    cost: Money.optional(),
    maxWait: Duration.default(12 * 3_600_000),
    quota: Share.optional(),
  }).prefault({}),
  detectors: Detectors.prefault({}),
  stuck: Stuck.prefault({}),
  workspace: strict({ include: list.default([]), exclude: list.default([]) }).prefault({}),
  feedback: strict({ maxChars: whole(500, 20_000).default(4_000) }).prefault({}),
  deliver: Deliver.prefault({}),
  notify: Notify,
  /** A folder in the workspace for the derived files that older tools read. */
  stateDir: text('a folder in the workspace').optional(),
  /** Runs in the room of the gates when a lock file changed. */
  prepare: Prepare,
  integrity: Integrity.prefault({}),
  sandbox: Sandbox.prefault({}),
});

export type RunSpec = Omit<z.output<typeof SpecFile>, 'task' | 'gates'> & {
  task: string;
  gates: NamedGate[];
};
export type GateSpec = z.output<typeof GateKinds>;
export type NamedGate = GateSpec & { name: string };
export type AgentSpec = z.output<typeof AgentKinds>;
/** The agent that works, whichever rung of the ladder it stands on. */
export type PlainAgent = z.output<typeof PlainAgentShape>;
export type StrategySpec = z.output<typeof StrategyKinds>;
export type Limits = RunSpec['limits'];
export { type AgentKind, agentKinds, type ProgramKind, programKinds } from './spec/agents.ts';
export { type DetectorName, detectorNames } from './spec/detectors.ts';
export { GateInput, gateKinds } from './spec/gates/index.ts';
export { type MoveKind, moveKinds } from './spec/stuck.ts';
export { defaultSimilarity, levelNames, strategyKinds } from './spec/strategies.ts';
