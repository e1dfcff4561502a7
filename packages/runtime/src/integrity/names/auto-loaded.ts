import { words } from './word-list.ts';

const script = '{js,cjs,mjs,ts,cts,mts,json,jsonc,yml,yaml}';

/** Names that some program reads or runs without being told to. */
const names = new Set(
  words(`
    sitecustomize.py usercustomize.py conftest.py pdbrc .pdbrc .pythonrc pythonstartup.py pyvenv.cfg
    .npmrc .yarnrc .yarnrc.yml .pnpmrc .pnpmfile.cjs pnpmfile.js npm-shrinkwrap.json .noderc .node-options
    .nycrc .nycrc.{json,yml,yaml} nyc.config.${script} .c8rc .c8rc.json .swcrc .babelrc .babelrc.${script} babel.config.${script}
    .mocharc .mocharc.${script} .taprc .tapsrc .avarc ava.config.${script} .nvmrc .node-version .tool-versions .mise.toml mise.toml
    .python-version .ruby-version .go-version .java-version .terraform-version .sdkmanrc
    rust-toolchain rust-toolchain.toml build.rs bunfig.toml deno.json deno.jsonc
    .gitattributes .gitmodules .gitignore .gitconfig .lfsconfig
    .envrc .direnvrc .bashrc .bash_profile .profile .zshrc .zshenv .inputrc .editorrc .curlrc .wgetrc .netrc
    gnumakefile setuptests.{js,jsx,ts,tsx}
    junit-platform.properties .jvmopts .jvm.config maven.config init.gradle gradle.properties lombok.config
    directory.build.props directory.build.targets directory.build.rsp directory.packages.props nuget.config
    xunit.runner.json .runsettings
    .user.ini php.ini .rspec .rspec-local .pryrc .irbrc .simplecov .bundle .gemrc
    .pnp.cjs .pnp.js .pnp.loader.mjs go.work
  `),
);

/** The name of a test program where its language looks first: found before the program itself. */
const shadows =
  /^(?:src\/|lib\/|tests?\/)?(?:_pytest|pytest|unittest|nose2?|pluggy|hypothesis|doctest|mypy|ruff|flake8|pylint|xdist)(?:\.py$|\/)|^(?:src\/|lib\/|tests?\/)?coverage(?:\.py$|\/.*\.(?:py|pyc|pyd|so)$)|(?:^|\/)lib\/(?:minitest|rspec|test-unit)(?:\.rb$|\/)/;

const inside =
  /(?:^|\/)(?:node_modules|__mocks__|\.husky|\.git-hooks|\.githooks|\.mvn|\.cargo|\.bundle|\.yarn\/(?:plugins|releases|patches|versions)|\.venv|venv|\.pnp|\.direnv|site-packages)\/|(?:^|\/)patches\/[^/]+\.(?:patch|diff)$|(?:^|\/)(?:META-INF\/services\/|gradle\/wrapper\/)|\.(?:egg|dist)-info\/entry_points\.txt$|(?:^|\/)vendor\/(?:modules\.txt$|bundle\/|autoload\.php$|bin\/)/i;

const shapes = /\.pth$|^\.env(?:\.(?!example$|sample$|template$|dist$|defaults$).*)?$|\.runsettings$/;

/** Python takes these from wherever its tests lie, so that even data may not hold one. */
const anywhere = new Set(['conftest.py', 'sitecustomize.py', 'usercustomize.py']);

/** Whether a path is taken in by a program of itself. Names are compared without regard to case. */
export function isAutoLoaded(path: string, name: string): boolean {
  return names.has(name) || shapes.test(name) || inside.test(path) || shadows.test(path) || isGitName(path);
}

export function isAutoLoadedAnywhere(name: string): boolean {
  return anywhere.has(name) || name.endsWith('.pth');
}

/** `.git` in one of the spellings that some file system takes for it. */
function isGitName(path: string): boolean {
  return path.split('/').some((part) => {
    const plain = part
      .replaceAll(/[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, '')
      .replace(/[. ]+$/, '');
    return plain === '.git' || plain === 'git~1';
  });
}
