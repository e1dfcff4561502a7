import type { Manifest } from './manifest.ts';
import type { Project } from './project.ts';

export type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun';

/** The manager that the manifest names, else the one whose lock file is there. */
export function packageManager(project: Project, { packageManager: named }: Manifest): PackageManager {
  const name = named?.split('@')[0];
  if (name === 'pnpm' || name === 'yarn' || name === 'bun' || name === 'npm') return name;
  if (project.has('pnpm-lock.yaml', 'pnpm-workspace.yaml')) return 'pnpm';
  if (project.has('yarn.lock')) return 'yarn';
  return project.has('bun.lock', 'bun.lockb') ? 'bun' : 'npm';
}

/** The command for a script of package.json. */
export function scriptCommand(manager: PackageManager, name: string): string {
  // `bun test` is a test runner of its own and not the script of that name.
  return name === 'test' && manager !== 'bun' ? `${manager} test` : `${manager} run ${name}`;
}
