export { type DerivedFiles, derivedPaths, openDerived, writeDerived } from './derived.ts';
