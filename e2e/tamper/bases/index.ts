import type { Base, Runner } from '../case.ts';
import { eslint } from './eslint.ts';
import { jest, mocha, node, vitest } from './javascript.ts';
import { pytest } from './python.ts';
import { tsc } from './typescript.ts';

export const bases: Readonly<Record<Runner, Base>> = { vitest, jest, mocha, node, pytest, eslint, tsc };
