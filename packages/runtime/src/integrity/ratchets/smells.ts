import type { Family, Form } from './family.ts';

/**
 * Signs that code looks at its judges. None of them proves anything. Those that honest code hardly ever shows are
 * `aware`, and in strict mode a person looks at them; the others are only told.
 */
export const smells: readonly Family[] = [
  aware('test library', 'sources that load a test library', [
    {
      languages: ['script'],
      where: 'spoken',
      find: /(?:\bfrom|\bimport|\brequire\s*\(|\bimport\s*\()\s*["'](?:vitest|@vitest\/[\w-]+|jest|@jest\/[\w-]+|jest-[\w-]+|mocha|chai|sinon|ava|tap|node:test|@playwright\/test|cypress)(?:\/(?!config)[^"']*)?["']/g,
    },
    {
      languages: ['python'],
      where: 'code',
      find: /^[ \t]*(?:import|from)[ \t]+(?:_?pytest|unittest|nose2?|hypothesis|pluggy|doctest)\b/gm,
    },
    {
      languages: ['go'],
      where: 'spoken',
      find: /^\s*(?:import\s+)?(?:\w+\s+)?"(?:testing|github\.com\/stretchr\/testify\/\w+)"/gm,
    },
    {
      languages: ['jvm'],
      where: 'code',
      find: /^\s*import\s+(?:static\s+)?(?:org\.junit|org\.testng|org\.mockito|io\.kotest)\b/gm,
    },
    { languages: ['ruby'], where: 'spoken', find: /^\s*require\s+["'](?:minitest|rspec|test\/unit)/gm },
    { languages: ['php'], where: 'code', find: /^\s*use\s+PHPUnit\b/gm },
  ]),
  aware('test environment', 'places that ask whether a test is running', [
    {
      languages: ['script'],
      where: 'spoken',
      find: /\b(?:JEST_WORKER_ID|VITEST(?:_\w+)?|NODE_TEST_CONTEXT|__vitest_\w+|import\.meta\.vitest|PLAYWRIGHT_TEST\w*)\b|\bNODE_ENV\b["'\]]*\s*[!=]==?\s*["']test["']|["']test["']\s*[!=]==?\s*process\.env\b|\btypeof\s+(?:jest|vi|describe|it|expect|beforeEach|afterEach)\b|\bprocess\s*\.\s*(?:argv|title|execArgv)\b[^\n;]{0,100}(?:jest|vitest|mocha|test)/g,
    },
    {
      languages: ['python'],
      where: 'spoken',
      find: /\bPYTEST_\w+|["']_?(?:pytest|unittest)["']\s+(?:not\s+)?in\s+sys\s*\.\s*modules|\bsys\s*\.\s*modules\b[^\n]{0,100}pytest|\binspect\s*\.\s*(?:stack|currentframe)\s*\(|\bsys\s*\.\s*_getframe\s*\(|\btraceback\s*\.\s*extract_stack\b/g,
    },
    {
      languages: ['go'],
      where: 'spoken',
      find: /\btesting\s*\.\s*Testing\s*\(|\bflag\s*\.\s*Lookup\s*\(\s*"test\.|os\.Args\[0\][^\n]{0,100}\.test/g,
    },
    { languages: ['rust'], where: 'code', find: /\bcfg!\s*\(\s*test\s*\)/g },
    { languages: ['ruby'], where: 'spoken', find: /\bdefined\?\s*\(?\s*(?:RSpec|Minitest)/g },
  ]),
  aware('always equal', 'values that are equal to anything', [
    {
      languages: ['python'],
      where: 'code',
      find: /\bdef\s+__(?:eq|ge|le|contains|bool)__\s*\([^)]{0,100}\)[^:\n]{0,100}:\s*(?:return\s+True)\b|\b__eq__\s*=\s*lambda[^:\n]{0,100}:\s*True\b|\bdef\s+__ne__\s*\([^)]{0,100}\)[^:\n]{0,100}:\s*return\s+False\b/g,
    },
    {
      languages: ['script'],
      where: 'code',
      find: /\b(?:asymmetricMatch|equals|isEqual)\s*(?:\([^)]{0,100}\)\s*\{\s*return\s+true|[:=]\s*\(?[^)=]{0,100}\)?\s*=>\s*true)\b|\bSymbol\s*\.\s*hasInstance\b/g,
    },
    { languages: ['ruby'], where: 'code', find: /\bdef\s+(?:==|eql\?|===)\s*\(?\w*\)?\s*;?\s*true\b/g },
    {
      languages: ['jvm', 'csharp'],
      where: 'code',
      find: /\bequals?\s*\([^)]{0,100}\)\s*\{\s*return\s+true\s*;/gi,
    },
  ]),
  aware('test files', 'sources that name a test file', [
    {
      languages: ['script', 'python', 'go', 'ruby', 'rust', 'php'],
      where: 'spoken',
      find: /["'`][^"'`\n]{0,200}(?:\.(?:test|spec)\.[cm]?[jt]sx?|(?:^|\/|["'`])test_\w+\.py|\w_test\.(?:go|py|rb)|\w_spec\.rb|__tests__|__snapshots__|\w\.snap)(?=["'`/])/g,
    },
  ]),
  aware('patched tests', 'places that replace what tests rely on', [
    {
      languages: ['script'],
      where: 'code',
      find: /\b(?:globalThis|global|window|self)\s*\.\s*(?:expect|it|test|describe|assert|Date|performance|Error)\s*=(?![=>])|\b(?:Date|performance)\s*\.\s*now\s*=(?![=>])|\b(?:Object\s*\.\s*is|JSON\s*\.\s*(?:stringify|parse)|Math\s*\.\s*random)\s*=(?![=>])|\b(?:Array|Object|String|Number|Promise|Function|RegExp|Error)\s*\.\s*prototype\s*\.\s*\w+\s*=(?![=>])|(?<![.\w])assert\s*\.\s*\w+\s*=(?![=>])|\bModule\s*\.\s*_\w+\s*=(?![=>])|\bprocess\s*\.\s*(?:exit|emit|hrtime)\s*=(?![=>])|\bObject\s*\.\s*defineProperty\s*\(\s*(?:globalThis|global|process|Object|Array|Date)\b|\b(?:expect|jasmine)\s*\.\s*(?:extend|addMatchers)\s*\(|\bglobalThis\s*\.\s*(?:expect|describe)\b|\bError\s*\.\s*prepareStackTrace\s*=(?![=>])|\bMocha\s*\.\s*(?:Runner|Runnable|Test|reporters)\b/g,
    },
    {
      languages: ['script'],
      where: 'spoken',
      find: /\bSymbol\s*\.\s*for\s*\(\s*["'`]\$\$?(?:jest|vitest)|["'`]\$\$jest-|\bJEST_MATCHERS_OBJECT\b/g,
    },
    {
      languages: ['python'],
      where: 'code',
      find: /\bbuiltins\s*\.\s*\w+\s*=(?!=)|\btime\s*\.\s*(?:time|sleep|perf_counter|monotonic)\s*=(?!=)|\bsys\s*\.\s*(?:exit|excepthook)\s*=(?!=)|\bsys\s*\.\s*set(?:trace|profile)\s*\(|\bsys\s*\.\s*modules\s*\[[^\]]{0,100}\]\s*=(?!=)|\bgc\s*\.\s*get_(?:objects|referrers)\b/g,
    },
    { languages: ['ruby'], where: 'code', find: /\b(?:Minitest|RSpec)\s*(?:::|\.)/gm },
  ]),
  aware('caller', 'places that ask who calls them', [
    {
      languages: ['script'],
      where: 'spoken',
      find: /\.\s*test\s*\(\s*(?:String\s*\(\s*)?(?:new\s+)?Error\s*\([^)\n]{0,100}\)\s*\??\.\s*stack\b|\bError\s*\([^)\n]{0,100}\)\s*\??\.\s*stack\s*\??\.\s*(?:includes|match|indexOf|search|split)\b/g,
    },
  ]),
  aware('code in a text', 'texts that are run as code', [
    {
      languages: ['script'],
      where: 'code',
      find: /\bnew\s+Function\s*\(|(?<![.\w])eval\s*\(|\bvm\s*\.\s*runIn\w+\s*\(/g,
    },
    { languages: ['python'], where: 'code', find: /(?<![.\w])(?:eval|exec)\s*\(/g },
  ]),
  smell('patched platform', 'places that change what every program relies on', [
    {
      languages: ['script'],
      where: 'code',
      find: /\bconsole\s*\.\s*error\s*=(?![=>])|\brequire\s*\.\s*cache\b|\bprocess\s*\.\s*stdout\s*\.\s*write\s*=(?![=>])|\b(?:globalThis|global|window|self)\s*\.\s*(?:process|setTimeout|Promise)\s*=(?![=>])/g,
    },
    {
      languages: ['script'],
      where: 'spoken',
      find: /\bprocess\s*\.\s*(?:on|once|prependListener|addListener)\s*\(\s*["'](?:exit|beforeExit|uncaughtException|unhandledRejection)["']/g,
    },
    {
      languages: ['python'],
      where: 'code',
      find: /\bsys\s*\.\s*(?:stdout|stderr)\s*=(?!=)|\batexit\s*\.\s*register\b/g,
    },
    { languages: ['ruby'], where: 'code', find: /^\s*at_exit\b/gm },
  ]),
  smell('left running', 'programs that outlive who started them', [
    { languages: ['script'], where: 'code', find: /\bdetached\s*:\s*true\b|\.\s*unref\s*\(\s*\)/g },
    {
      languages: ['python'],
      where: 'code',
      find: /\bos\s*\.\s*(?:fork|setsid)\s*\(|\bstart_new_session\s*=\s*True\b/g,
    },
    { languages: ['shell'], where: 'code', find: /\b(?:nohup|setsid|disown)\b/g },
  ]),
  {
    name: 'runner',
    kind: 'smell',
    say: 'places where tests change how they are run',
    worse: 'more',
    within: 'tests',
    forms: [
      {
        languages: ['script'],
        where: 'spoken',
        find: /\b(?:globalThis|global)\s*\.\s*(?:expect|it|test|describe|assert)\s*=(?![=>])|(?<![.\w])assert\s*\.\s*\w+\s*=(?![=>])|\bprocess\s*\.\s*(?:on|once)\s*\(\s*["'](?:exit|beforeExit)["']|\bMocha\s*\.\s*(?:Runner|reporters)\b/g,
      },
      {
        languages: ['python'],
        where: 'code',
        find: /\b_pytest\b|\bdef\s+pytest_\w+|\bhookimpl\b|\batexit\s*\.\s*register\b|\bbuiltins\s*\.\s*\w+\s*=(?!=)/g,
      },
    ],
  },
];

function smell(name: string, say: string, forms: readonly Form[]): Family {
  return { name, say, forms, kind: 'smell', worse: 'more', within: 'sources' };
}

function aware(name: string, say: string, forms: readonly Form[]): Family {
  return { name, say, forms, kind: 'aware', worse: 'more', within: 'sources' };
}
