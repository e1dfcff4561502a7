import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { FaultError, fault, parseSpec, type RunSpec, type SpecProblem, showPath } from '@agentgate/core';
import { readRegularFile } from '../regular-file.ts';
import { type LocatedText, readLocated } from './locate.ts';

/** A field that a flag sets over the file. */
export interface Override {
  path: string[];
  value: unknown;
  flag: string;
}

export interface LocatedProblem {
  /** `agentgate.yaml:4:12` or `--max-iterations`. */
  where: string;
  path: string;
  message: string;
}

export type LoadedSpec =
  | { kind: 'loaded'; spec: RunSpec; hash: string; source: string }
  | { kind: 'invalid'; problems: LocatedProblem[]; source: string };

const fileNames = ['agentgate.yaml', 'agentgate.yml', 'agentgate.json'];

/** The spec file of a directory, or the one that was asked for. */
export function findSpecFile(root: string, config?: string): string | null {
  if (config !== undefined) {
    const path = resolve(root, config);
    if (existsSync(path)) return path;
    throw new FaultError(fault('spec.missing', `there is no spec file ${config}; agentgate init writes one`));
  }
  return fileNames.map((name) => join(root, name)).find((path) => existsSync(path)) ?? null;
}

/** What a spec file names at its top, and its gates, whatever else is wrong with it. */
export function namesIn(file: string | null): { options: string[]; gates: string[] } {
  const value = file === null ? null : readLocated(readText(file)).value;
  if (typeof value !== 'object' || value === null) return { options: [], gates: [] };
  const { gates } = value as { gates?: unknown };
  return {
    options: Object.keys(value),
    gates: typeof gates === 'object' && gates !== null ? Object.keys(gates) : [],
  };
}

/** Reads the spec from its file and the flags, and collects every mistake with its place. */
export function loadSpec(root: string, file: string | null, overrides: readonly Override[]): LoadedSpec {
  const source = file === null ? 'the command line' : relative(root, file) || file;
  const text = file === null ? null : readLocated(readText(file));
  if (text && text.problems.length > 0) {
    const problems = text.problems.map(({ message, line, column }) => ({
      where: `${source}:${line}:${column}`,
      path: '',
      message,
    }));
    return { kind: 'invalid', problems, source };
  }
  if (text && (typeof text.value !== 'object' || text.value === null || Array.isArray(text.value))) {
    const problem = {
      where: `${source}:1:1`,
      path: '',
      message: 'expected options such as task, agent and gates',
    };
    return { kind: 'invalid', problems: [problem], source };
  }
  const parsed = parseSpec(withOverrides(text?.value ?? {}, overrides));
  if (parsed.kind === 'invalid') {
    const problems = inOrder(parsed.problems.map((problem) => locate(problem, source, text, overrides)));
    return { kind: 'invalid', problems, source };
  }
  const task = readTask(root, parsed.task);
  if (task === null || task.trim() === '') {
    const message =
      task === null
        ? `the task file ${(parsed.task as { file: string }).file} cannot be read`
        : 'expected a task, found an empty text';
    const path = task === null ? ['task', 'file'] : ['task'];
    return { kind: 'invalid', problems: [locate({ path, message }, source, text, overrides)], source };
  }
  const spec: RunSpec = { ...parsed.spec, task };
  return { kind: 'loaded', spec, hash: specHash(spec), source };
}

/** The same for the same spec, however its file is written. */
export function specHash(spec: RunSpec): string {
  return createHash('sha256').update(canonical(spec)).digest('hex').slice(0, 16);
}

function readTask(root: string, task: string | { file: string }): string | null {
  if (typeof task === 'string') return task;
  const path = resolve(root, task.file);
  return readRegularFile(path);
}

function readText(path: string): string {
  const text = readRegularFile(path);
  if (text === null)
    throw new FaultError(fault('spec.missing', `cannot read ${path}; it must be a plain file`));
  return text;
}

function withOverrides(value: unknown, overrides: readonly Override[]): unknown {
  const merged = structuredClone(value) as Record<string, unknown>;
  for (const { path, value: set } of overrides) {
    let group = merged;
    for (const key of path.slice(0, -1)) {
      const next = group[key];
      // A short form such as `strategy: ralph` gives way to the group that a flag reaches into.
      group[key] =
        typeof next === 'object' && next !== null ? next : typeof next === 'string' ? { kind: next } : {};
      group = group[key] as Record<string, unknown>;
    }
    group[path.at(-1)!] = set;
  }
  return merged;
}

/** As they stand in the file, those of flags last. */
function inOrder(problems: LocatedProblem[]): LocatedProblem[] {
  const place = ({ where }: LocatedProblem): number[] =>
    /:(\d+):(\d+)$/.exec(where)?.slice(1).map(Number) ?? [Infinity, 0];
  return problems.sort((a, b) => {
    const [one, other] = [place(a), place(b)];
    return one[0] === other[0] ? one[1]! - other[1]! : one[0]! - other[0]!;
  });
}

function locate(
  { path, message, inName }: SpecProblem,
  source: string,
  text: LocatedText | null,
  overrides: readonly Override[],
): LocatedProblem {
  const flag = overrides.find((one) => one.path.every((part, at) => path[at] === part));
  if (flag) return { where: flag.flag, path: showPath(path), message };
  if (!text) return { where: 'command line', path: showPath(path), message };
  const { line, column } = text.locate(path, inName);
  return { where: `${source}:${line}:${column}`, path: showPath(path), message };
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return `{${entries
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, one]) => `${JSON.stringify(key)}:${canonical(one)}`)
    .join(',')}}`;
}
