import type { Ecosystem } from './ecosystem.ts';
import { commandGate } from './proposed-gate.ts';

/** C and C++ by CMake; ctest needs what the build made, so its gate builds first. */
export const cmake: Ecosystem = {
  name: 'cmake',
  look(project) {
    if (!project.has('CMakeLists.txt')) return null;
    const build = 'cmake -S . -B build && cmake --build build';
    const tested = project
      .files()
      .filter((path) => path.endsWith('CMakeLists.txt'))
      .find((path) => /\b(add_test|enable_testing|gtest_discover_tests)\s*\(/i.test(project.read(path)));
    return [
      ...(tested
        ? [
            commandGate(
              'tests',
              `${build} && ctest --test-dir build --output-on-failure`,
              `${tested} has tests`,
            ),
          ]
        : []),
      commandGate('build', build, 'CMakeLists.txt is there'),
    ];
  },
  firstTest: 'call enable_testing() and add_test(NAME first COMMAND first) in CMakeLists.txt',
};
