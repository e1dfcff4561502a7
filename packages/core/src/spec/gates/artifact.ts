import * as z from 'zod';
import { list, strict, text } from '../words.ts';
import { common } from './common.ts';

export const ArtifactGate = strict({
  kind: z.literal('artifact'),
  exists: list.default([]),
  notExists: list.default([]),
  contains: z
    .array(
      strict({
        path: text('a path'),
        text: text('a text to look for').optional(),
        matches: text('a regular expression').optional(),
      }),
      { error: () => 'a list of {path, text} or {path, matches}' },
    )
    .default([]),
  ...common,
});
