import * as z from 'zod';
import { command, oneOf, strict, text, whole } from '../words.ts';
import { common } from './common.ts';
import { pattern } from './matching.ts';

/** Formats that a report can be told to have. */
const formats = [
  'tap',
  'junit',
  'ctrf',
  'jest',
  'vitest',
  'mocha',
  'go',
  'cargo',
  'eslint',
  'ruff',
  'mypy',
  'tsc',
] as const;

/** What a pattern may call the parts of a line. */
const groups = ['file', 'line', 'column', 'rule', 'message', 'test', 'level'];

const said = `one of auto, ${formats.join(', ')}, plain, {format, path} for a report file, or {pattern}`;

export const CommandGate = strict({
  kind: z.literal('command'),
  run: command,
  report: z
    .union(
      [
        oneOf('auto', ...formats, 'plain'),
        strict({ format: oneOf('auto', ...formats).default('auto'), path: text('the path of the report') }),
        strict({
          pattern: pattern.refine(namesParts, {
            error: () =>
              `named groups, such as (?<message>.*): message, rule or test, and beside them ${groups.join(', ')}`,
          }),
          path: text('the path of the report').optional(),
        }),
      ],
      { error: () => said },
    )
    .default('auto'),
  expectExit: whole(0, 255).default(0),
  ...common,
});

/** A finding needs something that tells it from the next, and a group that nobody reads is a mistake. */
function namesParts(source: string): boolean {
  const names = [...source.matchAll(/\(\?<([A-Za-z_]\w*)>/g)].map(([, name = '']) => name);
  return (
    names.every((name) => groups.includes(name)) &&
    names.some((name) => ['message', 'rule', 'test'].includes(name))
  );
}
