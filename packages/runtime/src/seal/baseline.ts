import type { NamedGate, RunSpec, TestRunner } from '@agentgate/core';
import {
  gateFilesOf,
  kindOf,
  openTreeReader,
  testDataOf,
  type TreeFile,
  type TreeReader,
} from '../integrity/index.ts';
import { type Known, knownRunner, type Scripts } from './runner.ts';

/** The tree from before the run, as far as the gates judge by it. */
export interface Baseline {
  tree: string;
  reader: TreeReader;
  /** Files that the commands of the gates are made of. */
  gateFiles: readonly string[];
  /** Files of data that only tests name. */
  testData: readonly string[];
  knownRunner(gate: NamedGate): Known | null;
  /** So many files of tests that a runner could take, those that are wanted and small ones first. */
  testFiles(
    runner: TestRunner,
    most: number,
    isWanted?: (path: string) => boolean,
  ): Promise<readonly { path: string; text: string }[]>;
  close(): void;
}

const mostBytes = 200_000;

export async function openBaseline(
  tree: string,
  { gitDir, spec }: { gitDir: string; spec: RunSpec },
): Promise<Baseline> {
  const reader = openTreeReader(gitDir);
  const files = await reader.list(tree);
  const scripts = await scriptsOf(files, reader);
  return {
    tree,
    reader,
    gateFiles: await gateFilesOf(commandsOf(spec), files, reader),
    testData: await testDataOf(files, reader),
    close: () => reader.close(),
    knownRunner: (gate) =>
      gate.kind === 'command' && gate.report === 'auto' && gate.expectExit === 0
        ? knownRunner(gate.run, scripts)
        : null,
    async testFiles(runner, most, isWanted = () => false) {
      const wanted = runner === 'pytest' ? /\.py$/ : /\.[cm]?[jt]sx?$/;
      const tests = files
        .filter(({ path, size }) => wanted.test(path) && size <= mostBytes && kindOf(path) === 'test')
        .sort((a, b) => Number(isWanted(b.path)) - Number(isWanted(a.path)) || a.size - b.size)
        .slice(0, most);
      return Promise.all(
        tests.map(async ({ path, oid }) => ({ path, text: (await reader.read(oid)).toString('utf8') })),
      );
    },
  };
}

function commandsOf({ gates }: RunSpec): string[] {
  return gates.flatMap((gate) => {
    if (gate.kind === 'command') return [asText(gate.run)];
    if (gate.kind === 'levels')
      return [...(gate.tests?.setup ?? []), ...(gate.tests?.run ?? [])].map((one) => asText(one.run));
    return [];
  });
}

const asText = (run: string | readonly string[]): string => (typeof run === 'string' ? run : run.join(' '));

async function scriptsOf(files: readonly TreeFile[], reader: TreeReader): Promise<Scripts> {
  const manifest = files.find(({ path }) => path === 'package.json');
  if (!manifest || manifest.size > mostBytes) return {};
  try {
    const parsed: unknown = JSON.parse((await reader.read(manifest.oid)).toString('utf8'));
    const scripts = (parsed as { scripts?: unknown } | null)?.scripts;
    if (typeof scripts !== 'object' || scripts === null) return {};
    return Object.fromEntries(
      Object.entries(scripts).filter((one): one is [string, string] => typeof one[1] === 'string'),
    );
  } catch {
    // A manifest that cannot be read names no scripts.
    return {};
  }
}
