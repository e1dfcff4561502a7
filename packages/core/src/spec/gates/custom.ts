import * as z from 'zod';
import { strict, text, whole } from '../words.ts';
import { common } from './common.ts';

/** A module of the project judges. With a command instead of a module, `custom` is an older name of `command`. */
export const CustomGate = strict({
  kind: z.literal('custom'),
  module: text('the path of a module in the project'),
  /** Not `name`, which is the gate's own. */
  export: text('the name of what it exports').default('default'),
  /** Given to the module as it is. */
  config: z.unknown().optional(),
  memoryMb: whole(32, 4_096).default(256),
  ...common,
});
