import type { Family } from './family.ts';

/** Ways of telling a type checker that it need not know. */
export const escapes: readonly Family[] = [
  {
    name: 'any',
    kind: 'type-escape',
    say: 'uses of a type that is not checked',
    worse: 'more',
    within: 'sources',
    forms: [
      {
        languages: ['typescript'],
        where: 'code',
        find: /(?:\b(?:as|is|extends|keyof|readonly)\s+|[:<|&]\s*|=>\s*)any\b(?!\s*[(.:?]|\$)|=\s*any\b(?!\s*[(.:?=]|\$)|,\s*any\s*(?=[>\]]|\[\])/g,
      },
      // A module that is only named has no types at all.
      { languages: ['typescript'], where: 'code', find: /\bdeclare\s+module\s+["'][^"'\n]*["']\s*(?:;|$)/gm },
      {
        languages: ['script'],
        where: 'comment',
        find: /@(?:type|param|returns?|typedef|satisfies)\s*\{\s*(?:any|\*|Array<any>|any\[\]|[^}]{0,100}<any>)\s*\}/g,
      },
    ],
  },
  {
    name: 'cast',
    kind: 'type-escape',
    say: 'casts that the type checker cannot follow',
    worse: 'more',
    within: 'sources',
    forms: [
      {
        languages: ['typescript'],
        where: 'code',
        find: /\bas\s+unknown\s+as\b|\bas\s+never\b|<unknown>\s*[\w(]{1,80}\s*as\b/g,
      },
      { languages: ['python'], where: 'code', find: /\b(?:typing|t|typing_extensions)\.cast\s*\(/g },
    ],
  },
  {
    name: 'Any',
    kind: 'type-escape',
    say: 'uses of a type that is not checked',
    worse: 'more',
    within: 'sources',
    forms: [
      // Naming it in an import escapes nothing yet.
      {
        languages: ['python'],
        where: 'code',
        find: /^(?!\s*(?:from|import)\b).*?\bAny\b/gm,
        keys: countOf(/\bAny\b/g),
      },
      {
        languages: ['python'],
        where: 'code',
        find: /(?<![\w.])cast\s*\(/g,
        // Others have a function of this name, too.
        keys: ({ input = '' }) =>
          /\bfrom\s+typing\w*\s+import\s+(?:\([^)]{0,500}|[^\n]{0,300})\bcast\b/.test(input) ? ['one'] : [],
      },
    ],
  },
];

/** A line may hold several. */
function countOf(word: RegExp): (match: RegExpMatchArray) => string[] {
  return (match) => {
    const line = match.input?.slice(match.index).split('\n', 1)[0] ?? '';
    return [...line.matchAll(word)].map(() => 'one');
  };
}
