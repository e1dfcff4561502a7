import type { GateSpec } from '@agentgate/core';
import { cargoHead, readCargo } from './cargo.ts';
import { ctrfHead, readCtrf } from './ctrf.ts';
import { endsWith } from './documents.ts';
import { eslintHead, readEslint } from './eslint.ts';
import { goHead, readGo } from './go.ts';
import { jestHead, readJest } from './jest.ts';
import { isJunit, readJunit } from './junit.ts';
import { mochaHead, readMocha } from './mocha.ts';
import { mypyHead, readMypy } from './mypy.ts';
import { readPlain } from './plain.ts';
import type { Reader } from './report.ts';
import { readRuff, ruffHead } from './ruff.ts';
import { isTap, readTap } from './tap.ts';
import { readTsc } from './tsc.ts';

export { readPattern } from './pattern.ts';
export { openProject, type Project } from './project.ts';
export type { Report } from './report.ts';

type ReportOption = Extract<GateSpec, { kind: 'command' }>['report'];
export type Format = Exclude<Extract<ReportOption, string>, 'auto'>;

/** One reader per format. */
export const readers: Record<Format, Reader> = {
  tap: readTap,
  junit: readJunit,
  ctrf: readCtrf,
  jest: readJest,
  vitest: readJest,
  mocha: readMocha,
  go: readGo,
  cargo: readCargo,
  eslint: readEslint,
  ruff: readRuff,
  mypy: readMypy,
  tsc: readTsc,
  plain: readPlain,
};

/** How a text shows its format. Lines of JSON are told by one of them; a document must also be what the text ends with. */
const shows: readonly (readonly [Format, (text: string) => boolean])[] = [
  ['junit', isJunit],
  ['tap', isTap],
  ['go', (text) => goHead.test(text)],
  ['cargo', (text) => cargoHead.test(text)],
  ['mypy', (text) => mypyHead.test(text)],
  ['jest', (text) => endsWith(text, jestHead)],
  ['mocha', (text) => endsWith(text, mochaHead)],
  ['ctrf', (text) => endsWith(text, ctrfHead)],
  ['eslint', (text) => endsWith(text, eslintHead)],
  ['ruff', (text) => endsWith(text, ruffHead)],
];

/** The format a text is written in; plain when nothing says otherwise. */
export function formatOf(text: string): Format {
  return shows.find(([, isShown]) => isShown(text))?.[0] ?? 'plain';
}
