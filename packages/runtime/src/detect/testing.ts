import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, vi } from 'vitest';
import { inspectProject } from './inspect.ts';

export type Files = Record<string, string>;

/** A project in a directory of its own for each test, on a machine that has only the named programs. */
export interface Bed {
  readonly root: string;
  write(files: Files): void;
  /** Makes these the only programs of the machine. */
  programs(...names: string[]): void;
  /** `tests: npm test`, for each gate that a look proposes. */
  gates(files: Files): string[];
}

export function makeBed(): Bed {
  let base: string;
  beforeEach(() => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'agentgate-detect-')));
    mkdirSync(join(base, 'project'));
    bed.programs('python', 'npm', 'npx', 'git');
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(base, { recursive: true, force: true });
  });
  const put = (dir: string, files: Files, mode: number) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(base, dir, path)), { recursive: true });
      writeFileSync(join(base, dir, path), text, { mode });
    }
  };
  const bed: Bed = {
    get root() {
      return join(base, 'project');
    },
    write: (files) => put('project', files, 0o644),
    programs(...names) {
      rmSync(join(base, 'bin'), { recursive: true, force: true });
      mkdirSync(join(base, 'bin'));
      put('bin', Object.fromEntries(names.map((name) => [name, '#!/bin/sh\n'])), 0o755);
      vi.stubEnv('PATH', join(base, 'bin'));
    },
    gates(files) {
      bed.write(files);
      return inspectProject(bed.root).gates.map(
        (gate) =>
          `${gate.name}${gate.severity === 'soft' ? ' (soft)' : ''}: ${'run' in gate ? gate.run : gate.exists.join(' ')}`,
      );
    },
  };
  return bed;
}

export const json = (value: unknown): string => JSON.stringify(value);
