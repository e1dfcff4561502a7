/** How a session with a plan ends. */
export const planEndings = [
  'complete',
  'complete-with-caveats',
  'stuck',
  'blocked',
  'budget',
  'stopped',
  'error',
] as const;
export type PlanEnding = (typeof planEndings)[number];

/** What a person does next, in the words of the session summary. */
export type NextStep = 'continue' | 'new_session' | 'plan_complete' | 'blocked';

export function nextStep(ending: PlanEnding | null): NextStep {
  switch (ending) {
    case 'complete':
    case 'complete-with-caveats':
      return 'plan_complete';
    case 'budget':
      return 'new_session';
    case 'stuck':
    case 'blocked':
    case 'error':
      return 'blocked';
    default:
      return 'continue';
  }
}
