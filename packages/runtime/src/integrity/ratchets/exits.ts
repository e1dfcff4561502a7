import type { Family } from './family.ts';

/** Calls that end the process, and with it whoever was about to report a failure. A failing code is no help to a cheat. */
export const exits: readonly Family[] = [
  {
    name: 'exit',
    kind: 'exit',
    say: 'calls that end the process as if all were well',
    worse: 'more',
    within: 'sources',
    forms: [
      {
        languages: ['script'],
        where: 'code',
        find: /\bprocess\s*(?:\?\.|\.)\s*(?:exit|reallyExit)\s*(?:\?\.)?\s*\(\s*(?![1-9])|\bprocess\s*\.\s*(?:abort\s*\(|exitCode\s*=\s*0\b)|\bprocess\s*(?:\?\.)?\[|\bprocess\s*\.\s*kill\s*\(\s*process\s*\.\s*p?pid|\bprocess\s*\.\s*(?:exit|reallyExit)\s*[;,)=]|\bDeno\s*\.\s*exit\s*\(\s*(?![1-9])/g,
      },
      // Taken out of the process object, or out of its module.
      {
        languages: ['script'],
        where: 'spoken',
        find: /\bexit\b[^}\n]{0,200}\}\s*=\s*(?:globalThis\s*\.\s*)?process\b|\bimport\s*\{[^}\n]{0,200}\bexit\b[^}\n]{0,200}\}\s*from\s*["'](?:node:)?process["']/g,
      },
      {
        languages: ['python'],
        where: 'code',
        find: /\bos\s*\.\s*(?:_exit|abort)\s*\(|\bos\s*\.\s*kill\s*\(\s*os\s*\.\s*getp?pid|\bsys\s*\.\s*exit\s*\(\s*(?:0|None|False)?\s*\)|(?<![\w.])(?:exit|quit)\s*\(\s*0?\s*\)|\braise\s+SystemExit\b(?!\s*\(\s*[1-9"'])|\bpytest\s*\.\s*(?:exit|skip|xfail)\s*\(|\bfrom\s+os\s+import\b.{0,200}\b_exit\b/g,
      },
      {
        languages: ['go'],
        where: 'code',
        find: /\bos\s*\.\s*Exit\s*\(\s*0\s*\)|\bruntime\s*\.\s*Goexit\s*\(|\bsyscall\s*\.\s*Exit\s*\(\s*0/g,
      },
      {
        languages: ['rust'],
        where: 'code',
        find: /\bprocess\s*::\s*exit\s*\(\s*0|\blibc\s*::\s*_?exit\s*\(/g,
      },
      {
        languages: ['jvm'],
        where: 'code',
        find: /\bSystem\s*\.\s*exit\s*\(\s*0|\bexitProcess\s*\(\s*0|\.\s*halt\s*\(\s*0/g,
      },
      {
        languages: ['ruby'],
        where: 'code',
        find: /(?<![.\w:])exit!?(?:\s*\(?\s*(?:0|true)\b|!|\s*$)|\bKernel\s*\.\s*exit/gm,
      },
      { languages: ['php'], where: 'code', find: /(?<![\w$>:])(?:exit|die)\s*(?:;|\(\s*0?\s*\))/g },
      { languages: ['csharp'], where: 'code', find: /\bEnvironment\s*\.\s*(?:Exit\s*\(\s*0|FailFast\s*\()/g },
      {
        languages: ['c'],
        where: 'code',
        find: /(?<![\w.>])_?(?:exit|quick_exit|_Exit)\s*\(\s*(?:0|EXIT_SUCCESS)\s*\)/g,
      },
      { languages: ['elixir'], where: 'code', find: /\bSystem\s*\.\s*halt\s*\(\s*0?\s*\)/g },
    ],
  },
  {
    name: 'exit in tests',
    kind: 'exit',
    say: 'calls that end the whole run of the tests as if all were well',
    worse: 'more',
    within: 'tests',
    forms: [
      { languages: ['script'], where: 'code', find: /\bprocess\s*\.\s*(?:exit|reallyExit)\s*\(\s*0?\s*\)/g },
      { languages: ['python'], where: 'code', find: /\bos\s*\.\s*_exit\s*\(|\bpytest\s*\.\s*exit\s*\(/g },
      {
        languages: ['go'],
        where: 'code',
        find: /\bos\s*\.\s*Exit\s*\(\s*0\s*\)|\bsyscall\s*\.\s*Exit\s*\(\s*0/g,
      },
      { languages: ['rust'], where: 'code', find: /\bprocess\s*::\s*exit\s*\(\s*0/g },
      { languages: ['jvm'], where: 'code', find: /\bSystem\s*\.\s*exit\s*\(\s*0|\.\s*halt\s*\(\s*0/g },
    ],
  },
];

/** Programs may end themselves: what is started from outside, and is not loaded by tests. */
export function isProgram(path: string, text: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (text.startsWith('#!')) return true;
  if (
    /^(?:cli|main|__main__|manage|bin|cmd|app|server|start|run|index\.cli)\.\w+$|[._-](?:cli|bin)\.\w+$/.test(
      name,
    )
  )
    return true;
  if (/(?:^|\/)(?:bin|cmd|scripts?|tools?|examples?|commands?|cli)\//.test(path)) return true;
  return /^if\s+__name__\s*==|^package\s+main\b|require\.main\s*===\s*module|import\.meta\.main\b/m.test(
    text,
  );
}
