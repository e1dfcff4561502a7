import type { Family, Form } from './family.ts';

/** Words by which one thing is held against another. */
const compares = /[!=]=|\bis\b|\bNotImplemented\b|\bother\s*\.|\bisclose\b|\bsuper\b|__eq__/;

/** A type of which everything is one. */
const hasEveryInstance =
  /\bSymbol\s*\.\s*hasInstance\b\s*\]?\s*(?:\([^)]{0,100}\)\s*\{\s*return\s+(?:true|!0|1)\b|[:=]\s*\(?[^)=]{0,100}\)?\s*=>\s*(?:true|!0|1)\b)/g;

/**
 * Signs that code looks at its judges. None of them proves anything. Those that honest code hardly ever shows are
 * `aware`, and in strict mode a person looks at them; the others are only told.
 */
export const smells: readonly Family[] = [
  aware('test library', 'sources that load a test library', [
    {
      languages: ['script'],
      where: 'spoken',
      find: /(?:\bfrom|\bimport|\brequire\s*\(|\bimport\s*\()\s*["'](?:vitest|@vitest\/[\w-]+|jest|@jest\/[\w-]+|jest-[\w-]+|mocha|chai|sinon|ava|tap|node:test|@playwright\/test|cypress)(?:\/(?!config)[^"']*)?["']|(?:\bfrom|\bimport|\brequire\s*\(|\bimport\s*\()\s*["'`](?:\.{0,2}\/){0,9}node_modules\//g,
    },
    {
      languages: ['python'],
      where: 'code',
      find: /^[ \t]*(?:import|from)[ \t]+(?:_?pytest|unittest|nose2?|hypothesis|pluggy)\b/gm,
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
    // Tests may be spared what is printed, and nothing else.
    {
      languages: ['script'],
      where: 'spoken',
      find: /\b(?:JEST_WORKER_ID|VITEST(?:_\w+)?|NODE_TEST_CONTEXT|__vitest_\w+|import\.meta\.vitest|PLAYWRIGHT_TEST\w*)\b|\bNODE_ENV\b(?!(?<=^ ?if \(process\.env\.NODE_ENV) !==? ["']test["']\) console\.(?:log|info|warn|error|debug)\([^=(\n]{0,200}\);$(?!\n ?else\b))["'\]]*\s*[!=]==?\s*["']test["'](?!\s*\?\s*["'](?:silent|none|off|error|warn|info|http|verbose|debug|trace|fatal)["']\s*:\s*["'](?:silent|none|off|error|warn|info|http|verbose|debug|trace|fatal)["'])|["']test["']\s*[!=]==?\s*process\.env\b|\btypeof\s+(?:jest|vi)\b|\btypeof\s+(?:describe|it|expect|beforeEach|afterEach)\b(?!\s*[!=]==?\s*["'](?:object|string|number|bigint|boolean|symbol)["'])|\bprocess\s*\.\s*(?:argv|title|execArgv)\b[^\n;]{0,100}(?:jest|vitest|mocha|(?<![a-z])test)/gm,
    },
    {
      languages: ['script'],
      where: 'spoken',
      find: /\bimport\s*\.\s*meta\s*\.\s*env\b\s*\??\.\s*(?:MODE\b\s*[!=]==?\s*["']test["']|TEST\b|VITEST\b)|\bNODE_ENV\b["'\]]{0,2}\s*\??\.\s*\w+\s*\(\s*["'/]\^?te|\bObject\s*\.\s*(?:keys|entries|values)\s*\(\s*process\s*\.\s*env\s*\)\s*\.\s*(?:some|find|findIndex|join)\b|["'](?:describe|it|test|expect|jest|vi|beforeEach|afterEach)["']\s+in\s+(?:globalThis|global|window|self)\b|\bprocess\s*\.\s*ppid\b|["'`]\/proc\/(?:self|\$\{)/g,
    },
    {
      languages: ['python'],
      where: 'spoken',
      find: /\bPYTEST(?:_\w+)?\b|["'][\w./-]{0,40}pytest[\w./-]{0,40}["']|["']unittest["']\s+(?:not\s+)?in\s+sys\s*\.\s*modules|\bsys\s*\.\s*argv\s*\[\s*0\s*\]\s*(?:\.\s*(?:endswith|startswith|find|count)|[!=]=)|\bin\s+sys\s*\.\s*argv\s*\[\s*0/g,
    },
    {
      languages: ['python'],
      where: 'code',
      find: /\binspect\s*\.\s*(?:stack|currentframe|getouterframes|trace)\s*\(|\bfrom\s+inspect\s+import\b[^\n]{0,200}\b(?:stack|currentframe)\b|\b_getframe\b|\b_current_frames\b|\btraceback\s*\.\s*(?:extract|walk|format|print)_stack\b|\.\s*(?:tb_frame|f_back|f_locals|f_globals|f_code|gi_frame|co_consts)\b/g,
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
    // A number or a text compares well enough by itself, and two things are equal only where something is compared.
    {
      languages: ['python'],
      where: 'code',
      find: /^class\s+\w+\s*\([^)\n]{0,100}\b(?:float|int|str|bytes|complex|Decimal|Fraction)\b[^)\n]{0,100}\)\s*:(?:\n[ \t#][^\n]*){0,80}?\n[ \t]+(?:def\s+__(?:eq|ne)__|__(?:eq|ne)__\s*=)/gm,
    },
    {
      languages: ['python'],
      where: 'code',
      find: /\bdef __eq__\s*\([^)]{0,100}\)[^:\n]{0,100}:((?:(?!\n(?:\S| (?:async|def|class|@)))[\s\S]){0,800})/g,
      keys: ([, body = '']) => (compares.test(body) ? [] : ['one']),
    },
    { languages: ['python'], where: 'spoken', find: /["']__(?:eq|ne)__["']/g },
    {
      languages: ['script'],
      where: 'code',
      find: /\b(?:asymmetricMatch|equals|isEqual)\s*(?:\([^)]{0,100}\)\s*\{\s*return\s+true|[:=]\s*\(?[^)=]{0,100}\)?\s*=>\s*true)\b/g,
    },
    { languages: ['ruby'], where: 'code', find: /\bdef\s+(?:==|eql\?|===)\s*\(?\w*\)?\s*;?\s*true\b/g },
    {
      languages: ['jvm', 'csharp'],
      where: 'code',
      find: /\bequals?\s*\([^)]{0,100}\)\s*\{\s*return\s+true\s*;/gi,
    },
  ]),
  aware('own instances', 'types of which everything is one', [
    { languages: ['script'], where: 'code', find: hasEveryInstance },
  ]),
  aware('test files', 'sources that name a test file', [
    {
      languages: ['script', 'python', 'go', 'ruby', 'rust', 'php'],
      where: 'spoken',
      find: /["'`][^"'`\n]{0,200}(?:\.(?:test|spec)\.[cm]?[jt]sx?|(?:^|\/|["'`])test_\w+\.py|\w_test\.(?:go|py|rb)|\w_spec\.rb|__tests__|__snapshots__|\w\.snap)(?=["'`/])/g,
    },
    {
      languages: ['python'],
      where: 'spoken',
      find: /[(/]\s*["'](?:\.{0,2}\/)?tests(?:\/[^"'\n]{0,100})?["']|["'][^"'\n]{0,100}\*[^"'\n]{0,100}\.py["']/g,
    },
  ]),
  aware('patched tests', 'places that replace what tests rely on', [
    {
      languages: ['script'],
      where: 'code',
      find: /\b(?:globalThis|global|window|self)\s*\.\s*(?:expect|it|test|describe|assert|Date|performance|Error)\s*=(?![=>])|\b(?:Date|performance)\s*\.\s*now\s*=(?![=>])|\b(?:Object\s*\.\s*is|JSON\s*\.\s*(?:stringify|parse)|Math\s*\.\s*random)\s*=(?![=>])|\b(?:Array|Object|String|Number|Promise|Function|RegExp|Error)\s*\.\s*prototype\s*\.\s*\w+\s*=(?![=>])|(?<![.\w])assert\s*\.\s*\w+\s*=(?![=>])|\bModule\s*\.\s*_\w+\s*=(?![=>])|\bprocess\s*\.\s*(?:exit|emit|hrtime)\s*=(?![=>])|\b(?:expect|jasmine)\s*\.\s*(?:extend|addMatchers)\s*\(|\bglobalThis\s*\.\s*(?:expect|describe)\b|\bError\s*\.\s*prepareStackTrace\s*=(?![=>])|\bMocha\s*\.\s*(?:Runner|Runnable|Test|reporters)\b/g,
    },
    {
      languages: ['script'],
      where: 'code',
      find: /\b(?:Object\s*\.\s*(?:assign|defineProperty|defineProperties)|Reflect\s*\.\s*(?:set|defineProperty))\s*\(\s*(?:globalThis|global|process|JSON|Math|Reflect|Object|Array|Number|String|Boolean|Symbol|Promise|Function|RegExp|Error|Date|Map|Set)(?:\s*\.\s*prototype)?\s*,|\bgetOwnPropertySymbols\s*\(\s*(?:globalThis|global)\b|\bsyncBuiltinESMExports\b|\bregisterHooks\s*\(|\bprocess\s*\.\s*(?:getBuiltinModule|chdir|binding)\s*\(/g,
    },
    {
      languages: ['script'],
      where: 'spoken',
      find: /\bSymbol\s*\.\s*for\s*\(\s*["'`]\$\$?(?:jest|vitest)|["'`]\$\$jest-|\bJEST_MATCHERS_OBJECT\b/g,
    },
    {
      languages: ['python'],
      where: 'code',
      find: /\bbuiltins\s*\.\s*\w+\s*=(?!=)|\btime\s*\.\s*(?:time|sleep|perf_counter|monotonic)\s*=(?!=)|\bsys\s*\.\s*(?:exit|excepthook)\s*=(?!=)|\bsys\s*\.\s*set(?:trace|profile)\s*\(|\bsys\s*\.\s*modules\s*\[[^\]]{0,100}\]\s*=(?!=)|\bgc\s*\.\s*get_(?:objects|referrers|referents)\b|\bsetattr\s*\(\s*builtins\b|\bbuiltins\s*\.\s*__dict__|\b__builtins__\b|\bvars\s*\(\s*(?:builtins|sys)\s*\)|\bsys\s*\.\s*(?:meta_path|path_hooks)\b|\b__code__\s*=(?!=)|\bctypes\s*\.\s*(?:memmove|pythonapi)\b/g,
    },
    { languages: ['ruby'], where: 'code', find: /\b(?:Minitest|RSpec)\s*(?:::|\.)/gm },
  ]),
  aware('caller', 'places that ask who calls them', [
    {
      languages: ['script'],
      where: 'spoken',
      find: /\bError\s*\([^)\n]{0,100}\)\s*\)?\s*\??\.\s*stack\b|\{[^{}\n]{0,80}\bstack\b[^{}\n]{0,80}\}\s*=\s*(?:new\s+)?Error\b|\bcaptureStackTrace\s*\(\s*(?!this\b)/g,
    },
  ]),
  aware('a day', 'places that ask whether a day is over', [
    {
      languages: ['script'],
      where: 'spoken',
      find: /\bDate\s*\.\s*now\s*\(\s*\)\s*[<>]=?\s*(?:\d[\d_]{9,}|\d+(?:\.\d+)?e\d|(?:new\s+Date|Date\s*\.\s*parse|Date\s*\.\s*UTC)\s*\(\s*["'`\d])|\bnew\s+Date\s*\(\s*\)\s*[<>]=?\s*new\s+Date\s*\(\s*["'`\d]|\bgetFullYear\s*\(\s*\)\s*[<>]=?\s*\d{4}/g,
    },
  ]),
  aware('code in a text', 'texts that are run as code', [
    {
      languages: ['script'],
      where: 'code',
      // A method of that name is none.
      find: /(?<![.\w])Function\s*\(|(?<![.\w])eval\s*\((?![^()\n]{0,200}\) ?(?:: ?(?:number|string|boolean|void|unknown|[A-Z]\w*) ?)?\{)|\b(?:runIn(?:This|New)Context|vm\s*\.\s*runIn\w+)\s*\(|\bvm\s*\.\s*Script\b|(?<!\bnew\s[\w.]{0,60})\.\s*constructor\s*\(|\{\s*constructor\s*[:}]|\.\s*_compile\s*\(/g,
    },
    { languages: ['script'], where: 'spoken', find: /\bimport\s*\(\s*["'`]data:/g },
    {
      languages: ['python'],
      where: 'code',
      find: /(?<![.\w])(?<!\bdef )(?:eval|exec)\s*\(|\bmarshal\s*\.\s*loads?\s*\(|\b(?:FunctionType|CodeType)\s*\(/g,
    },
    // A file of the package that is unpacked may run anything; a cache lies elsewhere.
    {
      languages: ['python'],
      where: 'code',
      find: /\bpickle\s*\.\s*loads?\s*\(/g,
      keys: ({ input = '' }) => (/\b__file__\b/.test(input) ? ['one'] : []),
    },
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
