export { needsOf } from './needs.ts';
export { judgeHere, openRehearsals, type Rehearsals } from './rehearsals.ts';
export { agree, type Rehearsal } from './rehearse.ts';
export { type OpenedRoom, openRooms, type Rooms } from './rooms.ts';
export type { Sealed as SealedPaths } from './sealed-tree.ts';
