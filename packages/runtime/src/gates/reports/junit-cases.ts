import { SaxesParser, type SaxesTagPlain } from 'saxes';

export interface Case {
  suites: string[];
  className?: string;
  name: string;
  file?: string;
  /** A test that is expected to fail, or not written yet, is told as skipped with a type of its own. */
  skipped: 'skipped' | 'todo' | false;
  /** The first of its failures and errors. */
  problem?: { kind: 'failure' | 'error'; message?: string; type?: string; text: string };
}

/** Reads every test case of a JUnit document, and what was wrong with the document. */
export function readCases(xml: string): { cases: Case[]; counted: number; problem?: string } {
  const walk = new Walk();
  const parser = new SaxesParser();
  let broken: string | undefined;
  parser.on('error', (error) => {
    broken ??= `the JUnit report is not well-formed: ${error.message}`;
  });
  parser.on('opentag', (tag) => walk.open(tag));
  parser.on('closetag', (tag) => walk.close(tag.name));
  parser.on('text', (text) => walk.text(text));
  parser.on('cdata', (text) => walk.text(text));
  parser.write(xml).close();
  const { cases, counted } = walk;
  return broken === undefined ? { cases, counted } : { cases, counted, problem: broken };
}

class Walk {
  readonly cases: Case[] = [];
  /** The most failures that one suite says it has. */
  counted = 0;
  readonly #suites: { name: string; file?: string }[] = [];
  #case: Case | undefined;
  #problem: NonNullable<Case['problem']> | undefined;

  open({ name, attributes }: SaxesTagPlain): void {
    switch (name) {
      case 'testsuites':
      case 'testsuite':
        this.#suites.push(name === 'testsuites' ? { name: '' } : named(attributes));
        this.counted = Math.max(this.counted, number(attributes['failures']) + number(attributes['errors']));
        return;
      case 'testcase':
        this.#case = this.#start(attributes);
        this.cases.push(this.#case);
        return;
      case 'skipped':
        if (this.#case !== undefined)
          this.#case.skipped = /xfail|todo/i.test(attributes['type'] ?? '') ? 'todo' : 'skipped';
        return;
      case 'failure':
      case 'error':
        this.#fail(name, attributes);
        return;
      default:
    }
  }

  text(text: string): void {
    if (this.#problem !== undefined) this.#problem.text += text;
  }

  close(name: string): void {
    if (name === 'testsuites' || name === 'testsuite') this.#suites.pop();
    if (name === 'testcase') this.#case = undefined;
    if (name === 'failure' || name === 'error') this.#problem = undefined;
  }

  #start(attributes: Record<string, string>): Case {
    const suites = this.#suites.map((suite) => suite.name).filter((suite) => suite !== '');
    const one: Case = { suites, name: attributes['name'] ?? '', skipped: false };
    const file = attributes['file'] ?? this.#suites.findLast((suite) => suite.file !== undefined)?.file;
    if (file !== undefined) one.file = file;
    if (attributes['classname'] !== undefined) one.className = attributes['classname'];
    return one;
  }

  // A suite that fails outside of any case, in its set-up, stands as a case of its own.
  #fail(kind: 'failure' | 'error', attributes: Record<string, string>): void {
    if (this.#case === undefined) this.cases.push(this.#start({}));
    const one = this.cases.at(-1);
    const problem: NonNullable<Case['problem']> = { kind, text: '' };
    if (attributes['message'] !== undefined && attributes['message'] !== '')
      problem.message = attributes['message'];
    if (attributes['type'] !== undefined) problem.type = attributes['type'];
    this.#problem = problem;
    if (one !== undefined) one.problem ??= problem;
  }
}

function named(attributes: Record<string, string>): { name: string; file?: string } {
  const name = attributes['name'] ?? '';
  return attributes['file'] === undefined ? { name } : { name, file: attributes['file'] };
}

function number(text: string | undefined): number {
  return /^\d{1,9}$/.test(text ?? '') ? Number(text) : 0;
}
