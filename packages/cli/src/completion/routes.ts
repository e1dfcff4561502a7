import type { Application } from '@stricli/core';
import type { Context } from '../context.ts';
import type { Word } from './word.ts';

/**
 * The commands that may stand after these words. The library proposes none where a word may also be meant for the
 * command that runs without a name.
 */
export function routesAfter(app: Application<Context>, before: readonly string[]): Word[] {
  let target: Application<Context>['root'] = app.root;
  for (const word of before) {
    const next = entriesOf(target).find(
      ({ name, aliases }) => name[kebab] === word || aliases.includes(word),
    );
    if (next === undefined) return [];
    target = next.target;
  }
  return entriesOf(target)
    .filter(({ hidden }) => !hidden)
    .map(({ name, target: { brief } }) => ({ word: name[kebab], brief }));
}

const kebab = 'convert-camel-to-kebab';

function entriesOf(target: Application<Context>['root']) {
  return 'getAllEntries' in target ? target.getAllEntries() : [];
}
