import type { Ecosystem } from './ecosystem.ts';
import type { Project } from './project.ts';
import { commandGate } from './proposed-gate.ts';

/** Rust: cargo, over the whole workspace where there is one. */
export const rust: Ecosystem = {
  name: 'rust',
  look(project) {
    if (!project.has('Cargo.toml')) return null;
    const all = /^\[workspace\b/m.test(project.read('Cargo.toml')) ? ' --workspace' : '';
    const test = firstTestFile(project);
    const clippy = clippyConfigured(project);
    return [
      ...(test ? [commandGate('tests', `cargo test${all}`, `${test} has tests`)] : []),
      ...(clippy
        ? [
            commandGate(
              'lint',
              `cargo clippy${all} --all-targets -- -D warnings`,
              `${clippy} configures clippy`,
            ),
          ]
        : []),
      commandGate('build', `cargo build${all} --all-targets`, 'Cargo.toml is there'),
    ];
  },
  firstTest: 'put #[test] before a function in src/lib.rs or in tests/first.rs',
};

/** Enough to tell whether a crate tests itself, without reading a large one whole. */
const mostFiles = 300;

function firstTestFile(project: Project): string | undefined {
  const files = project.files().filter((path) => path.endsWith('.rs'));
  return files
    .slice(0, mostFiles)
    .find((path) => /#\[(?:\w+::)*test\b|#\[rstest|proptest!/.test(project.read(path)));
}

function clippyConfigured(project: Project): string | undefined {
  const lints = project
    .files()
    .filter((path) => path === 'Cargo.toml' || path.endsWith('/Cargo.toml'))
    .find((path) => /^\[(?:workspace\.)?lints\.clippy\]/m.test(project.read(path)));
  return project.first('clippy.toml', '.clippy.toml') ?? lints;
}
