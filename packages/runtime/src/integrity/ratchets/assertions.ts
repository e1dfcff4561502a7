import type { Family } from './family.ts';

/** What tests claim, and how many there are. A claim that nothing can break does not count. */
export const assertions: readonly Family[] = [
  {
    name: 'assertion',
    kind: 'assertion',
    say: 'assertions that can fail',
    worse: 'fewer',
    within: 'tests',
    forms: [
      {
        languages: ['script'],
        where: 'code',
        find: /(?<![.\w])expect(?:\s*\.\s*(?:soft|poll))?\s*\(/g,
        keys: (match) => (canFail(match) ? ['one'] : []),
      },
      {
        languages: ['script'],
        where: 'code',
        find: /(?<![.\w])(?:assert|t|chai\.assert)(?:\s*\.\s*(?!pass\b|plan\b|end\b|log\b|comment\b|teardown\b|test\b|skip\b|todo\b|mock\b|diagnostic\b|exists\b|isDefined\b|context\b|before\b|after\b)\w+){0,4}\s*\((?!\s*(?:true|1)\s*[,)])|\.\s*should\b/g,
      },
      {
        languages: ['script'],
        where: 'code',
        find: /(?<![.\w])(?:strictEqual|deepEqual|deepStrictEqual|notStrictEqual|notDeepEqual|throws|rejects|doesNotThrow|equal|notEqual)\s*\(/g,
      },
      {
        languages: ['python'],
        where: 'code',
        find: /^[ \t]*assert\b(?!\s*\(?\s*(?:True|1|not\s+False)\s*\)?\s*(?:,|$))(?!.{0,300}\bor\s+True\b)(?!\s+[\w.()[\]]+\s+is\s+not\s+None\s*$)|\bself\s*\.\s*assert(?!IsNotNone)\w+\s*\((?!\s*True\s*\))|\b(?:pytest\s*\.\s*)?raises\s*\(|\bpytest\s*\.\s*(?:warns|fail)\s*\(/gm,
      },
      {
        languages: ['go'],
        where: 'code',
        find: /\b[tb]\s*\.\s*(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)\s*\(|(?<![.\w])(?:assert|require|is|qt|should)\s*\.\s*\w+\s*\(|\bcmp\s*\.\s*Diff\s*\(/g,
      },
      {
        languages: ['rust'],
        where: 'code',
        find: /\b(?:debug_|prop_)?assert(?:_\w+)?!\s*[([{](?!\s*true\s*[,)\]}])|#\[\s*should_panic/g,
      },
      {
        languages: ['jvm', 'csharp'],
        where: 'code',
        find: /\b(?:assert(?!True\s*\(\s*true)\w*|verify|expect\w*|shouldThrow)\s*[({<]|\bAssert\s*\.\s*(?!(?:True|That)\s*\(\s*true\s*\)|Pass\b|Ignore\b)\w+|\.\s*[sS]hould\w*\b/g,
      },
      {
        languages: ['ruby'],
        where: 'code',
        find: /(?<![.\w])(?:assert|refute)\w*\b(?!\s*\(?\s*true\s*\)?\s*$)|\bexpect\b|\.should(?:_not)?\b|\b(?:must|wont)_\w+/gm,
      },
      {
        languages: ['php'],
        where: 'code',
        find: /(?:->|::)\s*(?:assert(?!True\s*\(\s*true\s*\))|expect)\w*\s*\(|(?<![>:\w$])expect\s*\(/g,
      },
      {
        languages: ['c'],
        where: 'code',
        find: /\b(?:ASSERT|EXPECT|CHECK|REQUIRE|TEST_ASSERT|BOOST_\w*CHECK|BOOST_\w*REQUIRE|ck_assert)\w*\s*\(|(?<!\w)assert\s*\((?!\s*(?:1|true)\s*\))/g,
      },
      {
        languages: ['swift'],
        where: 'code',
        find: /\bXCT(?:Assert|Fail|Unwrap)\w*\s*\(|#expect\s*\(|#require\s*\(/g,
      },
      { languages: ['dart'], where: 'code', find: /(?<![.\w])expect(?:Later)?\s*\(/g },
      { languages: ['elixir'], where: 'code', find: /^\s*(?:assert|refute)\w*\b/gm },
      { languages: ['shell'], where: 'code', find: /^\s*(?:assert\w*|refute\w*|\[\[?\s|test\s)/gm },
    ],
  },
  {
    name: 'test',
    kind: 'assertion',
    say: 'tests',
    worse: 'fewer',
    within: 'tests',
    forms: [
      {
        languages: ['script'],
        where: 'code',
        find: /(?<![.\w$])[xf]?(?:it|test|specify)(?:\s*\.\s*\w+){0,4}\s*[(`[]/g,
      },
      { languages: ['python'], where: 'code', find: /^[ \t]*(?:async[ \t]+)?def[ \t]+test\w*/gm },
      {
        languages: ['go'],
        where: 'code',
        find: /^func\s+(?:\([^)]*\)\s*)?(?:Test|Fuzz|Example)\w*\s*\(|\bt\s*\.\s*Run\s*\(/gm,
      },
      { languages: ['rust'], where: 'code', find: /#\[\s*(?:\w+::)*(?:test|rstest|test_case)\b/g },
      {
        languages: ['jvm'],
        where: 'code',
        find: /@(?:Test|ParameterizedTest|RepeatedTest|Property|TestFactory)\b/g,
      },
      { languages: ['csharp'], where: 'code', find: /\[\s*(?:Fact|Theory|Test|TestCase|TestMethod)\b/g },
      { languages: ['ruby'], where: 'code', find: /^\s*(?:it|specify|scenario|test)\b|^\s*def\s+test_\w+/gm },
      {
        languages: ['php'],
        where: 'code',
        find: /\bfunction\s+test\w*\s*\(|#\[Test\]|(?<![>:\w$])(?:it|test)\s*\(/g,
      },
    ],
  },
];

const window = 400;
const constant = /^\s*(?:true|false|\d+|null|undefined|["'`]\s*["'`])\s*\)/;
const weak =
  /\.\s*(?:toBeDefined|toBeTruthy|not\s*\.\s*to(?:BeUndefined|BeNull|Throw\w*|Be(?:Falsy)?Undefined)|to\s*\.\s*(?:exist|be\s*\.\s*ok))\b/;

/** Whether an `expect` claims more than that there is something. Looks at most a few lines ahead. */
function canFail(match: RegExpMatchArray): boolean {
  const from = (match.index ?? 0) + match[0].length;
  const rest = (match.input ?? '').slice(from, from + window).split(/;|(?<![.\w])expect\s*\(/, 1)[0] ?? '';
  return !constant.test(rest) && !weak.test(rest) && !/\|\|\s*true\b/.test(rest);
}
