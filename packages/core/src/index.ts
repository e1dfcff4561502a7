export { contextFor } from './advice.ts';
export * from './agent-of.ts';
export {
  completeSpec,
  type Normalised,
  normaliseSpec,
  SpecLayers,
  type SpecMetadata,
  type SpecNote,
} from './aliases/index.ts';
export * from './assess.ts';
export * from './caveats.ts';
export * from './decide.ts';
export * from './current.ts';
export * from './decision.ts';
export {
  detect,
  similarityThreshold,
  similarityWindow,
  type Watch,
  watches,
} from './detectors/index.ts';
export { effectiveLimit } from './effective-limit.ts';
export * from './ending.ts';
export * from './event.ts';
export * from './evolve.ts';
export { isGateWrite } from './evolve-judged.ts';
export * from './explain.ts';
export { failureKeyFor, failureLabel, failureName, gateOf } from './failure.ts';
export * from './fault.ts';
export * from './feedback.ts';
export * from './finding.ts';
export { classesOf, type FindingClass, findingClasses } from './finding-class.ts';
export { describeGate } from './gate-text.ts';
export * from './grant.ts';
export { grantableFiles } from './integrity.ts';
export { type JsonSchema, specJsonSchema } from './json-schema.ts';
export { moveNames, movesInSession, movesText } from './ladder.ts';
export { Learned, learnedFrom, readLearned } from './learned.ts';
export { agentKey, situationOf } from './observed.ts';
export * from './outcome.ts';
export * from './parse-spec.ts';
export * from './plan/index.ts';
export * from './policy/index.ts';
export * from './ports.ts';
export { usedSince } from './spending.ts';
export * from './progress.ts';
export * from './prompt.ts';
export * from './quantity.ts';
export { type Difference, type Replay, replay } from './replay.ts';
export * from './reports/index.ts';
export { sameJson } from './same-json.ts';
export * from './sandbox.ts';
export * from './spare.ts';
export * from './spec.ts';
export type { SpecInput } from './spec-input.ts';
export * from './state.ts';
export * from './stats/index.ts';
export { ignoredStop } from './strategies/adaptive.ts';
export * from './strategies/adapters/index.ts';
export * from './strategies/index.ts';
export * from './strategies/registry.ts';
export * from './strategies/strategy.ts';
export {
  type Anatomy,
  anatomyOf,
  defaultSignals,
  findClaim,
  findGiveUp,
  hash64,
  jaccard,
  levenshteinRatio,
  nearest,
  Sketch,
  similarity,
  sketch,
  substanceOf,
} from './text/index.ts';
export { suspendedByRedirect } from './suspended.ts';
export * from './tampering.ts';
export * from './verdict.ts';
export * from './what-if/index.ts';
export { asksPersons } from './waiting.ts';
