import type { Ecosystem } from './ecosystem.ts';
import { commandGate } from './proposed-gate.ts';

/** Ecosystems in which one file at the root and one way to lay out tests say everything. */
export const plain: readonly Ecosystem[] = [
  make({
    name: 'elixir',
    file: 'mix.exs',
    test: ['mix test', /(^|\/)test\/.*_test\.exs$/],
    build: 'mix compile',
    firstTest: 'write test/first_test.exs with use ExUnit.Case and a test "first"',
  }),
  make({
    name: 'swift',
    file: 'Package.swift',
    test: ['swift test', /(^|\/)Tests\/.*\.swift$/],
    build: 'swift build',
    firstTest: 'add a testTarget to Package.swift, and write Tests/FirstTests/FirstTests.swift',
  }),
  make({
    name: 'zig',
    file: 'build.zig',
    test: ['zig build test', /^build\.zig$/, /step\("test"/],
    build: 'zig build',
    firstTest: 'write a test block, and give build.zig a step named test',
  }),
  make({
    name: 'haskell',
    file: 'stack.yaml',
    test: ['stack test', /(^|\/)tests?\/.*\.hs$/],
    build: 'stack build',
    firstTest: 'add a test suite to package.yaml, and write test/Spec.hs',
  }),
  make({
    name: 'dart',
    file: 'pubspec.yaml',
    test: ['dart test', /(^|\/)test\/.*_test\.dart$/],
    build: null,
    firstTest: 'dart pub add dev:test, and write test/first_test.dart',
  }),
];

interface Plain {
  name: string;
  file: string;
  /** The command, the files that are tests, and what one of them must say. */
  test: readonly [string, RegExp, RegExp?];
  build: string | null;
  firstTest: string;
}

function make({ name, file, test: [run, tests, says], build, firstTest }: Plain): Ecosystem {
  return {
    name,
    look(project) {
      if (!project.has(file)) return null;
      const test = project
        .files()
        .find((path) => tests.test(path) && (says?.test(project.read(path)) ?? true));
      return [
        ...(test ? [commandGate('tests', run, `${file} and ${test} are there`)] : []),
        ...(build ? [commandGate('build', build, `${file} is there`)] : []),
      ];
    },
    firstTest,
  };
}
