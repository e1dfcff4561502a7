import { posix } from 'node:path';
import type { Ratchet } from '@agentgate/core';
import type { ProtectRules, TreeFile, TreeReader } from './checked.ts';
import { isProtected } from './protected.ts';
import { textOf } from './text.ts';

const mostFiles = 1_000;
const mostBytes = 4 * 1024 * 1024;

/** Words by which a project names whatever looks at types or at style, or measures coverage. */
const checkers: Readonly<Record<string, RegExp>> = {
  script:
    /lint|biome|typescript|typecheck|\b(?:tsc|tsd|dts|ts-jest|ts-node|flow|standard|xo|sonar|semgrep)\b|jest-runner|checker/i,
  coverage: /cov|istanbul|\b(?:nyc|c8)\b/i,
  python:
    /lint|mypy|pyright|pyre|pytype|ruff|flake8|pycodestyle|pydocstyle|prospector|pylama|bandit|semgrep|sonar|typeguard|beartype|\bty\b/i,
};

const languages: Readonly<Record<string, string>> = {
  '.py': 'python',
  '.pyi': 'python',
  '.js': 'script',
  '.mjs': 'script',
  '.cjs': 'script',
  '.jsx': 'script',
};

/**
 * Leaves out the places where a tool is told to look away that nobody runs: the gates do nothing but run tests, and
 * nothing that judges names such a tool.
 */
export async function withoutUnheard(
  ratchets: readonly Ratchet[],
  base: readonly TreeFile[],
  reader: TreeReader,
  rules: ProtectRules,
): Promise<Ratchet[]> {
  const { testCommands } = rules;
  if (testCommands === undefined || !ratchets.some(isQuieting)) return [...ratchets];
  const judges = base.filter(({ path }) => {
    const kind = isProtected(path, rules);
    return kind !== null && kind !== 'fixture' && kind !== 'snapshot';
  });
  if (judges.length > mostFiles || judges.some((file) => file.size > mostBytes)) return [...ratchets];
  const names = [...testCommands, ...judges.map((file) => file.path)];
  const texts = await Promise.all(judges.map(async ({ oid }) => textOf(await reader.read(oid))));
  const all = [...names, ...texts].join('\n');
  const heard = new Set(Object.keys(checkers).filter((name) => checkers[name]?.test(all)));
  return ratchets.filter((one) => !isQuieting(one) || heard.has(hearerOf(one)));
}

const hearerOf = ({ id, file }: Ratchet): string =>
  id.startsWith('suppression:coverage:') ? 'coverage' : (languages[posix.extname(file)] ?? '');

/** In a language that is not listed every word is heard. */
const isQuieting = ({ kind, file }: Ratchet): boolean =>
  (kind === 'type-escape' || kind === 'suppression') && posix.extname(file) in languages;
