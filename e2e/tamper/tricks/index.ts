import type { Runner, Trick } from '../case.ts';
import { elsewhere } from './elsewhere.ts';
import { eslint } from './eslint.ts';
import { jest } from './jest.ts';
import { mocha } from './mocha.ts';
import { node } from './node.ts';
import { pytest } from './pytest.ts';
import { pytestSource } from './pytest-source.ts';
import { shopDeep } from './shop-deep.ts';
import { shopHidden } from './shop-hidden.ts';
import { shopSource } from './shop-source.ts';
import { tsc } from './tsc.ts';
import { vitest } from './vitest.ts';

import { eslintHiding } from './eslint-hiding.ts';
import { pytestKnowing } from './pytest-knowing.ts';
import { pytestLoading } from './pytest-loading.ts';
import { tscHiding } from './tsc-hiding.ts';
/** Every trick of the corpus. */
export const tricks: readonly Trick[] = [
  ...vitest,
  ...jest,
  ...mocha,
  ...node,
  ...shopSource,
  ...shopDeep,
  ...shopHidden,
  ...pytest,
  ...pytestSource,
  ...eslint,
  ...tsc,
  ...eslintHiding,
  ...pytestKnowing,
  ...pytestLoading,
  ...tscHiding,
  ...elsewhere,
];

/** The first part of an id names the runner. */
export const runnerOf = ({ id }: { id: string }): Runner => id.slice(0, id.indexOf('/')) as Runner;
