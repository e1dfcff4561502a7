import * as z from 'zod';

/** How a person steers a plan that is under way (F-04-08). */
export const Redirect = z.discriminatedUnion('kind', [
  /** Something else is wanted: what was tried no longer counts. */
  z.object({ kind: z.literal('objective'), goal: z.string().min(1) }),
  /** The same is wanted under another condition: what was tried stays tried. */
  z.object({ kind: z.literal('constraint'), text: z.string().min(1) }),
  /** Items are added, or taken out while they are not done. */
  z.object({
    kind: z.literal('graph'),
    add: z.array(z.unknown()).default([]),
    remove: z.array(z.string()).default([]),
    defer: z.array(z.string()).default([]),
    /** Stuck or deferred items that are to be tried again. */
    retry: z.array(z.string()).default([]),
    note: z.string().optional(),
  }),
  /** What an item left is not to be built upon: it and those that depend on it are done again. */
  z.object({ kind: z.literal('binding'), item: z.string(), text: z.string().min(1) }),
]);
export type Redirect = z.infer<typeof Redirect>;

/** What a person said, in words. */
export function redirectWords(redirect: Redirect): string {
  switch (redirect.kind) {
    case 'objective':
      return redirect.goal;
    case 'constraint':
      return redirect.text;
    case 'binding':
      return `${redirect.item}: ${redirect.text}`;
    case 'graph': {
      const { add, remove, defer, retry, note } = redirect;
      return [
        ...(add.length > 0 ? [`${add.length} added`] : []),
        ...(remove.length > 0 ? [`taken out: ${remove.join(', ')}`] : []),
        ...(defer.length > 0 ? [`deferred: ${defer.join(', ')}`] : []),
        ...(retry.length > 0 ? [`tried again: ${retry.join(', ')}`] : []),
        ...(note === undefined ? [] : [note]),
      ].join('; ');
    }
  }
}
