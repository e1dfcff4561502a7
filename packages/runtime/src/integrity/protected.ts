import type { ProtectedKind } from '@agentgate/core';
import picomatch from 'picomatch';
import type { ProtectRules } from './checked.ts';
import { manifestKindOf } from './manifest/kind.ts';
import { isAutoLoaded, isAutoLoadedAnywhere } from './names/auto-loaded.ts';
import { isConfig, isRecipe } from './names/config.ts';
import { isCi, isLock } from './names/outside.ts';
import { isFixture, isSnapshot, isTest } from './names/test.ts';

/** Why a path is protected, or null when it is the agent's to change. */
export function isProtected(path: string, rules: ProtectRules): ProtectedKind | null {
  const { gate, declared, free } = matchersOf(rules);
  if (free(path)) return null;
  if (gate.has(path)) return 'gate';
  return kindOf(path) ?? (declared(path) ? 'declared' : null);
}

/** Whether a person named it. */
export const isDeclared = (path: string, rules: ProtectRules): boolean => matchersOf(rules).declared(path);

/** What a path is by its name alone. */
export function kindOf(path: string): ProtectedKind | null {
  // Some file systems do not tell cases or ways of writing an accent apart, so neither do we.
  const low = path.normalize('NFC').toLowerCase();
  const name = low.slice(low.lastIndexOf('/') + 1);
  if (isAutoLoadedAnywhere(name)) return 'auto-loaded';
  // A project inside of test data is data.
  if (isSnapshot(low, name)) return 'snapshot';
  if (isFixture(low)) return 'fixture';
  if (isCi(low, name)) return 'ci';
  if (isAutoLoaded(low, name)) return 'auto-loaded';
  if (isLock(low, name)) return 'lock';
  if (isRecipe(name)) return 'gate';
  if (isConfig(name) || manifestKindOf(path) !== null) return 'config';
  return isTest(low, name, path.slice(path.lastIndexOf('/') + 1)) ? 'test' : null;
}

interface Matchers {
  gate: ReadonlySet<string>;
  declared(path: string): boolean;
  free(path: string): boolean;
}

const known = new WeakMap<ProtectRules, Matchers>();

function matchersOf(rules: ProtectRules): Matchers {
  let matchers = known.get(rules);
  if (matchers === undefined) {
    matchers = {
      gate: new Set(rules.gateFiles),
      declared: matcher(rules.protect),
      free: matcher(rules.unprotect),
    };
    known.set(rules, matchers);
  }
  return matchers;
}

/** A glob that names a folder means everything in it. */
function matcher(globs: readonly string[]): (path: string) => boolean {
  if (globs.length === 0) return () => false;
  const plain = globs.map((glob) => glob.replace(/^\.?\/+/, '').replace(/\/+$/, ''));
  return picomatch([...plain, ...plain.map((glob) => `${glob}/**`)], { dot: true });
}
