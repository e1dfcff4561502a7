import type { Finding, GateRequest, GateSpec, LevelResult, TestCase, TestCounts } from '@agentgate/core';
import { excerpt } from '../excerpt.ts';
import { sayFindings } from '../failed.ts';
import type { Halt } from '../step.ts';

export type LevelsGate = Extract<GateSpec, { kind: 'levels' }> & { name: string };
export type BlackboxCheck = NonNullable<LevelsGate['blackbox']>[number];
export type LevelName = LevelResult['level'];
export type Check = LevelResult['checks'][number];

/** What every level gets to work with. */
export interface Scene {
  request: GateRequest;
  gate: LevelsGate;
  /** When the gate's time is over. */
  untilMs: number;
  /** The files of the project, without what its owner ignores; listed once for all levels. */
  files: () => Promise<readonly string[]>;
}

/** What a level saw. It has passed when every check has. */
export interface Seen {
  kind: 'seen';
  checks: Check[];
  /** Without the level's name, which is put before every id. */
  findings: Finding[];
  /** What the failed checks printed and what is said of them. */
  said: string;
  /** The same of all checks, for whoever wants to read it later. */
  printed: string;
  /** Things worth a word that fail nothing. */
  notes: string[];
  tests?: TestCounts;
  /** Without the level's name, too. */
  cases: TestCase[];
}

export type Level = (scene: Scene) => Promise<Seen | Halt>;

export const nothingSeen = (): Seen => ({
  kind: 'seen',
  checks: [],
  findings: [],
  said: '',
  printed: '',
  notes: [],
  cases: [],
});

/** Adds one check and, where it failed, its findings with what was printed. */
export function add(seen: Seen, name: string, findings: readonly Finding[], printed?: string): void {
  const passed = findings.length === 0;
  const said = printed ?? sayFindings(findings);
  const output = passed ? {} : { output: excerpt(said, findings).slice(0, 500) };
  seen.checks.push({ name: name.slice(0, 200), passed, ...output });
  seen.findings.push(...findings);
  const text = `${name}\n${said.trimEnd()}\n`;
  if (said !== '') seen.printed += text;
  if (!passed) seen.said += text;
}
