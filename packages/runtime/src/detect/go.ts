import type { Ecosystem } from './ecosystem.ts';
import type { Project } from './project.ts';
import { commandGate } from './proposed-gate.ts';

/** Go: build, vet and test of every package, over all modules of a workspace. */
export const go: Ecosystem = {
  name: 'go',
  look(project) {
    const file = project.first('go.work', 'go.mod');
    if (file === undefined) return null;
    const packages = packagesOf(project);
    const test = project.files().find((path) => path.endsWith('_test.go'));
    return [
      ...(test ? [commandGate('tests', `go test ${packages}`, `${file} and ${test} are there`)] : []),
      commandGate('lint', `go vet ${packages}`, `${file} is there`),
      commandGate('build', `go build ${packages}`, `${file} is there`),
    ];
  },
  firstTest: 'write a file that ends in _test.go with a function TestFirst(t *testing.T)',
};

/** `./...` stops at the border of a module, so a workspace names each of its own. */
function packagesOf(project: Project): string {
  const used = [...project.read('go.work').matchAll(/^\s*(?:use\s+)?(\.{1,2}[\w./-]*)\s*$/gm)].map(
    ([, dir]) => `${dir!.replace(/\/$/, '')}/...`,
  );
  return used.length > 0 ? used.join(' ') : './...';
}
