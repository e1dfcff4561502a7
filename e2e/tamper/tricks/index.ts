import type { Runner, Trick } from '../case.ts';
import { elsewhere } from './elsewhere.ts';
import { eslint } from './eslint.ts';
import { jest } from './jest.ts';
import { mocha } from './mocha.ts';
import { node } from './node.ts';
import { pytest } from './pytest.ts';
import { pytestSource } from './pytest-source.ts';
import { shopSource } from './shop-source.ts';
import { tsc } from './tsc.ts';
import { vitest } from './vitest.ts';

/** Every trick of the corpus. */
export const tricks: readonly Trick[] = [
  ...vitest,
  ...jest,
  ...mocha,
  ...node,
  ...shopSource,
  ...pytest,
  ...pytestSource,
  ...eslint,
  ...tsc,
  ...elsewhere,
];

/** The first part of an id names the runner. */
export const runnerOf = ({ id }: { id: string }): Runner => id.slice(0, id.indexOf('/')) as Runner;
