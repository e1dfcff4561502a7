import type { IsThere } from './entry-points.ts';
import type { Doc, IsFree } from './reconcile.ts';

/** How one kind of structured manifest is read, written, and shared between the agent and the baseline. */
export interface Shape {
  /** Null when it cannot be read. */
  parse(text: string): Doc | null;
  write(doc: Doc): string;
  /** `isThere` tells of the judged tree, from the manifest on. */
  isFree(base: Doc, isThere: IsThere): IsFree;
  /** Where dependencies stand. */
  places: readonly (readonly string[])[];
}
