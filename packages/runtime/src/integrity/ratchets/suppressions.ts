import { everything, type Family, type Form, type Language, wholeFile } from './family.ts';

type Keys = NonNullable<Form['keys']>;

/** The rules in the first group; none means all of them. What follows two dashes is a reason. */
const listed =
  (scope: (key: string) => string = (key) => key): Keys =>
  (match) => {
    const rules = (match[1] ?? '')
      .replace(/\s--\s[\s\S]*$/, '')
      .replace(/\*+\/\s*$/, '')
      .split(/[\s,()[\]"'{}=]+/)
      .map((rule) => rule.replace(/:$/, ''))
      .filter((rule) => /^[\w@./:-]+$/.test(rule) && rule !== 'all');
    return (rules.length === 0 ? [everything] : rules).map(scope);
  };

const always =
  (key: string): Keys =>
  () => [key];

function family(name: string, say: string, forms: readonly Form[]): Family {
  return { name, say, forms, kind: 'suppression', worse: 'more', within: 'all' };
}

function comment(languages: readonly Language[], find: RegExp, keys: Keys = listed()): Form {
  return { languages, where: 'comment', find, keys };
}

function code(languages: readonly Language[], find: RegExp, keys: Keys = listed()): Form {
  return { languages, where: 'code', find, keys };
}

const script: Language[] = ['script'];
const slashed: Language[] = ['script', 'go', 'rust', 'jvm', 'php', 'csharp', 'c', 'swift', 'dart', 'style'];

/** Rules that a comment sets to anything but an error without further words. */
function loosened([, text = '']: RegExpMatchArray): string[] {
  const settings = text.replace(/\s--\s[\s\S]*$/, '').replace(/\*+\/\s*$/, '');
  const rules = settings.matchAll(/["']?([\w@/-]{1,80})["']?\s*:\s*(\[[^\]]{0,500}\]?|[^\s,]{0,80})/g);
  return [...rules]
    .filter(([, , level = '']) => !/^\[?\s*(?:2|["']?error["']?)\s*\]?$/.test(level))
    .map(([, rule = '']) => wholeFile(rule));
}

/** Comments and attributes that tell a tool to look away. */
export const suppressions: readonly Family[] = [
  family('eslint', 'places where eslint looks away', [
    comment(script, /^(?:\/\*+|\/\/+)[\s*]*(?:eslint|oxlint)-disable-(?:next-line|line)\b([^\n]*)/g),
    comment(script, /^(?:\/\*+|\/\/+)[\s*]*(?:eslint|oxlint)-disable(?![\w-])([\s\S]*)/g, listed(wholeFile)),
    comment(script, /^\/\*+\s*eslint\s([\s\S]{1,2000})/g, loosened),
  ]),
  family('typescript', 'type errors that are ignored', [
    comment(script, /(?:^\/\/+|^\/\*+|\n)[ *]*@ts-(?:ignore|expect-error)\b/g, always('one')),
    comment(script, /(?:^\/\/+|^\/\*+|\n)[ *]*@ts-nocheck\b/g, always(wholeFile(everything))),
    comment(script, /^\/\/+\s*\$Flow(?:FixMe|Ignore|Issue|ExpectedError)\w*/g, always('one')),
  ]),
  family('linter', 'places where a linter looks away', [
    comment(script, /^(?:\/\*+|\/\/+|\{?\/\*)\s*biome-ignore\s+([\w/.]+)/g),
    comment(script, /^(?:\/\*+|\/\/+)\s*biome-ignore-(?:all|start)\s+([\w/.]+)/g, listed(wholeFile)),
    comment(script, /^\/\/+\s*deno-lint-ignore(?!-)([^\n]*)/g),
    comment(script, /^\/\/+\s*deno-lint-ignore-file([^\n]*)/g, listed(wholeFile)),
    comment(script, /^(?:\/\*+|\/\/+)\s*(?:tslint|jshint):\s*(?:disable|ignore)\S*([^\n*]*)/g),
    comment(['style', 'script'], /^(?:\/\*+|\/\/+)\s*stylelint-disable\S*([^\n*]*)/g),
    comment(['go'], /^\/\/\s?nolint\b:?([\w,-]*)/g),
    comment(['go'], /^\/\/\s?lint:(?:file-)?ignore\s+(\S+)/g),
    comment(
      ['go', 'python', 'script', 'jvm', 'csharp', 'php', 'ruby'],
      /(?:#|\/\/)\s?nosec\b/g,
      always('one'),
    ),
    comment(
      [...slashed, 'python', 'ruby', 'shell'],
      /\b(?:NOSONAR|nosemgrep|nosem|noinspection|lgtm\[)/g,
      always('one'),
    ),
    comment(
      ['jvm'],
      /\bNOPMD\b|CHECKSTYLE:\s*OFF|checkstyle:off|@formatter:off|ktlint-disable/g,
      always('one'),
    ),
    code(
      ['jvm'],
      /@(?:file:)?(?:SuppressWarnings|SuppressLint|SuppressFBWarnings|Suppress|nowarn)\b/g,
      always('one'),
    ),
    comment(['ruby'], /#\s*(?:rubocop|standard|reek|steep):(?:disable|todo|ignore)\s*([^\n]*)/g),
    comment(['php'], /phpcs:(?:ignore|disable)\b(?!File)([^\n*]*)/g),
    comment(['php'], /phpcs:ignoreFile\b/g, always(wholeFile(everything))),
    comment(['php'], /@(?:phpstan-ignore|psalm-suppress|phan-suppress)[\w-]*([^\n*]*)/g),
    code(['csharp'], /#pragma\s+warning\s+disable\b([^\n]*)/g),
    code(['csharp'], /\[\s*(?:assembly\s*:\s*)?SuppressMessage\b|#nullable\s+disable\b/g, always('one')),
    comment(['c'], /\bNOLINT(?:NEXTLINE|BEGIN)?\b(?:\(([^)]*)\))?/g),
    code(
      ['c'],
      /#pragma\s+(?:GCC|clang)\s+diagnostic\s+ignored|#pragma\s+warning\s*\(\s*disable/g,
      always('one'),
    ),
    comment(['shell'], /#\s*shellcheck\s+disable=([\w,]+)/g),
    comment(['swift'], /swiftlint:disable\S*([^\n]*)/g),
    comment(['dart'], /\/\/\s*ignore:([^\n]*)/g),
    comment(['dart'], /\/\/\s*ignore_for_file:([^\n]*)/g, listed(wholeFile)),
    comment(['elixir'], /credo:disable\S*([^\n]*)/g),
  ]),
  family('rust lints', 'lints that are allowed', [
    code(
      ['rust'],
      /#\[\s*(?:cfg_attr\([^\]]{0,200}?,\s*)?(?:allow|expect)\s*\(([^\]]{0,500}?)\)\s*\)?\s*\]/g,
    ),
    code(
      ['rust'],
      /#!\[\s*(?:cfg_attr\([^\]]{0,200}?,\s*)?(?:allow|expect)\s*\(([^\]]{0,500}?)\)\s*\)?\s*\]/g,
      listed(wholeFile),
    ),
  ]),
  family('python lint', 'places where a linter looks away', [
    comment(['python'], /#\s*noqa\b(?::\s*([A-Z]+\d*(?:[,\s]+[A-Z]+\d+)*))?/gi),
    comment(
      ['python'],
      /#\s*(?:ruff|flake8)\s*[:=]\s*noqa\b(?::?\s*([A-Z]+\d+(?:[,\s]+[A-Z]+\d+)*))?/gi,
      listed(wholeFile),
    ),
    comment(['python'], /#\s*pylint:\s*disable(?:-next)?\s*=([\w,\s-]*)/g),
    comment(['python'], /#\s*pylint:\s*skip-file/g, always(wholeFile(everything))),
  ]),
  family('python types', 'type errors that are ignored', [
    comment(['python'], /#\s*type:\s*ignore\b(?:\[([^\]]*)\])?/g),
    comment(['python'], /#\s*(?:pyright|ty|pyrefly):\s*ignore\b(?:\[([^\]]*)\])?/g),
    comment(
      ['python'],
      /#\s*pyright:\s*(?:basic|off|report\w+\s*=\s*(?:false|none|warning))/g,
      always(wholeFile('one')),
    ),
    comment(['python'], /#\s*mypy:\s*(?:ignore-errors|disable-error-code)\b/g, always(wholeFile(everything))),
    code(['python'], /@(?:typing\.|t\.)?no_type_check\b/g, always('one')),
  ]),
  family('coverage', 'lines that are left out of coverage', [
    comment(['python'], /#\s*pragma:\s*no\s*(?:cover|branch)/g, always('one')),
    comment(
      script,
      /\b(?:istanbul|c8|v8|node:coverage)\s+(?:ignore|disable)\s*(?:next|if|else|start)?\b(?!\s+file)/g,
      always('one'),
    ),
    comment(script, /\b(?:istanbul|c8|v8)\s+ignore\s+file\b/g, always(wholeFile(everything))),
    comment(['ruby'], /:nocov:/g, always('one')),
    comment(['php'], /@codeCoverageIgnore/g, always('one')),
    code(['csharp'], /\[\s*ExcludeFromCodeCoverage\b/g, always('one')),
    comment(['c', 'go', 'jvm'], /\b(?:LCOV_EXCL|GCOVR_EXCL|coverage:ignore)/g, always('one')),
  ]),
  {
    name: 'strictness',
    kind: 'suppression',
    say: 'marks that ask a tool to be strict',
    worse: 'fewer',
    within: 'all',
    forms: [
      comment(script, /^(?:\/\/+|\/\*+)\s*@(?:ts-check|flow)\b/g, always('one')),
      code(['rust'], /#!?\[\s*(?:deny|forbid)\s*\(/g, always('one')),
      code(['php'], /declare\s*\(\s*strict_types\s*=\s*1/g, always('one')),
      comment(['python'], /#\s*(?:pyright:\s*strict|mypy:\s*strict)/g, always('one')),
      comment(['ruby'], /#\s*typed:\s*(?:true|strict|strong)/g, always('one')),
      code(['csharp'], /#nullable\s+enable\b/g, always('one')),
    ],
  },
];
