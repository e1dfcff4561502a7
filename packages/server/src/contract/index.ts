export * from './control.ts';
export * from './house.ts';
export * from './plan.ts';
export * from './routes.ts';
export * from './run.ts';
export * from './stream.ts';
export * from './what-if.ts';
export * from './words.ts';
