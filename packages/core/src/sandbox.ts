import * as z from 'zod';
import type { RunSpec } from './spec.ts';

const means = z.enum(['bwrap', 'none']);

/** Who is really shut in, as a run found it when it began or went on. */
export const ShutIn = z.object({
  agent: means,
  gates: means,
  /** Why no sandbox works here. */
  why: z.string().optional(),
});
export type ShutIn = z.infer<typeof ShutIn>;

type Word = RunSpec['sandbox']['gates'];

/**
 * What is asked for, where nothing is said as well. Gates without integrity judge in place, and nobody compares how
 * they do with and without a sandbox; some, such as those with sudo, would fail in it.
 */
export function sandboxWish({ sandbox, integrity }: RunSpec): Record<'agent' | 'gates', Word> {
  return {
    agent: sandbox.agent ?? (integrity.mode === 'strict' ? 'auto' : 'none'),
    gates: sandbox.gates === 'auto' && integrity.mode === 'off' ? 'none' : sandbox.gates,
  };
}

/** What nobody can vouch for where somebody was to be shut in and was not, or where that was refused in so many words. */
export function sandboxCaveats(spec: RunSpec, shutIn: ShutIn | null): string[] {
  if (shutIn === null) return [];
  const wish = sandboxWish(spec);
  const whyOf = (who: 'agent' | 'gates'): string | undefined => {
    if (shutIn[who] === 'bwrap') return undefined;
    if (spec.sandbox[who] === 'none') return 'as asked';
    return wish[who] === 'auto' ? (shutIn.why ?? 'no sandbox works here') : undefined;
  };
  const [agent, gates] = [whyOf('agent'), whyOf('gates')];
  return [
    ...(agent === undefined
      ? []
      : [
          `the agent ran without a sandbox (${agent}): that none of its processes lives on, and that it left the records of this run alone, is not proven`,
        ]),
    ...(gates === undefined
      ? []
      : [
          `the gates ran without a sandbox (${gates}): that none of their processes lives on, and that they saw nothing but the work, is not proven`,
        ]),
  ];
}
