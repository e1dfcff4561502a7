import { words } from './names/word-list.ts';

/** What tools and systems leave behind, and no program judges by. */
const leftovers = new Set(
  words(`
    coverage .coverage htmlcov .nyc_output .cache .eslintcache .stylelintcache .turbo .parcel-cache *.tsbuildinfo
    __pycache__ .pytest_cache .mypy_cache .ruff_cache .hypothesis *.pyc
    .ds_store thumbs.db .idea .vscode *.swp *.swo *.tmp *.log logs *.pid
  `),
);

/**
 * Whether a list of what git ignores has only gained leftovers of which there are none in the tree: then nothing
 * that anybody looks at has gone out of sight, and nothing can come unseen that a program takes up.
 */
export function ignoresOnlyMore(before: string, after: string, isThere: (name: string) => boolean): boolean {
  const [was, is] = [before, after].map(rulesOf) as [string[], string[]];
  const kept = is.filter((rule) => was.includes(rule));
  if (kept.join('\n') !== was.join('\n')) return false;
  return (
    is
      .filter((rule) => !was.includes(rule))
      .map((rule) => rule.replace(/^\/|\/$/g, ''))
      .map((name) => name.toLowerCase())
      // In Python a folder of that name is a package, and goes before the one that measures.
      .every((name) => leftovers.has(name) && !isThere(name) && !(name === 'coverage' && isThere('*.py')))
  );
}

const rulesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
