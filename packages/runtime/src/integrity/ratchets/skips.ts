import type { Family, Form } from './family.ts';

const focus: readonly Form[] = [
  {
    languages: ['script'],
    where: 'code',
    find: /(?<![.\w$])(?:it|test|describe|context|suite|specify|bench)(?:\s*\.\s*\w+){0,4}\s*\.\s*only\b/g,
  },
  {
    languages: ['script'],
    where: 'code',
    find: /\b(?:fit|fdescribe|fcontext|fspecify|ftest)\s*\(|\bonly\s*:\s*true\b/g,
  },
  {
    languages: ['ruby'],
    where: 'code',
    find: /^\s*(?:fit|fdescribe|fcontext|fspecify)\b|[:\s]focus(?::\s*true)?\b(?=\s*(?:do|\{|,|=>))/gm,
  },
  { languages: ['php'], where: 'code', find: /->\s*only\s*\(/g },
  { languages: ['dart'], where: 'code', find: /\bsolo\s*:\s*true\b|\bsolo_test\s*\(/g },
];

const skip: readonly Form[] = [
  {
    languages: ['script'],
    where: 'code',
    find: /(?<![.\w$])(?:it|test|describe|context|suite|specify|bench)(?:\s*\.\s*\w+){0,4}\s*\.\s*(?:skip|skipIf|runIf|todo|fails|failing|fixme)\b/g,
  },
  {
    languages: ['script'],
    where: 'code',
    find: /\b(?:xit|xtest|xdescribe|xcontext|xspecify)\s*[(.]|(?<![.\w])pending\s*\(/g,
  },
  {
    languages: ['script'],
    where: 'code',
    find: /\b(?:this|t|ctx|context|task)\s*\.\s*(?:skip|todo)\s*\(|\b(?:skip|todo)\s*:\s*(?:true\b|["'`])/g,
  },
  // Picked by a word that is put together at run time.
  { languages: ['script'], where: 'code', find: /(?<![.\w$])(?:it|test|describe)\s*\[/g },
  {
    languages: ['python'],
    where: 'code',
    find: /\bmark\s*\.\s*(?:skip|skipif|xfail)\b|\bpytest\s*\.\s*(?:skip|xfail|importorskip|exit)\s*\(/g,
  },
  {
    languages: ['python'],
    where: 'code',
    find: /\bunittest\s*\.\s*(?:skip\w*|expectedFailure|SkipTest)\b|@(?:skip\w*|expectedFailure|xfail)\b|\.skipTest\s*\(|\braise\s+SkipTest\b|\b__test__\s*=\s*False\b|\bcollect_ignore\w*\b/g,
  },
  { languages: ['go'], where: 'code', find: /\b[tb]\s*\.\s*Skip(?:f|Now)?\s*\(/g },
  { languages: ['go'], where: 'comment', find: /^\/\/(?:go:build|\s*\+build)\s+/g },
  {
    languages: ['rust'],
    where: 'code',
    find: /#\[\s*(?:cfg_attr\([^\]]{0,200},\s*)?ignore\b|#\[\s*cfg\s*\(\s*(?:any\s*\(\s*\)|FALSE|false)\s*\)/g,
  },
  {
    languages: ['jvm'],
    where: 'code',
    find: /@(?:Disabled\w*|Ignore|Enabled(?:If|On)\w*)\b|\bassum(?:e|ing)\w*\s*\(|@Test\s*\([^)]{0,200}enabled\s*=\s*false/g,
  },
  { languages: ['jvm'], where: 'code', find: /(?<![.\w])(?:ignore|pending|xtest|xit|xdescribe)\s*[({]/g },
  {
    languages: ['ruby'],
    where: 'code',
    find: /^\s*(?:xit|xdescribe|xcontext|xspecify|xscenario|pending|skip)\b|\bskip:\s*(?:true|["'])|,\s*:skip\b/gm,
  },
  { languages: ['php'], where: 'code', find: /\bmarkTest(?:Skipped|Incomplete)\b|->\s*(?:skip|todo)\s*\(/g },
  {
    languages: ['csharp'],
    where: 'code',
    find: /\[\s*(?:Ignore|Explicit)\b|\bSkip\s*=|\bAssert\s*\.\s*(?:Ignore|Inconclusive|Skip)\b/g,
  },
  { languages: ['elixir'], where: 'code', find: /@(?:module|describe)?tag\s+:?skip\b/g },
  { languages: ['swift'], where: 'code', find: /\bXCTSkip\w*\b|\.disabled\s*\(/g },
  { languages: ['dart'], where: 'code', find: /\bskip\s*:/g },
  { languages: ['shell'], where: 'code', find: /^\s*skip\b/gm },
  { languages: ['c'], where: 'code', find: /\bGTEST_SKIP\s*\(|\bDISABLED_\w+|\bSKIP\s*\(/g },
];

/** Tests that do not run, or keep others from running. */
export const skips: readonly Family[] = [
  {
    name: 'skip',
    kind: 'skip',
    say: 'tests that are skipped',
    worse: 'more',
    within: 'old-tests',
    forms: skip,
  },
  {
    name: 'only',
    kind: 'skip',
    say: 'tests that keep others from running',
    worse: 'more',
    within: 'tests',
    forms: focus,
  },
];
