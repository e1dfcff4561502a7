export {
  drivePlan,
  type PlanControl,
  type PlanRequestToDrive,
  type PlanSessionEnd,
  type PlanWatcher,
} from './drive-plan.ts';
export { openPlanStore, type PlanRequest, type PlanStore } from './plan-store.ts';
export { findPlanFile, type LoadedPlan, loadPlan } from './load-plan.ts';
export { aheadOf, isDriving, isPlanDriven, pendingRedirects, sayToPlan } from './say.ts';
