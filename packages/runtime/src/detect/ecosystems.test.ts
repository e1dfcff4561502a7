import { describe, expect, it } from 'vitest';
import { inspectProject } from './inspect.ts';
import { type Files, json, makeBed } from './testing.ts';

const bed = makeBed();
type Case = [string, Files, string[]];

describe('other ecosystems', () => {
  const cases: Case[] = [
    [
      'Go',
      { 'go.mod': 'module x', 'a_test.go': '' },
      ['tests: go test ./...', 'lint: go vet ./...', 'build: go build ./...'],
    ],
    ['Go without tests', { 'go.mod': 'module x' }, ['lint: go vet ./...', 'build: go build ./...']],
    [
      'a Go workspace',
      { 'go.work': 'go 1.22\n\nuse (\n\t./a\n\t./b/\n)\n', 'a/x_test.go': '' },
      ['tests: go test ./a/... ./b/...', 'lint: go vet ./a/... ./b/...', 'build: go build ./a/... ./b/...'],
    ],
    [
      'Rust',
      { 'Cargo.toml': '[package]\n', 'src/lib.rs': '#[cfg(test)] mod t { #[test] fn a() {} }' },
      ['tests: cargo test', 'build: cargo build --all-targets'],
    ],
    [
      'a Rust workspace with clippy',
      {
        'Cargo.toml': '[workspace]\nmembers = ["a"]\n[workspace.lints.clippy]\nall = "deny"\n',
        'a/Cargo.toml': '[package]',
        'a/tests/x.rs': '#[tokio::test] async fn a() {}',
      },
      [
        'tests: cargo test --workspace',
        'lint: cargo clippy --workspace --all-targets -- -D warnings',
        'build: cargo build --workspace --all-targets',
      ],
    ],
    ['Rust without tests', { 'Cargo.toml': '[package]' }, ['build: cargo build --all-targets']],
    [
      'Gradle through its wrapper',
      { 'build.gradle.kts': '', gradlew: '', 'src/test/java/ATest.java': '' },
      ['tests: ./gradlew test', 'build: ./gradlew assemble'],
    ],
    [
      'Maven',
      { 'pom.xml': '', 'core/src/test/java/A.java': '' },
      ['tests: mvn -B -q test', 'build: mvn -B -q -DskipTests package'],
    ],
    [
      'CMake with ctest',
      { 'CMakeLists.txt': 'add_subdirectory(t)', 't/CMakeLists.txt': 'add_test(NAME a COMMAND a)' },
      [
        'tests: cmake -S . -B build && cmake --build build && ctest --test-dir build --output-on-failure',
        'build: cmake -S . -B build && cmake --build build',
      ],
    ],
    [
      '.NET',
      { 'App.sln': '', 'tests/T.csproj': '<PackageReference Include="xunit" />' },
      ['tests: dotnet test', 'build: dotnet build'],
    ],
    [
      'Ruby with rspec and rubocop',
      { Gemfile: '', 'spec/a_spec.rb': '', '.rubocop.yml': '' },
      ['tests: bundle exec rspec', 'lint: bundle exec rubocop'],
    ],
    ['Ruby with rake', { Rakefile: 'Rake::TestTask.new', 'test/a_test.rb': '' }, ['tests: rake test']],
    [
      'PHP',
      { 'composer.json': '{}', 'phpunit.xml.dist': '', 'phpstan.neon': '' },
      ['tests: vendor/bin/phpunit', 'types: vendor/bin/phpstan analyse'],
    ],
    ['PHP by its script', { 'composer.json': json({ scripts: { test: 'pest' } }) }, ['tests: composer test']],
    [
      'Deno',
      { 'deno.jsonc': '{ // tasks\n "tasks": { "build": "x", }, }', 'a_test.ts': '' },
      ['tests: deno test --allow-all', 'types: deno check .', 'lint: deno lint', 'build: deno task build'],
    ],
    ['Elixir', { 'mix.exs': '', 'test/a_test.exs': '' }, ['tests: mix test', 'build: mix compile']],
    ['Swift', { 'Package.swift': '', 'Tests/A/A.swift': '' }, ['tests: swift test', 'build: swift build']],
    ['Zig', { 'build.zig': 'b.step("test", "")' }, ['tests: zig build test', 'build: zig build']],
  ];
  it.each(cases)('%s', (_name, files, expected) => expect(bed.gates(files)).toEqual(expected));
});

describe('task runners', () => {
  const cases: Case[] = [
    [
      'Make',
      { Makefile: 'CC := gcc\n.PHONY: test lint\ntest: all\n\tgo\nlint typecheck:\n\tx\nbuild:\n\tx\n' },
      ['tests: make test', 'types: make typecheck', 'lint: make lint', 'build: make build'],
    ],
    ['check where there is no test', { Makefile: 'check:\n\tx\n' }, ['tests: make check']],
    [
      'check beside test',
      { Makefile: 'test:\n\tx\ncheck: test\n' },
      ['tests: make test', 'check: make check'],
    ],
    [
      'a target with a file of its name, which make would never run',
      { Makefile: 'test:\n\tx\n', 'test/data.txt': '' },
      ['tests: make -B test'],
    ],
    [
      'unless it is .PHONY',
      { Makefile: '.PHONY: \\\n  test\ntest:\n\tx\n', 'test/data.txt': '' },
      ['tests: make test'],
    ],
    ['variables and paths are no targets', { Makefile: 'test := 1\nbuild/x: y\n\tz\n' }, []],
    [
      'just',
      { justfile: 'test *ARGS:\n  x\nlint:\n  x\nbuild target:\n  x\n' },
      ['tests: just test', 'lint: just lint'],
    ],
    ['Task', { 'Taskfile.yml': "version: '3'\ntasks:\n  test: { cmds: [x] }\n" }, ['tests: task test']],
    [
      'only what the language does not show',
      { 'go.mod': 'module x', 'a_test.go': '', Makefile: 'test:\n\tx\ntypecheck:\n\tx\n' },
      ['tests: go test ./...', 'lint: go vet ./...', 'build: go build ./...', 'types: make typecheck'],
    ],
  ];
  it.each(cases)('%s', (_name, files, expected) => expect(bed.gates(files)).toEqual(expected));
});

describe('several at once', () => {
  it('keeps the gates of each language under names of their own', () => {
    expect(
      bed.gates({ 'package.json': json({ scripts: { test: 'x' } }), 'pytest.ini': '[pytest]', 'a.py': '' }),
    ).toEqual(['tests: npm test', 'python-tests: python -m pytest -q']);
  });
  it('looks into the parts of a root that has no tests', () => {
    expect(
      bed.gates({
        'web/package.json': json({ scripts: { test: 'vitest run', build: 'vite build' } }),
        'services/api/go.mod': 'module x',
        'services/api/a_test.go': '',
        'examples/x/package.json': json({ scripts: { test: 'x' } }),
      }),
    ).toEqual([
      'web-tests: cd web && npm test',
      'web-build: cd web && npm run build',
      'services.api-tests: cd services/api && go test ./...',
      'services.api-lint: cd services/api && go vet ./...',
      'services.api-build: cd services/api && go build ./...',
    ]);
  });
});

describe('projects without tests', () => {
  const cases: Case[] = [
    [
      'what is built, and that it is there',
      { 'package.json': json({ main: './dist/index.js', scripts: { build: 'tsc' } }) },
      ['build: npm run build', 'artifact: dist/index.js'],
    ],
    ['the syntax of a script', { 'package.json': '{}', 'index.js': '' }, ['syntax: node --check index.js']],
    [
      'the syntax of many scripts',
      { 'a.js': '', 'b.js': '', 'c.js': '', 'd.mjs': '' },
      [
        "syntax: find . \\( -name '*.js' -o -name '*.mjs' -o -name '*.cjs' \\) -not -path '*/node_modules/*' -not -path '*/.*/*' -print0 | xargs -0 -n1 node --check",
      ],
    ],
    ['the syntax of Python', { 'src/a.py': '', 'b.py': '' }, ['syntax: python -m compileall -q b.py src']],
    ['the syntax of shell scripts', { 'run.sh': '' }, ['syntax: bash -n run.sh']],
    ['a page', { 'index.html': '' }, ['artifact: index.html']],
    ['nothing', {}, []],
    ['words alone', { 'README.md': '' }, []],
  ];
  it.each(cases)('%s', (_name, files, expected) => expect(bed.gates(files)).toEqual(expected));

  it.each([
    ['package.json', '{}', /node --test/],
    ['go.mod', '', /_test\.go/],
    ['Cargo.toml', '', /#\[test\]/],
    ['app.py', '', /pytest/],
  ])('says how to get the first test: %s', (file, text, expected) => {
    bed.write({ [file]: text });
    expect(inspectProject(bed.root)).toMatchObject({
      tested: false,
      firstTest: expect.stringMatching(expected),
    });
  });
  it('has nothing to say where there are tests', () => {
    bed.write({ 'package.json': json({ scripts: { test: 'x' } }) });
    expect(inspectProject(bed.root)).toMatchObject({ tested: true, firstTest: null });
  });
});
