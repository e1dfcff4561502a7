export { confinedArgv } from './bwrap.ts';
export { inPlaceConfinement, inPlaceRoom, type Shut } from './in-place.ts';
export { probeSandbox, trySandbox } from './probe.ts';
