import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Project } from './project.ts';
import type { ProposedGate } from './proposed-gate.ts';
import { targetGates } from './target.ts';

/** Make: the targets that people name test, check, lint, typecheck and build. */
export function makeGates(project: Project): ProposedGate[] {
  const file = project.first('GNUmakefile', 'makefile', 'Makefile');
  if (file === undefined) return [];
  const text = project.read(file).replaceAll('\\\n', ' ');
  const phony = new Set([...text.matchAll(/^\.PHONY\s*:(.*)/gm)].flatMap(([, names]) => wordsOf(names!)));
  const targets = [...text.matchAll(/^([A-Za-z][\w .-]*?)\s*::?(?![=:])/gm)].flatMap(([, names]) =>
    wordsOf(names!),
  );
  return targetGates(new Set(targets), (target) => {
    // Make takes a file of that name for the finished work and would do nothing, every time.
    const shadowed = !phony.has(target) && existsSync(join(project.root, target));
    return {
      run: shadowed ? `make -B ${target}` : `make ${target}`,
      because: shadowed
        ? `${file} has a target ${target}, and -B because ${target} is also a file`
        : `${file} has a target ${target}`,
    };
  });
}

const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');
