import { type Dependencies, dependenciesAt } from './dependencies.ts';
import type { IsThere } from './entry-points.ts';
import type { ManifestKind } from './kind.ts';
import { composer, pnpmWorkspace, pubspec } from './other-shapes.ts';
import { packageJson } from './package-json.ts';
import { type Doc, reconcile, written } from './reconcile.ts';
import type { Shape } from './shape.ts';
import * as texts from './text-manifest.ts';
import { cargo, pyproject } from './toml.ts';

export { compareDependencies } from './dependencies.ts';
export { type ManifestKind, manifestKindOf } from './kind.ts';
export { compareLocks } from './lock.ts';

/** What of a manifest is not the agent's to change, and was changed. */
export interface ManifestComparison {
  /** Lines for people; empty when only free parts changed. */
  differing: string[];
  /** The agent's manifest with the baseline's protected parts. */
  merged: string;
  before: Dependencies;
  after: Dependencies;
}

/** The agent's manifest with the protected parts taken from the baseline. */
export function mergedManifest(base: string, now: string, kind: ManifestKind): string {
  return compareManifests(base, now, kind).merged;
}

/** Compares two manifests by what they mean. One that cannot be read has no free part. */
export function compareManifests(
  base: string,
  now: string,
  kind: ManifestKind,
  isThere: IsThere = () => false,
): ManifestComparison {
  const form = forms[kind];
  return typeof form === 'function' ? compareTexts(base, now, form) : compareShapes(base, now, form, isThere);
}

const forms: Record<ManifestKind, Shape | texts.Frame> = {
  'package.json': packageJson,
  'composer.json': composer,
  'pyproject.toml': pyproject,
  'Cargo.toml': cargo,
  'pubspec.yaml': pubspec,
  'pnpm-workspace.yaml': pnpmWorkspace,
  requirements: texts.requirements,
  'setup.cfg': texts.setupCfg,
  'go.mod': texts.goMod,
  Gemfile: texts.gemfile,
  gradle: texts.gradle,
  'pom.xml': texts.pom,
  msbuild: texts.msbuild,
  'mix.exs': texts.mix,
};

function compareShapes(base: string, now: string, shape: Shape, isThere: IsThere): ManifestComparison {
  const before = parseOrEmpty(base, shape);
  const after = parseOrEmpty(now, shape);
  if (before === null || after === null) {
    const same = base === now;
    return {
      differing: same ? [] : ['it cannot be read, so no part of it can be told to be harmless'],
      merged: base,
      before: new Map(),
      after: new Map(),
    };
  }
  const { merged, differing } = reconcile(before, after, shape.isFree(before, isThere));
  return {
    differing: differing.map(
      ({ path, before: was, after: is }) => `${path.join('.')}: ${shown(was)} → ${shown(is)}`,
    ),
    // What the agent wrote stays as it wrote it where nothing has to be put right.
    merged: differing.length === 0 ? now : shape.write(merged),
    before: dependenciesAt(before, shape.places),
    after: dependenciesAt(after, shape.places),
  };
}

/** A file that was not there had nothing in it. */
function parseOrEmpty(text: string, shape: Shape): Doc | null {
  return text.trim() === '' ? {} : shape.parse(text);
}

const mostShown = 400;

function shown(value: unknown): string {
  const text = written(value);
  return text.length > mostShown ? `${text.slice(0, mostShown)}…` : text;
}

function compareTexts(base: string, now: string, frame: texts.Frame): ManifestComparison {
  const before = frame(base);
  const after = frame(now);
  const same = before.frame.join('\n') === after.frame.join('\n');
  const gone = new Set(before.frame);
  const come = new Set(after.frame);
  const differing = [
    ...before.frame.filter((line) => !come.has(line)).map((line) => `- ${line}`),
    ...after.frame.filter((line) => !gone.has(line)).map((line) => `+ ${line}`),
  ];
  return {
    differing: same ? [] : differing.length > 0 ? differing : ['its lines are in another order'],
    merged: same ? now : base,
    before: before.dependencies,
    after: after.dependencies,
  };
}
