import type { TestCase } from '@agentgate/core';
import type { GoEvent } from './go.ts';
import type { Tested } from './inventory.ts';
import { foundTest } from './plain/found.ts';
import type { Project } from './project.ts';

const maxLines = 60;

interface Told {
  status?: TestCase['status'];
  output: string[];
}

interface Test extends Told {
  name: string;
}

interface Package extends Told {
  tests: Test[];
  /** The run of each name that is under way or was the last; with -count a name runs several times. */
  last: Map<string, Test>;
  unbuilt: boolean;
}

const ends: Readonly<Record<string, TestCase['status']>> = {
  pass: 'passed',
  bench: 'passed',
  fail: 'failed',
  skip: 'skipped',
};

/** What the events of `go test` say of each package. */
export class Packages {
  readonly all = new Map<string, Package>();
  readonly #builds = new Map<string, string[]>();
  readonly #project: Project;

  constructor(project: Project) {
    this.#project = project;
  }

  take(event: GoEvent): void {
    const { Action: action, Package: name, Test: test, Output: output } = event;
    if (event.ImportPath !== undefined && name === undefined) {
      const lines = this.#builds.get(event.ImportPath) ?? [];
      this.#builds.set(event.ImportPath, lines);
      keep(lines, output);
      return;
    }
    if (name === undefined) return;
    const own = this.#open(name);
    const told: Told = test === undefined ? own : testOf(own, test, action === 'run');
    keep(told.output, output);
    const status = Object.hasOwn(ends, action) ? ends[action] : undefined;
    if (status !== undefined) told.status = status;
    if (event.FailedBuild !== undefined) this.fail(name, this.#builds.get(event.FailedBuild)?.join(''));
  }

  /** A package that could not be built or set up. */
  fail(name: string, why?: string): void {
    const own = this.#open(name);
    own.status = 'failed';
    own.unbuilt = true;
    if (why !== undefined) own.output = [why];
  }

  tested(): Tested[] {
    return [...this.all].flatMap(([name, own]) => {
      const parents = new Set(own.tests.flatMap((test) => parentsOf(test.name)));
      const failed = new Set(own.tests.filter(hasFailed).flatMap((test) => parentsOf(test.name)));
      const tests = own.tests
        // A parent stands for its subtests, unless it failed and none of them did.
        .filter((test) => !parents.has(test.name) || (hasFailed(test) && !failed.has(test.name)))
        .map((test) => this.#test(name, own, test));
      return own.status === 'failed' && !tests.some((one) => one.status === 'failed')
        ? [...tests, this.#packageItself(name, own)]
        : tests;
    });
  }

  #open(name: string): Package {
    const before = this.all.get(name);
    if (before !== undefined) return before;
    const own: Package = { tests: [], last: new Map(), output: [], unbuilt: false };
    this.all.set(name, own);
    return own;
  }

  // A test without an end in a package that failed is the one that took the process down, or was under way then.
  #test(name: string, own: Package, test: Test): Tested {
    const status = test.status ?? (own.status === 'failed' ? 'failed' : 'skipped');
    const message = status === 'failed' ? this.#project.clean(tellingLines(test.output)) : undefined;
    const { finding } = foundTest({ names: [name, test.name].map(this.#project.clean), message });
    const place = /^\s*([\w.-]+\.go):(\d+):/m.exec(message ?? '');
    if (place?.[1] !== undefined) {
      finding.file = this.#fileIn(name, place[1]);
      finding.line = Number(place[2]);
    }
    return { finding, status };
  }

  #packageItself(name: string, own: Package): Tested {
    const load = own.unbuilt || /\[(?:build|setup) failed\]/.test(own.output.join(''));
    const message = this.#project.clean(tellingLines(own.output));
    const { finding } = foundTest({ names: [this.#project.clean(name)], message, load });
    return { finding, status: 'failed' };
  }

  // Go names a file without its folder, and the folder is the end of the package's name.
  #fileIn(name: string, file: string): string {
    const parts = name.split('/').slice(0, 50);
    const paths = parts.map((_part, at) => [...parts.slice(at + 1), file].join('/'));
    return paths.find((path) => this.#project.has(path)) ?? file;
  }
}

/** What keeps the events from being all there is. */
export function packageProblem({ all }: Packages): string | undefined {
  for (const [name, { status, tests }] of all) {
    if (status === undefined) return `the report breaks off in package ${name}`;
    const open = status === 'failed' ? undefined : tests.find((test) => test.status === undefined);
    if (open !== undefined) return `the report does not say how ${open.name} in package ${name} ended`;
    const lost = status === 'failed' ? undefined : tests.find(hasFailed);
    if (lost !== undefined) return `package ${name} passed although ${lost.name} failed`;
  }
  return undefined;
}

const hasFailed = ({ status }: Test): boolean => status === 'failed';

function testOf(own: Package, name: string, isNew: boolean): Test {
  const before = own.last.get(name);
  if (before !== undefined && !isNew) return before;
  const test: Test = { name, output: [] };
  own.tests.push(test);
  own.last.set(name, test);
  return test;
}

function keep(lines: string[], output: string | undefined): void {
  if (output !== undefined && lines.length < maxLines) lines.push(output.slice(0, 2_000));
}

function tellingLines(output: readonly string[]): string {
  return output.filter((line) => !/^\s*(?:===|--- )|^(?:FAIL|PASS|exit status \d+)\s*$/.test(line)).join('');
}

function parentsOf(name: string): string[] {
  const parts = name.split('/').slice(0, 50);
  return parts.slice(1).map((_part, index) => parts.slice(0, index + 1).join('/'));
}
