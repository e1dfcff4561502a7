import type { Finding, TestCase, TestCounts } from '@agentgate/core';
import type { Project } from './project.ts';

/** What a report says. An absent or incomplete one is never a pass, whatever the exit code. */
export type Report =
  | {
      kind: 'read';
      findings: Finding[];
      /** What turns no gate red by itself; it is told when nothing else says why the gate is red. */
      warnings?: Finding[];
      /** Absent in a report about places in files: there, nothing found is what is hoped for. */
      tests?: TestCounts;
      cases?: readonly TestCase[];
      /** Every file of the project that was looked at. */
      scope?: readonly string[];
      complete: boolean;
      problem?: string;
    }
  | { kind: 'absent'; problem: string };

/** Reads cleaned text in which paths under the root are already relative. Never throws. */
export type Reader = (text: string, project?: Project) => Report;
