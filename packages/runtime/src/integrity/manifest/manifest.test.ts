import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { type ManifestKind, mergedManifest } from './index.ts';
import { check } from '../testing.ts';

const json = (value: unknown): string => JSON.stringify(value);

const npm = {
  name: 'p',
  version: '1.0.0',
  type: 'module',
  scripts: { test: 'vitest run', build: 'tsc' },
  devDependencies: { vitest: '^3.0.0' },
};
const py =
  '[project]\nname = "p"\ndependencies = ["requests>=2"]\n[tool.pytest.ini_options]\naddopts = "-q"\n[tool.ruff]\nselect = ["E"]\n';
const rust =
  '[package]\nname = "p"\nversion = "0.1.0"\n[dependencies]\nserde = "1"\n[lints.rust]\nunused = "deny"\n';
const gem = "source 'https://rubygems.org'\ngem 'rspec', '~> 3.0'\n";
const gradle =
  "plugins { id 'java' }\ndependencies {\n  testImplementation 'junit:junit:4.13'\n}\ntest { useJUnitPlatform() }\n";
const pom =
  '<project>\n<dependencies>\n<dependency><groupId>a</groupId><artifactId>b</artifactId><version>1</version></dependency>\n</dependencies>\n<build><plugins/></build>\n</project>\n';
const goMod = 'module x\n\ngo 1.22\n\nrequire (\n\tgithub.com/a/b v1.0.0\n)\n';
const cfg =
  '[metadata]\nname = p\n[options]\ninstall_requires =\n    requests>=2\n[tool:pytest]\naddopts = -q\n';

describe('a manifest', () => {
  it.each<[string, string, string, string, string[]]>([
    ['a new version and name', 'package.json', json(npm), json({ ...npm, name: 'q', version: '2.0.0' }), []],
    [
      'a new script',
      'package.json',
      json(npm),
      json({ ...npm, scripts: { ...npm.scripts, dev: 'vite' } }),
      [],
    ],
    [
      'scripts for people beside those that judge',
      'package.json',
      json(npm),
      json({ ...npm, scripts: { ...npm.scripts, 'test:watch': 'vitest', 'lint:fix': 'eslint --fix .' } }),
      [],
    ],
    [
      'an added dependency',
      'package.json',
      json(npm),
      json({ ...npm, dependencies: { a: '^1.0.0' } }),
      ['a ^1.0.0 was added in package.json'],
    ],
    [
      'a changed and a removed dependency',
      'package.json',
      json({ ...npm, dependencies: { a: '1', b: '1' } }),
      json({ ...npm, dependencies: { a: '2' } }),
      ['a went from 1 to 2 in package.json', 'b was removed from package.json'],
    ],
    [
      'another order and form',
      'package.json',
      json(npm),
      JSON.stringify(Object.fromEntries(Object.entries(npm).reverse()), null, 4),
      [],
    ],
    [
      'a new package of a workspace',
      'package.json',
      json({ workspaces: ['a'] }),
      json({ workspaces: ['a', 'b'] }),
      [],
    ],
    [
      'an added requirement',
      'pyproject.toml',
      py,
      py.replace('["requests>=2"]', '["requests>=2", "rich"]'),
      ['rich  was added in pyproject.toml'],
    ],
    ['a comment in TOML', 'pyproject.toml', py, `# hello\n${py}`, []],
    [
      'an added crate',
      'Cargo.toml',
      rust,
      rust.replace('serde = "1"', 'serde = "1"\nrand = { version = "0.8", features = ["std"] }'),
      ['rand {"features":["std"],"version":"0.8"} was added in Cargo.toml'],
    ],
    [
      'an added gem',
      'Gemfile',
      gem,
      `${gem}gem 'rails', '~> 7.1'\n`,
      ["rails , '~> 7.1' was added in Gemfile"],
    ],
    [
      'an added artefact',
      'build.gradle',
      gradle,
      gradle.replace('dependencies {', "dependencies {\n  implementation 'a:b:1.0'"),
      ['a:b :1.0 was added in build.gradle'],
    ],
    [
      'an added dependency of Maven',
      'pom.xml',
      pom,
      pom.replace(
        '</dependencies>',
        '<dependency><groupId>c</groupId><artifactId>d</artifactId></dependency>\n</dependencies>',
      ),
      ['c:d  was added in pom.xml'],
    ],
    [
      'an added module of Go',
      'go.mod',
      goMod,
      goMod.replace(')', '\tgithub.com/c/d v1.2.3\n)'),
      ['github.com/c/d v1.2.3 was added in go.mod'],
    ],
    [
      'an added line of requirements',
      'requirements.txt',
      'a==1\n',
      'a==1\nb==2 # why\n',
      ['b ==2 was added in requirements.txt'],
    ],
    [
      'an added requirement in setup.cfg',
      'setup.cfg',
      cfg,
      cfg.replace('requests>=2', 'requests>=2\n    rich'),
      ['rich  was added in setup.cfg'],
    ],
  ])('may have %s', async (_name, path, base, now, dependencies) => {
    const checked = await check({ [path]: base }, { [path]: now });
    expect(checked.changed).toEqual([]);
    expect(checked.dependencies).toEqual(dependencies);
  });

  it.each<[string, string, string, string, string]>([
    [
      'another script',
      'package.json',
      json(npm),
      json({ ...npm, scripts: { ...npm.scripts, test: 'true' } }),
      'scripts.test: "vitest run" → "true"',
    ],
    [
      'a script that runs before one',
      'package.json',
      json(npm),
      json({ ...npm, scripts: { ...npm.scripts, pretest: 'x' } }),
      'scripts.pretest: nothing → "x"',
    ],
    [
      'a lost script',
      'package.json',
      json(npm),
      json({ ...npm, scripts: { build: 'tsc' } }),
      'scripts.test: "vitest run" → nothing',
    ],
    [
      'a new script that judges',
      'package.json',
      json({}),
      json({ scripts: { test: 'true' } }),
      'scripts.test: nothing → "true"',
    ],
    [
      'a script that another one calls by a pattern',
      'package.json',
      json({ scripts: { test: 'run-s test:*' } }),
      json({ scripts: { test: 'run-s test:*', 'test:watch': 'true' } }),
      'scripts.test:watch: nothing → "true"',
    ],
    [
      'a script that another one calls where it is there',
      'package.json',
      json({ scripts: { test: 'npm run lint:fix --if-present && x' } }),
      json({ scripts: { test: 'npm run lint:fix --if-present && x', 'lint:fix': 'y' } }),
      'scripts.lint:fix: nothing → "y"',
    ],
    [
      'a script before one for people',
      'package.json',
      json(npm),
      json({ ...npm, scripts: { ...npm.scripts, 'pretest:watch': 'x' } }),
      'scripts.pretest:watch: nothing → "x"',
    ],
    [
      'settings of a runner',
      'package.json',
      json(npm),
      json({ ...npm, jest: { testMatch: [] } }),
      'jest.testMatch: nothing → []',
    ],
    [
      'settings of an unknown tool',
      'package.json',
      json(npm),
      json({ ...npm, newtool: { a: 1 } }),
      'newtool.a: nothing → 1',
    ],
    [
      'overrides',
      'package.json',
      json(npm),
      json({ ...npm, overrides: { chai: 'npm:evil@1' } }),
      'overrides.chai: nothing → "npm:evil@1"',
    ],
    [
      'a runner from a folder',
      'package.json',
      json(npm),
      json({ ...npm, devDependencies: { vitest: 'file:./fake' } }),
      'devDependencies.vitest: "^3.0.0" → "file:./fake"',
    ],
    [
      'a runner under a false name',
      'package.json',
      json(npm),
      json({ ...npm, dependencies: { vitest: 'npm:evil@1' } }),
      'dependencies.vitest: nothing → "npm:evil@1"',
    ],
    [
      'a package that fell out of the workspace',
      'package.json',
      json({ workspaces: ['a', 'b'] }),
      json({ workspaces: ['a'] }),
      'workspaces: ["a","b"] → ["a"]',
    ],
    ['nonsense', 'package.json', json(npm), '{', 'it cannot be read'],
    [
      'options of pytest',
      'pyproject.toml',
      py,
      py.replace('-q', '-q --deselect a'),
      'tool.pytest.ini_options.addopts',
    ],
    [
      'options of pytest in dotted form',
      'pyproject.toml',
      py,
      `tool.coverage.run.omit = ["*"]\n${py}`,
      'tool.coverage.run.omit',
    ],
    [
      'options of pytest in quotes',
      'pyproject.toml',
      '',
      '["tool"."pytest".ini_options]\naddopts = "-x"\n',
      'tool.pytest.ini_options.addopts',
    ],
    [
      'a plug-in for pytest',
      'pyproject.toml',
      py,
      `${py}[project.entry-points.pytest11]\nx = "p.evil"\n`,
      'project.entry-points.pytest11.x',
    ],
    [
      'another source of a requirement',
      'pyproject.toml',
      py,
      py.replace('requests>=2', 'requests @ file:///tmp/x'),
      'project.dependencies',
    ],
    [
      'lints of Rust',
      'Cargo.toml',
      rust,
      rust.replace('deny', 'allow'),
      'lints.rust.unused: "deny" → "allow"',
    ],
    [
      'a patch of Rust',
      'Cargo.toml',
      rust,
      `${rust}[patch.crates-io]\nserde = { path = "x" }\n`,
      'patch.crates-io.serde',
    ],
    ['a library without tests', 'Cargo.toml', rust, `${rust}[lib]\ntest = false\n`, 'lib.test'],
    [
      'a crate from a folder',
      'Cargo.toml',
      rust,
      rust.replace('serde = "1"', 'serde = { path = "fake" }'),
      'dependencies.serde',
    ],
    ['code in a Gemfile', 'Gemfile', gem, `${gem}exit 0\n`, '+ exit 0'],
    [
      'a gem from a folder',
      'Gemfile',
      gem,
      gem.replace("'~> 3.0'", "path: 'fake'"),
      "+ gem 'rspec', path: 'fake'",
    ],
    [
      'tests switched off in Gradle',
      'build.gradle',
      gradle,
      gradle.replace('useJUnitPlatform()', 'enabled = false'),
      '+ test { enabled = false }',
    ],
    [
      'code among the dependencies of Gradle',
      'build.gradle',
      gradle,
      gradle.replace('dependencies {', 'dependencies {\n  project.test.enabled = false'),
      'project.test.enabled',
    ],
    [
      'tests switched off in Maven',
      'pom.xml',
      pom,
      pom.replace('<plugins/>', '<skipTests>true</skipTests>'),
      'skipTests',
    ],
    [
      'a replaced module of Go',
      'go.mod',
      goMod,
      `${goMod}replace github.com/a/b => ./fake\n`,
      '+ replace github.com/a/b => ./fake',
    ],
    [
      'another index of requirements',
      'requirements.txt',
      'a==1\n',
      '--index-url http://x\na==1\n',
      '+ --index-url http://x',
    ],
    ['options of pytest in setup.cfg', 'setup.cfg', cfg, cfg.replace('-q', '--co'), '+ addopts = --co'],
    [
      'overrides of pnpm',
      'pnpm-workspace.yaml',
      'packages: [a]\n',
      'packages: [a]\noverrides: {chai: "npm:x"}\n',
      'overrides.chai',
    ],
  ])('may not have %s', async (_name, path, base, now, said) => {
    const { changed } = await check({ [path]: base, 'src/a.ts': '' }, { [path]: now, 'src/a.ts': '' });
    expect(changed).toMatchObject([{ path, status: 'modified', what: 'config' }]);
    expect(changed[0]?.diff).toContain(said);
  });

  it('keeps what the agent added when its settings are put back', () => {
    const now = py.replace('-q', '--co').replace('"requests>=2"', '"requests>=2", "rich"');
    const merged = parse(mergedManifest(py, now, 'pyproject.toml'));
    expect(merged).toMatchObject({
      project: { dependencies: ['requests>=2', 'rich'] },
      tool: { pytest: { ini_options: { addopts: '-q' } }, ruff: { select: ['E'] } },
    });
  });

  it('puts back a dependency that was swapped, and no other', () => {
    const now = { ...npm, devDependencies: { vitest: 'file:./fake', chai: '^5.0.0' } };
    expect(JSON.parse(mergedManifest(json(npm), json(now), 'package.json'))).toMatchObject({
      devDependencies: { vitest: '^3.0.0', chai: '^5.0.0' },
    });
  });

  it.each<[ManifestKind, string, string]>([
    ['package.json', json(npm), '{'],
    ['Cargo.toml', rust, 'not = = toml'],
    ['Gemfile', gem, `${gem}exit 0\n`],
  ])('of kind %s is taken from the baseline where it cannot be shared', (kind, base, now) => {
    expect(mergedManifest(base, now, kind)).toBe(base);
  });

  it('is left as the agent wrote it where nothing has to be put back', () => {
    const now = '{\n\t"name": "q",\n\t"scripts": {"test": "vitest run"}\n}';
    expect(mergedManifest('{"name":"p","scripts":{"test":"vitest run"}}', now, 'package.json')).toBe(now);
  });

  it('is not fooled by keys that every object has', () => {
    const now = '{"__proto__":{"scripts":{"test":"true"}},"scripts":{"test":"vitest run","toString":"x"}}';
    const merged = mergedManifest('{"scripts":{"test":"vitest run"}}', now, 'package.json');
    expect(Object.keys(JSON.parse(merged))).toEqual(['scripts']);
  });
});
