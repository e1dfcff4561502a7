import type { Finding, TestCounts } from '@agentgate/core';

/** What a report says. An absent or incomplete one is never a pass, whatever the exit code. */
export type Report =
  | { kind: 'read'; findings: Finding[]; tests?: TestCounts; complete: boolean; problem?: string }
  | { kind: 'absent'; problem: string };

/** Reads cleaned text in which paths under the root are already relative. */
export type Reader = (text: string) => Report;
