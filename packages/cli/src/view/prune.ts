import { showBytes } from '@agentgate/core';
import type { Pruned, PrunePlan, Survey } from '@agentgate/runtime';
import { plural } from './words.ts';

/** What the state of a workspace is made of. */
export function stateLine(state: Survey): string {
  const { root, runs, runsBytes, snapshotBytes, roomBytes, reserveBytes, totalBytes } = state;
  const parts = [
    `${showBytes(runsBytes)} of logs and outputs`,
    `${showBytes(snapshotBytes)} of snapshots`,
    ...(roomBytes > 0 ? [`${showBytes(roomBytes)} of rooms and caches`] : []),
    ...(reserveBytes > 0 ? [`${showBytes(reserveBytes)} set aside for a full disk`] : []),
  ];
  return `${root}: ${plural(runs.length, 'run')}, ${showBytes(totalBytes)} (${parts.join(', ')})`;
}

/** What goes, before it does. */
export function planLine({ runIds, planIds, room, bytes }: PrunePlan, verb: string): string {
  const parts = [
    ...(runIds.length > 0 ? [`${plural(runIds.length, 'run')} (${named(runIds)})`] : []),
    ...(planIds.length > 0 ? [`${plural(planIds.length, 'plan')} (${named(planIds)})`] : []),
    ...(room ? ['the rooms of its gates'] : []),
  ];
  if (parts.length === 0) return '  Nothing is to be removed.';
  return `  ${verb} ${parts.join(', ')}: about ${showBytes(bytes)}`;
}

export const freedLine = ({ bytes }: Pruned): string => `  Freed ${showBytes(bytes)}.`;

const mostNamed = 5;

function named(runIds: readonly string[]): string {
  const rest = runIds.length - mostNamed;
  return [...runIds.slice(0, mostNamed), ...(rest > 0 ? [`and ${rest} more`] : [])].join(', ');
}
