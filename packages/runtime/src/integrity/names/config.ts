import { words } from './word-list.ts';

const code = '{js,cjs,mjs,ts,cts,mts}';
const any = '{js,cjs,mjs,ts,cts,mts,json,jsonc,json5,yml,yaml,toml}';

/** Names of files that tell runners, linters, type checkers and build tools what to do. */
const names = new Set(
  words(`
    {vitest,vite,jest,karma,playwright,cypress,wdio,protractor,nightwatch,testcafe,ava,jasmine,web-test-runner,stryker,lint-staged,commitlint,knip,postcss,stylelint,prettier,eslint,oxlint,biome,rstest,rspack}.config.${any}
    {vitest,jest,playwright,mocha,test,tests}.setup.{js,cjs,mjs,ts,jsx,tsx} {vitest,jest}.{workspace,projects,preset,global-setup,globalsetup}.${any}
    karma.conf.${code} protractor.conf.${code} wdio.conf.${code} nightwatch.conf.${code} stryker.conf.${any} jasmine.json jest-preset.${any}
    cypress.json .eslintignore .prettierignore .stylelintignore .oxlintrc.json oxlint.json .oxfmtrc.json biome.json biome.jsonc .biome.json
    tslint.json .jshintrc .jshintignore .jscsrc .xo-config .standardrc .lintstagedrc .lintstagedrc.${any} .commitlintrc .commitlintrc.${any}
    .prettierrc .prettierrc.${any} .stylelintrc .stylelintrc.${any} .eslintrc .eslintrc.${any} .markdownlint.${any} .markdownlintignore .yamllint .yamllint.{yml,yaml}
    .editorconfig knip.json knip.jsonc .knip.json .dependency-cruiser.${code} .size-limit.json .bundlewatch.config.json .ls-lint.yml cspell.json .cspell.json
    angular.json nx.json turbo.json lerna.json rush.json .moon
    pytest.ini .pytest.ini pytest.toml .pytest.toml tox.ini .coveragerc mypy.ini .mypy.ini .flake8 .pylintrc pylintrc ruff.toml .ruff.toml pyrightconfig.json .pyre_configuration
    .isort.cfg .style.yapf .bandit noxfile.py .pycodestyle .pydocstyle ty.toml pyrefly.toml nose.cfg unittest.cfg .pre-commit-config.{yml,yaml} .pre-commit-hooks.yaml
    .golangci.{yml,yaml,toml,json} staticcheck.conf .revive.toml revive.toml
    clippy.toml .clippy.toml rustfmt.toml .rustfmt.toml deny.toml tarpaulin.toml .tarpaulin.toml nextest.toml bacon.toml
    .rubocop.yml .rubocop_todo.yml .standard.yml .reek.yml guardfile
    phpunit.xml phpunit.xml.dist phpunit.dist.xml phpstan.neon phpstan.neon.dist phpstan.dist.neon phpstan-baseline.neon phpstan-baseline.php psalm.xml psalm.xml.dist psalm-baseline.xml
    phpcs.xml phpcs.xml.dist .phpcs.xml .php-cs-fixer.php .php-cs-fixer.dist.php .php_cs pest.php infection.json infection.json5 rector.php codeception.yml behat.yml grumphp.yml
    testng.xml checkstyle.xml pmd.xml spotbugs.xml spotbugs-exclude.xml findbugs-exclude.xml detekt.yml detekt.yaml detekt-baseline.xml .scalafmt.conf .scalafix.conf errorprone.cfg
    settings.gradle settings.gradle.kts build.sbt
    coverlet.runsettings stylecop.json .globalconfig
    .formatter.exs .credo.exs analysis_options.yaml dart_test.yaml .swiftlint.yml .swiftformat .swift-format .clang-tidy .clang-format .cppcheck cmakepresets.json ctestconfig.cmake ctestcustom.cmake
    eslint-suppressions.json .betterer.results .betterer.ts mypy-baseline.txt .secrets.baseline .eslint-todo.json
    .codecov.yml codecov.yml codecov.yaml .coveralls.yml sonar-project.properties .codeclimate.yml .deepsource.toml .hadolint.yaml .shellcheckrc .semgrepignore .semgrep.yml
    lefthook.yml lefthook.yaml .lefthook.yml .overcommit.yml pnpm-workspace.yaml
  `),
);

const shapes =
  /^(?:tsconfig|jsconfig)(?:[.-][\w.-]+)?\.json$|^(?:vitest|jest|playwright|cypress|karma|eslint|mocha)\.[\w.-]*(?:config|conf|setup|workspace)\.[\w.]+$|^requirements[\w.-]*\.(?:txt|in)$|^constraints[\w.-]*\.txt$|\.ruleset$|^(?:checkstyle|pmd|detekt|spotbugs)[\w.-]*\.(?:xml|yml)$/;

/** Names of the files by which a project is judged: recipes that gates call, and our own spec. */
const recipes = new Set(
  words(`
    makefile makefile.{am,in} justfile .justfile taskfile.{yml,yaml} taskfile.dist.{yml,yaml} rakefile gulpfile.${code} gruntfile.${code} jakefile jakefile.js
    earthfile dagger.json magefile.go wscript dodo.py bakefile agentgate.{yaml,yml,json,ts}
  `),
);

export const isConfig = (name: string): boolean => names.has(name) || shapes.test(name);

export const isRecipe = (name: string): boolean => recipes.has(name) || name.endsWith('.mk');
