import { describe, expect, it } from 'vitest';
import { inspectProject } from '../inspect.ts';
import { type Files, json, makeBed } from '../testing.ts';
import { kindOf } from './kind.ts';
import { isThere } from './same.ts';

const bed = makeBed();
const ci = '.github/workflows/ci.yml';

/** A workflow that a push starts, with one job of these steps. */
const workflow = (...steps: string[]): string =>
  `on: [push]\njobs:\n  main:\n    runs-on: ubuntu-latest\n    steps:\n${steps
    .map((step) => `      - ${step}\n`)
    .join('')}`;

describe('what continuous integration runs', () => {
  const cases: [string, Files, string[]][] = [
    [
      'becomes gates where the project shows none, lint as advice',
      { [ci]: workflow('run: ./run-tests.sh --test', 'run: ./tools/lint.sh', 'run: ./build all') },
      ['tests: ./run-tests.sh --test', 'lint (soft): ./tools/lint.sh', 'build: ./build all'],
    ],
    [
      'is left out where it is there already, however it is started',
      {
        'package.json': json({ scripts: { test: 'vitest run', lint: 'eslint .' } }),
        [ci]: workflow(
          'run: npm ci',
          'run: npm run test',
          'run: npx vitest run --coverage',
          'run: npm run lint',
          'run: npx eslint src',
        ),
      },
      ['tests: npm test', 'lint: npm run lint'],
    ],
    [
      'is added under its own name where it is more',
      {
        'package.json': json({ scripts: { test: 'vitest run', 'test:e2e': 'playwright test' } }),
        [ci]: workflow('run: npm test', 'run: npm run test:e2e'),
      },
      ['tests: npm test', 'test:e2e: npm run test:e2e'],
    ],
    [
      'is the same tool in Python too',
      {
        'pytest.ini': '[pytest]',
        [ci]: workflow('run: pip install -r requirements.txt', 'run: pytest --cov', 'run: mypy src'),
      },
      ['tests: python -m pytest -q', 'types: mypy src'],
    ],
    [
      'is taken line by line, without what installs, tells or sends',
      {
        [ci]: workflow(
          'run: |\n          set -eux\n          # first\n          pip install -e . && pytest\n          echo done\n          twine upload dist/*\n',
        ),
      },
      ['tests: pytest'],
    ],
    [
      'runs where it runs there',
      { [ci]: workflow('{ run: npm test, working-directory: ./web }') },
      ['tests: cd web && npm test'],
    ],
    [
      'is a wrapper of make that is not needed',
      { 'go.mod': '', 'a_test.go': '', [ci]: workflow('run: make test') },
      ['tests: go test ./...', 'lint: go vet ./...', 'build: go build ./...'],
    ],
    [
      'is advice where its failure is allowed',
      { [ci]: workflow('{ run: pytest, continue-on-error: true }') },
      ['tests (soft): pytest'],
    ],
    [
      'is read from GitLab too',
      {
        '.gitlab-ci.yml':
          'stages: [test]\n.hidden: { script: [pytest] }\nunit: { script: ["pip install .", "pytest -x"] }\nship: { stage: deploy, script: [make build] }\nmanual: { when: manual, script: [make lint] }\n',
      },
      ['tests: pytest -x'],
    ],
  ];
  it.each(cases)('%s', (_name, files, expected) => expect(bed.gates(files)).toEqual(expected));

  it('names the file and the job', () => {
    bed.write({ [ci]: workflow('run: pytest') });
    expect(inspectProject(bed.root).gates[0]?.because).toBe('.github/workflows/ci.yml, job main');
  });
});

describe('what is not taken from a workflow', () => {
  const cases: [string, string][] = [
    ['an expression', workflow('run: pytest ${{ matrix.dir }}')],
    ['a variable', workflow('run: pytest $DIR')],
    ['a secret in its environment', workflow('{ run: pytest, env: { TOKEN: "${{ secrets.TOKEN }}" } }')],
    ['a condition', workflow('{ run: pytest, if: "failure()" }')],
    ['another shell', workflow('{ run: pytest, shell: pwsh }')],
    ['a pipe', workflow('run: pytest | tee log')],
    ['a place outside the project', workflow('{ run: pytest, working-directory: ../other }')],
    ['a program of several lines', workflow('run: |\n          cd web\n          pytest\n')],
    [
      'a job that needs services',
      workflow('run: pytest').replace('runs-on', 'services: { db: {} }\n    runs-on'),
    ],
    ['a job that deploys', workflow('run: make build').replace('main:', 'deploy-site:')],
    ['a job on another system', workflow('run: pytest').replace('ubuntu', 'windows')],
    [
      'a workflow that a release starts',
      workflow('run: pytest').replace('on: [push]', 'on: { release: {} }'),
    ],
    ['text that is no YAML', 'on: [push\njobs: }'],
    ['a list', '- on: push'],
    ['a flood of aliases', `a: &a [x]\n${'b: &b [*a,*a,*a,*a,*a,*a]\n'.repeat(3)}`],
  ];
  it.each(cases)('%s', (_name, text) => expect(bed.gates({ [ci]: text })).toEqual([]));
});

describe('the kind of a command', () => {
  it.each([
    ['npm run test:ci', 'tests'],
    ['cargo build --release', 'build'],
    ['cargo clippy --all-targets', 'lint'],
    ['cargo fmt --check', 'lint'],
    ['biome ci .', 'lint'],
    ['npx tsc -b', 'types'],
    ['poetry run mypy src', 'types'],
    ['./gradlew assemble', 'build'],
    ['CI=1 npx playwright test', 'tests'],
    ['npx playwright install', null],
    ['npm ci', null],
    ['cargo fmt', null],
    ['black .', null],
    ['eslint --fix .', null],
    ['npm run format', null],
    ['npm run deploy:test', null],
    ['docker build .', null],
    ['npm run start', null],
    ['vitest --watch', null],
    ['echo test', null],
  ] as const)('%s: %s', (command, kind) => expect(kindOf(command)).toBe(kind));
});

describe('the same tool', () => {
  const scripts = {
    test: 'vitest run',
    ci: 'npm run lint && npm test',
    lint: 'eslint .',
    e2e: 'playwright test',
  };
  it.each([
    ['npx vitest', ['npm test'], true],
    ['pnpm exec vitest run', ['pnpm test'], true],
    ['npm run ci', ['npm test', 'npm run lint'], true],
    ['yarn lint', ['npx --no-install eslint .'], true],
    ['npm run e2e', ['npm test'], false],
    ['ruff format --check .', ['ruff check .'], false],
    ['go vet ./...', ['go test ./...'], false],
    ['.venv/bin/python -m pytest', ['uv run pytest -q'], true],
    ['./gradlew test', ['gradle test'], true],
  ])('%s beside %j: %s', (command, there, same) => expect(isThere(command, there, scripts)).toBe(same));
});
