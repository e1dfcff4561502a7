import { describe, expect, it } from 'vitest';
import { isProtected } from './index.ts';
import { noRules, told } from './testing.ts';

const kinds: Record<string, string> = {
  test: `src/a.test.ts src/a.spec.jsx src/a-test.mjs test/a.js tests/helper.py src/__tests__/a.js e2e/login.ts cypress/e2e/a.cy.ts
    tests/test_a.py pkg/test_a.py pkg/a_test.py tests.py pkg/a_test.go tests/it.rs src/tests.rs spec/a_spec.rb spec/support/db.rb test/test_helper.rb
    src/test/java/FooTest.java src/FooIT.java src/TestFoo.kt src/FooSpec.scala tests/FooTest.php App.Tests/Foo.cs src/FooTests.cs test/a_test.dart test/a_test.exs
    test/a.bats t/01-basic.t features/login.feature src/fooSpec.js`,
  fixture: `test/fixtures/a.json tests/fixtures/proj/package.json src/__fixtures__/a.ts pkg/testdata/a.txt spec/cassettes/a.yml test/golden/a.out`,
  snapshot: `src/__snapshots__/a.test.ts.snap src/snapshots/a.snap tests/a.golden tests/__snapshots__/a.ambr src/A.verified.txt`,
  gate: `Makefile sub/Makefile rules.mk justfile Taskfile.yml Rakefile agentgate.yaml gulpfile.js`,
  config: `vitest.config.ts vite.config.mts jest.config.js jest.setup.ts karma.conf.js playwright.config.ts cypress.config.ts .eslintrc.json eslint.config.mjs
    .prettierrc biome.json .oxlintrc.json tsconfig.json tsconfig.build.json packages/a/tsconfig.json pytest.ini pyproject.toml setup.cfg tox.ini .coveragerc mypy.ini
    ruff.toml .flake8 pyrightconfig.json .golangci.yml clippy.toml rustfmt.toml Cargo.toml .rubocop.yml phpunit.xml phpstan.neon package.json composer.json
    build.gradle pom.xml App.csproj go.mod Gemfile requirements.txt requirements-dev.txt codecov.yml lefthook.yml`,
  lock: `package-lock.json yarn.lock pnpm-lock.yaml bun.lockb poetry.lock uv.lock Cargo.lock go.sum Gemfile.lock composer.lock`,
  ci: `.github/workflows/ci.yml .gitlab-ci.yml .circleci/config.yml Jenkinsfile azure-pipelines.yml .buildkite/pipeline.yml`,
  'auto-loaded': `sitecustomize.py tests/fixtures/conftest.py usercustomize.py conftest.py sub/conftest.py a.pth .npmrc .yarnrc.yml .env .env.local .nycrc .swcrc babel.config.js
    .babelrc .mocharc.yml .c8rc.json .node-version .tool-versions bunfig.toml deno.json patches/vitest+3.0.0.patch .husky/pre-commit .gitattributes .gitignore
    src/__mocks__/fs.js node_modules/.bin/vitest sub/node_modules/x/index.js pytest.py src/_pytest/runner.py unittest/__init__.py .rspec build.rs .cargo/config.toml
    rust-toolchain.toml GNUmakefile src/setupTests.ts .mvn/jvm.config Directory.Build.props src/test/resources/META-INF/services/org.junit.x npm-shrinkwrap.json
    .GIT/hooks/pre-commit sub/.Git/config shop.egg-info/entry_points.txt x-1.dist-info/entry_points.txt git~1/x go.work`,
};

describe('a path is protected', () => {
  it.each(
    Object.entries(kinds).flatMap(([kind, paths]) =>
      paths
        .trim()
        .split(/\s+/)
        .map((path) => [kind, path]),
    ),
  )('as %s: %s', (kind, path) => {
    expect(isProtected(path!, noRules)).toBe(kind);
  });

  it('whatever the case of its letters', () => {
    expect(isProtected('SiteCustomize.py', noRules)).toBe('auto-loaded');
    expect(isProtected('VITEST.CONFIG.TS', noRules)).toBe('config');
    expect(isProtected('Tests/A.js', noRules)).toBe('test');
  });

  it.each(
    `src/a.ts README.md docs/guide.md src/testing.ts src/latest.ts src/contest.py src/attest.go src/Manifest.java src/Testimonial.kt src/Unit.kt src/spec/parse.ts
    src/spec.ts src/coverage.tsx coverage/lcov-report/index.html coverage/prettify.js app/insurance/coverage.py src/pipeline/ruff_tips.py lib/index.js index.html src/environment.ts .env.example src/lock.ts src/main.rs
    locales/en/global.json data/project.json app/tasks.py src/ci.ts src/mocks.ts public/logo.png CHANGELOG.md src/protest.rs inspect.py shop.egg-info/PKG-INFO`
      .trim()
      .split(/\s+/),
  )('not at all when it is the work: %s', (path) => {
    expect(isProtected(path, noRules)).toBeNull();
  });

  it('when a person says so, and free when they say that', () => {
    const rules = { ...noRules, protect: ['schema', 'docs/**/*.md'], unprotect: ['tests/data/**', '.env'] };
    expect(isProtected('schema/a.json', rules)).toBe('declared');
    expect(isProtected('docs/api/x.md', rules)).toBe('declared');
    expect(isProtected('tests/data/a.json', rules)).toBeNull();
    expect(isProtected('.env', rules)).toBeNull();
    expect(isProtected('tests/a.py', rules)).toBe('test');
  });

  it('when a gate is made of it', () => {
    expect(isProtected('tools/check.py', { ...noRules, gateFiles: ['tools/check.py'] })).toBe('gate');
  });

  it('without stumbling over strange names', async () => {
    const odd = [
      'a\nb.test.ts',
      'ünï/çödé.py',
      '',
      '/',
      '..',
      '\u0000',
      'a'.repeat(5_000),
      ':(top)x',
      '*[a]?',
    ];
    for (const path of odd) isProtected(path, { ...noRules, protect: ['**/*.sql'] });
    expect(await told({ 'te\nst/a.js': 'a' }, { 'te\nst/a.js': 'b', 'x/\u202e.ts': 'let a: any' })).toEqual([
      'type-escape x/\u202e.ts 0 → 1',
    ]);
  });

  it('fast enough to ask about every file of a large workspace', () => {
    const from = performance.now();
    for (let i = 0; i < 50_000; i++)
      isProtected(`packages/p${i % 100}/src/folder${i % 7}/file${i}.ts`, noRules);
    expect(performance.now() - from).toBeLessThan(3_000);
  });
});
