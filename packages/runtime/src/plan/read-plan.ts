import { existsSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { FaultError, fault, findPrd, misreadStories, readMarkdown, readPrd } from '@agentgate/core';
import { readRegularFile } from '../regular-file.ts';
import { readPlainYaml } from '../spec/plain-yaml.ts';
import { isCode, type LocatedProblem, labelOf, readSource, readText } from '../spec/source.ts';

/** What a plan file says, before anybody looks whether it makes sense. */
export interface ReadPlan {
  value: unknown;
  problems: LocatedProblem[];
  notes: string[];
  /** It is the file of another loop, in which gates have no place. */
  isForeign?: true;
  context?: string;
  where(path: readonly (string | number)[], inName?: boolean): string;
}

export async function readPlan(root: string, path: string, how?: 'quickly'): Promise<ReadPlan> {
  const file = labelOf(root, path);
  if (extname(path).toLowerCase() === '.md') return readBoxes(file, path);
  if (isCode(path))
    throw new FaultError(
      fault('usage', `${file} is code; a plan is YAML, JSON or Markdown with check boxes`),
    );
  const quick = how === 'quickly' ? readQuickly(path) : undefined;
  const isNamed = /^prd\b.*\.json$/i.test(basename(path));
  if (quick !== undefined && !findPrd(quick, isNamed))
    return { value: quick, problems: [], notes: [], where: () => file };
  const { value, problems, where } = await readSource(root, path);
  const prd = findPrd(value, isNamed);
  if (!prd) {
    const key = isNamed ? misreadStories(value) : null;
    const wrong =
      key === null ? [] : [{ where: where([key]), path: key, message: 'expected a list of stories' }];
    return { value, problems: [...problems, ...wrong], notes: [], where };
  }
  const inStories = ([top, ...rest]: readonly (string | number)[]) =>
    top === 'items' ? [...prd.path, ...rest] : top === undefined ? [] : [top, ...rest];
  return {
    value: readPrd(prd),
    problems,
    isForeign: true,
    ...beside(path),
    where: (at, inName) => where(inStories(at), inName),
  };
}

/** The value alone, without places; undefined where that takes the whole language. */
function readQuickly(path: string): unknown {
  const text = readText(path);
  if (extname(path) !== '.json') return readPlainYaml(text);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Whoever reads it with places says where.
    return undefined;
  }
}

function readBoxes(file: string, path: string): ReadPlan {
  const text = readText(path);
  const read = readMarkdown(text);
  if (read) {
    const lineOf = (at: readonly (string | number)[]) => {
      const way = at.filter((_, index) => at[index - 1] === 'items' || at[index - 1] === 'parts');
      return read.lines.get(way.join('.')) ?? 1;
    };
    return {
      value: read.value,
      problems: [],
      isForeign: true,
      ...beside(path),
      where: (at) => `${file}:${lineOf(at)}:1`,
    };
  }
  const value = text.trim() === '' ? { items: [] } : { items: [{ id: 'prompt', task: text.trim() }] };
  const notes = [`${file} has no check boxes, so all of it is one item`];
  return { value, problems: [], notes, isForeign: true, where: () => `${file}:1:1` };
}

/** Loops of that kind keep what every agent is told in a file of its own. */
function beside(path: string): { notes: string[]; context?: string } {
  const prompt = join(dirname(path), 'PROMPT.md');
  if (basename(path) === 'PROMPT.md' || !existsSync(prompt)) return { notes: [] };
  const context = readRegularFile(prompt);
  return context === null
    ? { notes: [] }
    : { notes: ['PROMPT.md stands beside it, and every agent is told what it says'], context };
}
