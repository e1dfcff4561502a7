import { words } from './word-list.ts';

const locks = new Set(
  words(`
    package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb deno.lock
    poetry.lock uv.lock pdm.lock pipfile.lock conda-lock.yml pixi.lock pylock.toml
    cargo.lock go.sum go.work.sum gemfile.lock gems.locked composer.lock packages.lock.json paket.lock
    gradle.lockfile buildscript-gradle.lockfile verification-metadata.xml mix.lock pubspec.lock package.resolved podfile.lock cartfile.resolved
    flake.lock stack.yaml.lock cabal.project.freeze build.sbt.lock vcpkg-lock.json conan.lock
  `),
);

const ciNames = new Set(
  words(`
    .gitlab-ci.{yml,yaml} .travis.{yml,yaml} appveyor.{yml,yaml} .appveyor.yml azure-pipelines.{yml,yaml} bitbucket-pipelines.{yml,yaml}
    jenkinsfile .drone.{yml,yaml,jsonnet} .woodpecker.{yml,yaml} cloudbuild.{yml,yaml} buildspec.{yml,yaml} wercker.yml codeship-steps.yml .cirrus.{yml,yaml,star} circle.yml
    .semaphore.yml codefresh.yml
  `),
);

const ciFolders =
  /^(?:\.github\/(?:workflows|actions|scripts)\/|\.circleci\/|\.buildkite\/|\.gitlab\/|\.azure-pipelines\/|\.teamcity\/|\.drone\/|\.woodpecker\/|\.semaphore\/|\.forgejo\/|\.gitea\/|ci\/|\.ci\/)/;

/** Copies of other people's packages, which are pinned by being there. */
const vendored = /(?:^|\/)(?:vendor\/(?!bundle\/)|\.yarn\/cache\/)/;

const caches =
  /(?:^|\/)(?:__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.hypothesis|\.turbo|\.vite|\.parcel-cache|\.jest-cache|\.nx\/cache|\.angular\/cache|\.gradle|\.nyc_output)\/|\.(?:py[co]|tsbuildinfo)$|(?:^|\/)\.(?:eslintcache|stylelintcache|prettiercache)$/i;

export const isLock = (path: string, name: string): boolean => locks.has(name) || vendored.test(path);

/** What tools leave behind to be quicker the next time: no work of anybody's, and nothing to be judged by. */
export const isCache = (path: string): boolean => caches.test(path);

export const isCi = (path: string, name: string): boolean => ciNames.has(name) || ciFolders.test(path);
