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
      // What is called through this type takes and gives anything.
      { languages: ['typescript'], where: 'code', find: /(?:\bas\s+|[:<|&]\s*)Function\b(?!\s*[(.:]|\$)/g },
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
        find: /\bas\s+(?!const\b)[\w{}.<>[\]| ]{1,60}?\)?\s*as\s+(?!const\b)\w|\bas\s+never\b|<unknown>\s*\(?[\w(]{1,80}\s*as\b|<\w[\w.]{0,40}>\s*\(?\s*<(?:unknown|object|\{\s*\})>/g,
      },
      // Functions that say of anything that it is of a type, or turn it into whatever is asked for.
      {
        languages: ['typescript'],
        where: 'code',
        find: /\)\s*:\s*asserts\s+\w+\s+is\s+[^{;\n]{1,80}\{\s*\}|\)\s*:\s*\w+\s+is\s+[^{;\n]{1,80}(?:\{\s*return\s+true\b|=>\s*true\b)|<\s*(\w+)\s*>\s*\(\s*\w+\s*:\s*unknown\s*\)\s*:\s*\1\s*(?:\{|=>)/g,
      },
      {
        languages: ['typescript'],
        where: 'code',
        find: /\)\s*:\s*\w+\s+is\s+(?:string|number|boolean|bigint|symbol)\s*(?:\{|=>)([^}]{0,300})/g,
        keys: ([, body = '']) =>
          /\btypeof\b|\binstanceof\b|===|\bis[A-Z]|\bhas\s*\(|\bincludes\s*\(|\bin\b|\btest\s*\(/.test(body)
            ? []
            : ['one'],
      },
      // One signature above the function that it speaks of only says something else than that one.
      {
        languages: ['typescript-code'],
        where: 'code',
        find: /(?:^|\n) ?(?:export )?(?:default )?(?:async )?function (\w+)\b[^;{\n]{0,300};(?=\s*(?:export )?(?:default )?(?:async )?function \1\b[^;\n]{0,300}\{)/g,
        keys: ({ input = '', 1: name = '' }) =>
          [...input.matchAll(/\bfunction (\w+)\b[^;{\n]{0,300};/g)].filter((one) => one[1] === name)
            .length === 1
            ? ['one']
            : [],
      },
      // What every value of a kind is said to have, and has not.
      {
        languages: ['typescript'],
        where: 'code',
        find: /\binterface\s+(?:Number|String|Boolean|Array|Object|Function|Promise|JSON|Math|Reflect)(?:Constructor)?\b/g,
      },
      // Functions and values that are promised here and written nowhere.
      {
        languages: ['typescript-code'],
        where: 'code',
        find: /\bexport\s+declare\s+(?:abstract\s+)?(?:function|const|let|var|class)\b/g,
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
  {
    name: 'unproven',
    kind: 'doubt',
    say: 'places where a type is said and not shown',
    worse: 'more',
    within: 'sources',
    forms: [
      {
        languages: ['typescript-code'],
        where: 'code',
        find: /[\w)\]]!(?=\s*[.,;)\]}[(?:]|\s*(?:[-+*/|&<>]|$))(?!=)|(?<![\w.)\]])(?!return\b)[a-z_]\w*\s+as\s+(?!const\b|any\b|never\b|\w+\s*[,}])\w|<\w[\w.]{0,40}>[a-z_]\w*(?=\s*[;)\]])|\)\s*:\s*(?:unknown|object)\s*(?:\{|=>)/gm,
      },
      // What comes out of a text has no type at all.
      { languages: ['typescript-code'], where: 'code', find: /\bJSON\s*\.\s*parse\s*\(/g },
    ],
  },
  {
    name: 'export',
    kind: 'doubt',
    say: 'names that other files can load',
    worse: 'fewer',
    within: 'sources',
    forms: [
      {
        languages: ['script'],
        where: 'code',
        find: /(?:^|\n) ?export (?:default )?(?:abstract )?(?:async )?(?:function|const|let|class|enum)\b/g,
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
