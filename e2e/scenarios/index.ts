import { agents } from './agents.ts';
import { claims } from './claims.ts';
import { gates } from './gates.ts';
import { honest } from './honest.ts';
import { ladder } from './ladder.ts';
import { limits } from './limits.ts';
import { stops } from './stops.ts';
import { stuck } from './stuck.ts';

export { argumentsOf } from './scenario.ts';

/** Every made-up agent and gate, with what must come of it. */
export const scenarios = [
  ...claims,
  ...honest,
  ...stuck,
  ...ladder,
  ...agents,
  ...gates,
  ...limits,
  ...stops,
];
