import type { GateRequest } from '@agentgate/core';

/** Where a gate looks at files: the workspace, or the room that stands for it. */
export type View = Pick<GateRequest, 'root' | 'room'>;

/** The words as the room runs them; as they are where the gate judges in place. */
export function inRoom(
  { room }: View,
  argv: readonly [string, ...string[]],
  cwd?: string,
): readonly [string, ...string[]] {
  return room === undefined ? argv : room.argv(argv, cwd);
}

/** The root for whoever reads files below it, and follows no link. */
export function viewRoot({ root, room }: View): string {
  return room === undefined ? root : room.resolve(root);
}
