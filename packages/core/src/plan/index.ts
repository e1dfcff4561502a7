export { findRedirectProblem } from './apply-redirect.ts';
export { decidePlan } from './decide-plan.ts';
export { evolvePlan, foldPlan } from './evolve-plan.ts';
export { followAll } from './follow-all.ts';
export { readMarkdown } from './import/markdown.ts';
export { findPrd, misreadStories, readPrd } from './import/prd.ts';
export { approachWords, itemTask, probeTask } from './item-prompt.ts';
export { type MergedEdit, mergeEdit } from './merge-edit.ts';
export { overlaps } from './overlap.ts';
export { type ParsedPlan, type PlacedItem, parsePlan } from './parse-plan.ts';
export type { ItemStatus, PlanDecision, PlanDecisionOf } from './plan-decision.ts';
export { type NextStep, nextStep, type PlanEnding } from './plan-ending.ts';
export {
  type GateWords,
  type ItemOutcome,
  type PlanEvent,
  PlanEventBody,
  type PlanEventOf,
} from './plan-event.ts';
export {
  type CheckReport,
  checkReport,
  checkText,
  type ItemLine,
  itemLinesText,
  planHealth,
  planMetrics,
  type SessionReport,
  sessionReport,
  sessionText,
} from './plan-report.ts';
export { type Attempt, isDone, isResolved, leavesOf, type PlanState, remaining } from './plan-state.ts';
export { planMermaid, type PlanNode, planTree } from './plan-tree.ts';
export { Redirect, redirectWords } from './redirect.ts';
export type { ItemShare } from './share.ts';
export { usedBefore } from './start-item.ts';
export { stopperWords } from './stopper.ts';
export { goalId, isJudged, type Plan, type WorkItem } from './work-item.ts';
