import type { Doc, IsFree } from './reconcile.ts';

/** How one kind of structured manifest is read, written, and shared between the agent and the baseline. */
export interface Shape {
  /** Null when it cannot be read. */
  parse(text: string): Doc | null;
  write(doc: Doc): string;
  isFree(base: Doc): IsFree;
  /** Where dependencies stand. */
  places: readonly (readonly string[])[];
}
