import { type Path, type SpecProblem, show, showPath, suggest } from '../parse-spec/problem.ts';
import { Group } from './group.ts';

/** An older name or form that was accepted, and what it was read as. */
export interface SpecNote {
  path: (string | number)[];
  message: string;
}

/** What comes to light while a spec is brought into today's form. */
export class Reading {
  readonly notes: SpecNote[] = [];
  readonly problems: SpecProblem[] = [];
  readonly #ownNames: boolean;
  #quiet = false;
  #renamed = false;

  /** In the resource form the longer names are the proper ones, and a note on each would be noise. */
  constructor(ownNames: boolean) {
    this.#ownNames = ownNames;
  }

  /** Does something without a note on each name, and answers whether there were older ones. */
  quietly(act: () => void): boolean {
    this.#quiet = true;
    this.#renamed = false;
    act();
    this.#quiet = false;
    return this.#renamed && !this.#ownNames;
  }

  note(path: Path, message: string): void {
    this.notes.push({ path: [...path], message });
  }

  problem(path: Path, message: string, inName = false): void {
    this.problems.push({ path: [...path], message, ...(inName ? { inName: true as const } : {}) });
  }

  /** Moves an option to the name it has today. Where both are given they must agree. */
  rename(group: Group, old: string, now: string, read?: (value: unknown) => unknown): void {
    const entry = group.take(old);
    if (!entry) return;
    const value = read ? read(entry.value) : entry.value;
    const changed = !same(value, entry.value);
    const means = `${now}${changed ? ` ${show(value)}` : ''}`;
    const there = group.get(now);
    if (there && !same(there.value, value)) {
      const message = `is read as ${means}, but ${now} says ${show(there.value)}; give one of them`;
      this.problem(entry.from, message, true);
      return;
    }
    if (!there) group.put(now, { value, from: entry.from });
    const said = `${showPath(entry.from)}${changed ? ` ${show(entry.value)}` : ''}`;
    if (changed) this.note(entry.from, `${said} is read as ${means}`);
    else this.#noteName(entry.from, `${said} is read as ${means}`);
  }

  /** Notes a name or form that only has another place today. */
  renamed(from: Path, now: string, value?: unknown): void {
    const said = value === undefined ? showPath(from) : `${showPath(from)} ${show(value)}`;
    this.#noteName(from, `${said} is read as ${now}`);
  }

  #noteName(from: Path, message: string): void {
    this.#renamed = true;
    if (!this.#ownNames && !this.#quiet) this.note(from, message);
  }

  /** Refuses what a group does not know, with the nearest name. */
  only(group: Group, known: readonly string[]): void {
    for (const key of group.keys().filter((one) => !known.includes(one)))
      this.problem(group.take(key)!.from, `unknown option "${key}"${suggest(key, known)}`, true);
  }

  /** Refuses an option that has no counterpart yet, with what to do instead. */
  refuse(group: Group, key: string, message: string): void {
    const entry = group.take(key);
    if (entry) this.problem(entry.from, message, true);
  }
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(plain(a)) === JSON.stringify(plain(b));
}

const plain = (value: unknown): unknown => (value instanceof Group ? value.close() : value);
