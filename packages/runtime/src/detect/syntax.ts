import type { Project } from './project.ts';
import { commandGate, type ProposedGate } from './proposed-gate.ts';

/** Whether scripts can be read at all: the least that can be judged, and said where there is nothing else. */
export function nodeSyntax(project: Project): ProposedGate[] {
  const files = project.files().filter((path) => /\.[cm]?js$/.test(path) && isPlain(path));
  // `node --check` reads no JSX and one file at a time.
  if (files.length === 0 || project.files().some((path) => /\.[jt]sx$/.test(path))) return [];
  return [
    commandGate(
      'syntax',
      eachOf('node --check', files, ['*.js', '*.mjs', '*.cjs']),
      'nothing else was found',
    ),
  ];
}

export function shellSyntax(project: Project): ProposedGate[] {
  const files = project.files().filter((path) => path.endsWith('.sh') && isPlain(path));
  if (files.length === 0) return [];
  return [commandGate('syntax', eachOf('bash -n', files, ['*.sh']), 'nothing else was found')];
}

function eachOf(check: string, files: readonly string[], names: readonly string[]): string {
  if (files.length <= 3) return files.map((file) => `${check} ${file}`).join(' && ');
  const any = names.map((name) => `-name '${name}'`).join(' -o ');
  return `find . \\( ${any} \\) -not -path '*/node_modules/*' -not -path '*/.*/*' -print0 | xargs -0 -n1 ${check}`;
}

const isPlain = (path: string): boolean => /^[\w./-]+$/.test(path) && !path.startsWith('-');
