import { isHarmless } from './harmless.ts';

/** The environment of an agent: the caller's, without traces of whatever started us; its login and settings stay. */
export function agentEnvironment(
  base: NodeJS.ProcessEnv,
  extra: NodeJS.ProcessEnv = {},
): Record<string, string> {
  return makeEnvironment(base, extra, (name) => !isForeign(name));
}

/**
 * The environment of a gate: where programs, homes of tools and the words of a language are. Names are let in,
 * because nobody can list every name that holds a secret or loads code. `passed` lets in more of the caller's.
 */
export function gateEnvironment(
  base: NodeJS.ProcessEnv,
  extra: NodeJS.ProcessEnv = {},
  passed: readonly string[] = [],
): Record<string, string> {
  const own = new Set(passed);
  return makeEnvironment(
    base,
    extra,
    (name, value) => own.has(name) || (!isForeign(name) && isHarmless(name, value)),
  );
}

/** Variables of the caller that a gate does not get though a text names them, as one does that misses them. */
export function withheldNames(
  text: string,
  base: NodeJS.ProcessEnv,
  given: Record<string, string>,
): string[] {
  return Object.keys(base).filter(
    (name) => !Object.hasOwn(given, name) && !isForeign(name) && isTold(name) && hasWord(text, name),
  );
}

// A short word, or one without a part, stands in many outputs and means something else there.
const isTold = (name: string): boolean => /^[A-Z][A-Z0-9]*_[A-Z0-9_]+$/.test(name);

function hasWord(text: string, word: string): boolean {
  return new RegExp(`(?<!\\w)${word}(?!\\w)`).test(text);
}

function makeEnvironment(
  base: NodeJS.ProcessEnv,
  extra: NodeJS.ProcessEnv,
  isLetIn: (name: string, value: string) => boolean,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(base)) {
    if (value !== undefined && isLetIn(name, value)) environment[name] = value;
  }
  for (const [name, value] of Object.entries(extra)) {
    if (value !== undefined) environment[name] = value;
  }
  return environment;
}

// What an outer run, an outer test runner, an npm script or a git hook says about itself; a program
// that believes it works on the wrong repository or reports in the wrong format.
function isForeign(name: string): boolean {
  return (
    /^(AGENTGATE_|VITEST)/.test(name) ||
    name === 'NODE_TEST_CONTEXT' ||
    name === 'INIT_CWD' ||
    isOfNpm(name) ||
    GIT_REPOSITORY.has(name)
  );
}

// npm_config_* is also how people set a registry or a proxy, so of those only npm's own notes go.
function isOfNpm(name: string): boolean {
  if (!name.startsWith('npm_')) return false;
  return !name.startsWith('npm_config_') || NPM_NOTES.has(name.slice('npm_config_'.length));
}

const NPM_NOTES = new Set([
  'global_prefix',
  'globalconfig',
  'init_module',
  'local_prefix',
  // Set by `npm run --silent`: a gate that is told to be silent cannot say what it lacks.
  'loglevel',
  'node_gyp',
  'noproxy',
  'npm_version',
  'prefix',
  'user_agent',
]);

// The repository-local ones of `git rev-parse --local-env-vars`, without the configuration.
const GIT_REPOSITORY = new Set([
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_COMMON_DIR',
  'GIT_DIR',
  'GIT_GRAFT_FILE',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_INTERNAL_SUPER_PREFIX',
  'GIT_NAMESPACE',
  'GIT_NO_REPLACE_OBJECTS',
  'GIT_OBJECT_DIRECTORY',
  'GIT_PREFIX',
  'GIT_QUARANTINE_PATH',
  'GIT_REPLACE_REF_BASE',
  'GIT_SHALLOW_FILE',
  'GIT_WORK_TREE',
]);
