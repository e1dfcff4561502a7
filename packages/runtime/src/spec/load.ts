import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { FaultError, fault, parseFlat, type RunSpec, type SpecMetadata } from '@agentgate/core';
import { readRegularFile } from '../regular-file.ts';
import { specHash } from './hash.ts';
import { readLocated } from './locate.ts';
import { inOrder } from './order.ts';
import { type LocatedNote, makeStack, type Override, type SpecStack } from './stack.ts';
import { ProfileReader } from './profiles.ts';
import { withRubrics } from './rubrics.ts';
import { endings, isCode, type LocatedProblem, readSource, readText, type SpecSource } from './source.ts';

export { specHash } from './hash.ts';
export type { LocatedProblem } from './source.ts';
export type { LocatedNote, Override } from './stack.ts';

export type LoadedSpec =
  | {
      kind: 'loaded';
      spec: RunSpec;
      hash: string;
      source: string;
      /** Older names and forms that were accepted. */
      notes: LocatedNote[];
      metadata?: SpecMetadata;
    }
  | { kind: 'invalid'; problems: LocatedProblem[]; source: string };

export interface LoadOptions {
  /** A profile to build upon, from `--profile`. */
  profile?: string | undefined;
  /** What counts where nobody says anything else, and the flag that brings it. */
  below?: { flag: string; value: object } | undefined;
  /** The file says everything; the default profile is left aside. */
  alone?: boolean;
  env?: NodeJS.ProcessEnv;
}

/** What is there before the flags: options at the top, and gates. */
export interface SpecNames {
  options: string[];
  gates: string[];
}

const fileNames = endings.map((ending) => `agentgate${ending}`);

/** The spec file of a directory, or the one that was asked for. */
export function findSpecFile(root: string, config?: string): string | null {
  if (config !== undefined) {
    const path = resolve(root, config);
    if (existsSync(path)) return path;
    throw new FaultError(fault('spec.missing', `there is no spec file ${config}; agentgate init writes one`));
  }
  const there = fileNames.filter((name) => existsSync(join(root, name)));
  if (there.length > 1) {
    const both = there.join(' and ');
    throw new FaultError(fault('usage', `${both} are both there; keep one, or name one with --config`));
  }
  return there[0] === undefined ? null : join(root, there[0]);
}

/** What a spec file names at its top, and its gates, whatever else is wrong with it. Code is not run for that. */
export function namesIn(file: string | null): SpecNames {
  return namesOf(file === null || isCode(file) ? null : readLocated(readText(file)).value);
}

function namesOf(value: unknown): SpecNames {
  if (typeof value !== 'object' || value === null) return { options: [], gates: [] };
  const { gates } = value as { gates?: unknown };
  const named = typeof gates === 'object' && gates !== null && !Array.isArray(gates);
  return { options: Object.keys(value), gates: named ? Object.keys(gates) : [] };
}

/**
 * Reads the spec from profiles, its file and the flags, in this order, and collects every mistake with its place.
 * Flags that depend on what is there are given as a function.
 */
export async function loadSpec(
  root: string,
  file: string | null,
  overrides: readonly Override[] | ((names: SpecNames) => readonly Override[]),
  options: LoadOptions = {},
): Promise<LoadedSpec> {
  const { sources, profiles, problems } = await readSources(root, file, options);
  const own = file === null ? 'the command line' : sources.at(-1)!.label;
  const source = profiles.length === 0 ? own : `${own} with profile ${profiles.join(', ')}`;
  if (problems.length > 0) return { kind: 'invalid', problems: inOrder(problems), source };
  const stack = makeStack([...under(options), ...sources]);
  stack.set(typeof overrides === 'function' ? overrides(namesOf(stack.value)) : overrides);
  return parseStack(root, stack, source);
}

/** What profiles and file say together, in today's form, without the task: for whoever builds further specs upon it. */
export async function flatSpec(
  root: string,
  file: string | null,
  options: LoadOptions = {},
): Promise<Record<string, unknown>> {
  const { sources } = await readSources(root, file, options);
  const { value } = makeStack(sources);
  if (!isGroup(value)) return {};
  const { task: _, ...rest } = value as Record<string, unknown>;
  return rest;
}

/** Whatever is wrong there is wrong with the flag. */
function under({ below }: LoadOptions): SpecSource[] {
  if (!below) return [];
  const { flag, value } = below;
  return [{ label: flag, value, problems: [], where: () => flag }];
}

function parseStack(root: string, stack: SpecStack, source: string): LoadedSpec {
  const parsed = parseFlat(stack.value, { root, originOf: stack.originOf });
  const problems = [
    ...stack.problems,
    ...(parsed.kind === 'invalid' ? parsed.problems.map((one) => stack.locate(one)) : []),
  ];
  if (parsed.kind === 'invalid' || problems.length > 0)
    return { kind: 'invalid', problems: inOrder(problems), source };
  const task =
    typeof parsed.task === 'string' ? parsed.task : readRegularFile(resolve(root, parsed.task.file));
  if (task === null || task.trim() === '') {
    const problem =
      task === null
        ? { path: ['task', 'file'], message: `the task file ${showTask(parsed.task)} cannot be read` }
        : { path: ['task'], message: 'expected a task, found an empty text' };
    return { kind: 'invalid', problems: [stack.locate(problem)], source };
  }
  const { notes, metadata } = stack;
  const rubrics = withRubrics(root, parsed.spec.gates);
  if (rubrics.problems.length > 0)
    return { kind: 'invalid', problems: rubrics.problems.map((one) => stack.locate(one)), source };
  const spec: RunSpec = { ...parsed.spec, gates: rubrics.gates, task };
  return { kind: 'loaded', spec, hash: specHash(spec), source, notes, ...(metadata ? { metadata } : {}) };
}

const showTask = (task: string | { file: string }): string => (typeof task === 'string' ? '' : task.file);

/** The files that speak, the weakest first: the default profile, the named one, what the file extends, the file. */
async function readSources(
  root: string,
  file: string | null,
  { profile, alone = false, env }: LoadOptions,
): Promise<{ sources: SpecSource[]; profiles: string[]; problems: LocatedProblem[] }> {
  const reader = new ProfileReader(root, env);
  const own = file === null ? null : await readSource(root, file);
  const below = [
    ...(!alone && reader.has('default')
      ? await reader.read('default', { where: 'profile default', chain: [] })
      : []),
    ...(profile === undefined ? [] : await reader.read(profile, { where: '--profile', chain: [] })),
    ...(own === null ? [] : await reader.below(own, [])),
  ];
  const sources = own === null ? below : [...below, own];
  const shapeless = sources.filter(({ value, problems }) => problems.length === 0 && !isGroup(value));
  const problems = [
    ...reader.problems,
    ...(own?.problems ?? []),
    ...shapeless.map((one) => ({
      where: one.where([]),
      path: '',
      message: 'expected options such as task, agent and gates',
    })),
  ];
  return { sources, profiles: below.map(({ label }) => label), problems };
}

const isGroup = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
