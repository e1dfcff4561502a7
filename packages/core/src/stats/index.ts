export { type RunFacts, runFacts } from './run-facts.ts';
export { makeStats, type Stats, type Tally } from './stats.ts';
