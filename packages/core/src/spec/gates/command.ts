import * as z from 'zod';
import { command, oneOf, strict, text, whole } from '../words.ts';
import { common } from './common.ts';

export const CommandGate = strict({
  kind: z.literal('command'),
  run: command,
  report: z
    .union(
      [
        oneOf('auto', 'tap', 'junit', 'plain'),
        strict({ format: oneOf('tap', 'junit'), path: text('the path of the report') }),
      ],
      {
        error: () => 'one of auto, tap, junit, plain, or {format, path} for a report file',
      },
    )
    .default('auto'),
  expectExit: whole(0, 255).default(0),
  ...common,
});
