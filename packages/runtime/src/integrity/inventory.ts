import type { Finding } from '@agentgate/core';
import { TestCase } from '@agentgate/core';
import * as z from 'zod';

const mostFindings = 200;

/**
 * The tests of the baseline that are missing or no longer pass, and skips that are new. A test that was moved to
 * another file is the same test; a test that is new is nobody's concern.
 */
export function compareInventories(base: readonly TestCase[], now: readonly TestCase[]): Finding[] {
  const wanted = base.filter((one) => one.status === 'passed' || one.status === 'failed');
  if (wanted.length === 0) return [];
  if (now.length === 0) return [noneLeft(wanted.length)];
  const matcher = new Matcher(base, now);
  const findings = wanted.flatMap((one) => {
    const finding = findingOf(one, matcher.find(one));
    return finding === null ? [] : [finding];
  });
  if (findings.length <= mostFindings) return findings;
  const more = findings.length - (mostFindings - 1);
  const rest: Finding = {
    id: 'integrity:missing:more',
    title: `${more} more tests of the baseline are missing, skipped or failing`,
  };
  return [...findings.slice(0, mostFindings - 1), rest];
}

/** An inventory as a text that can be kept. */
export const writeCases = (cases: readonly TestCase[]): string => JSON.stringify(cases);

/** Reads a kept inventory. */
export const readCases = (text: string): TestCase[] => z.array(TestCase).parse(JSON.parse(text));

/** A test as it stands now: as itself, as parts of what could not be told apart before, or not at all. */
type Match = TestCase['status'] | 'parts' | 'missing';

class Matcher {
  readonly #byId: ReadonlyMap<string, TestCase>;
  readonly #starts: ReadonlySet<string>;
  readonly #files: ReadonlySet<string>;
  /** Tests that the baseline did not have, by what may tell that they are its tests after all. */
  readonly #fresh = new Map<string, TestCase[]>();
  readonly #taken = new Set<TestCase>();

  constructor(base: readonly TestCase[], now: readonly TestCase[]) {
    const known = new Set(base.map((one) => one.id));
    this.#byId = new Map(now.map((one) => [one.id, one]));
    this.#starts = new Set(now.flatMap((one) => prefixes(one.id)));
    this.#files = new Set(now.flatMap((one) => (one.file === undefined ? [] : [one.file])));
    for (const one of now) {
      if (known.has(one.id)) continue;
      for (const key of keysOf(one)) this.#fresh.set(key, [...(this.#fresh.get(key) ?? []), one]);
    }
  }

  find(one: TestCase): Match {
    const same = this.#byId.get(one.id);
    if (same !== undefined) return same.status;
    // A file that could not load, or a suite whose set-up failed, has given way to its own tests.
    if (one.status === 'failed' && (this.#starts.has(one.id) || this.#loadsNow(one))) return 'parts';
    for (const key of keysOf(one)) {
      const free = (this.#fresh.get(key) ?? []).filter((other) => !this.#taken.has(other));
      const match = free.find((other) => other.status === 'passed') ?? free[0];
      if (match === undefined) continue;
      this.#taken.add(match);
      return match.status;
    }
    return 'missing';
  }

  #loadsNow(one: TestCase): boolean {
    if (one.file === undefined || nameOf(one) !== '') return false;
    // Some runners name the file only of what fails: then tests that are new are what the file hid.
    return this.#files.has(one.file) || (this.#files.size === 0 && this.#fresh.size > 0);
  }
}

/** The full name without the file, then what is left of it without the parameters of one case. */
function keysOf(one: TestCase): string[] {
  const name = nameOf(one);
  if (name === '') return [];
  const stem = name
    .replace(/ #\d+$/, '')
    .replace(/#\d+$/, '')
    .replace(/\s*\[[^[\]]*(?:\[[^\]]*\][^[\]]*)*\]$/, '');
  return stem === name ? [`name:${name}`] : [`name:${name}`, `stem:${one.file ?? ''}:${stem}`];
}

function nameOf({ id, file }: TestCase): string {
  const name = id.replace(/^\w+:/, '');
  if (file === undefined) return name;
  if (name === file) return '';
  return name.startsWith(`${file} > `) ? name.slice(file.length + 3) : name;
}

/** Everything that an id stands below. */
function prefixes(id: string): string[] {
  const found: string[] = [];
  for (let at = id.lastIndexOf(' > '); at > 0; at = id.lastIndexOf(' > ', at - 1))
    found.push(id.slice(0, at));
  return found;
}

function findingOf(one: TestCase, match: Match): Finding | null {
  const name = one.id.replace(/^\w+:/, '');
  const at = one.file === undefined ? {} : { file: one.file };
  const before = one.status === 'passed' ? 'it passed before' : 'it failed before';
  switch (match) {
    case 'passed':
    case 'parts':
      return null;
    case 'failed':
      if (one.status === 'failed') return null;
      return { id: `integrity:failing:${one.id}`, title: `${name} no longer passes`, ...at, message: before };
    case 'skipped':
    case 'todo':
      return {
        id: `integrity:skipped:${one.id}`,
        title: `${name} is skipped`,
        ...at,
        message: `${before}; a skipped test has not passed`,
      };
    case 'missing':
      return {
        id: `integrity:missing:${one.id}`,
        title: `${name} did not run`,
        ...at,
        message: `${before}; a test that does not run has not passed`,
      };
  }
}

function noneLeft(count: number): Finding {
  return {
    id: 'integrity:missing:all',
    title: `no test was reported, and the baseline had ${count}`,
    message:
      'an empty report is not a pass: see whether the tests are still found and the report is still written',
  };
}
