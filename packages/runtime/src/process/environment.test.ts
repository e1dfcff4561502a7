import { describe, expect, test } from 'vitest';
import { agentEnvironment, gateEnvironment, withheldNames } from './environment.ts';

const harmless = {
  PATH: '/bin',
  HOME: '/home/me',
  LC_ALL: 'C',
  NODE_ENV: 'test',
  NODE_OPTIONS: '--max-old-space-size=4096',
  GIT_AUTHOR_NAME: 'me',
  npm_config_registry: 'https://registry.example',
  CARGO_HOME: '/home/me/.cargo',
  GOPATH: '/home/me/go',
  VIRTUAL_ENV: '/home/ann/.venv',
  XDG_CACHE_HOME: '/home/me/.cache',
  JAVA_TOOL_OPTIONS: '-Dfile.encoding=UTF-8',
  HTTPS_PROXY: 'http://proxy.example:3128',
};

const ofTheUser = {
  ANTHROPIC_API_KEY: 'key',
  GIT_CONFIG_COUNT: '0',
  GIT_SSH_COMMAND: 'ssh -i key',
  DATABASE_URL: 'postgres://me:secret@db',
};

const foreign = {
  npm_config_loglevel: 'silent',
  AGENTGATE_PROCESS: 'outer',
  AGENTGATE_RUN_ID: 'outer',
  VITEST: 'true',
  VITEST_POOL_ID: '1',
  NODE_TEST_CONTEXT: 'child-v8',
  INIT_CWD: '/elsewhere',
  npm_lifecycle_event: 'test',
  npm_package_name: 'agentgate',
  npm_execpath: '/npm-cli.js',
  npm_config_local_prefix: '/elsewhere',
  npm_config_user_agent: 'npm/11',
  GIT_DIR: '/elsewhere/.git',
  GIT_WORK_TREE: '/elsewhere',
  GIT_INDEX_FILE: '/elsewhere/.git/index',
  GIT_PREFIX: 'sub/',
};

test('an agent gets what is ours and nothing of what started us', () => {
  const made = agentEnvironment({ ...harmless, ...ofTheUser, ...foreign, UNSET: undefined });
  expect(made).toEqual({ ...harmless, ...ofTheUser });
});

test('a gate gets only what is known to be harmless', () => {
  expect(gateEnvironment({ ...harmless, ...ofTheUser, ...foreign })).toEqual(harmless);
});

describe('a gate does not get', () => {
  test.each([
    ['what loads code into every shell', { BASH_ENV: 'x.sh', ENV: 'x.sh', PROMPT_COMMAND: 'x' }],
    [
      'what loads code into every program',
      { LD_PRELOAD: 'x.so', LD_AUDIT: 'x.so', DYLD_INSERT_LIBRARIES: 'x' },
    ],
    ['what loads code into Node', { NODE_OPTIONS: '--require ./x.js', NODE_PATH: '/x' }],
    ['the same in other words', { NODE_OPTIONS: '--max-old-space-size=1 --import=./x.js' }],
    ['the short form of it', { NODE_OPTIONS: '-r ./x.js' }],
    ['the same through npm', { npm_config_node_options: '--require ./x.js', npm_config_script_shell: './x' }],
    ['what loads code into Python', { PYTHONPATH: '.', PYTHONSTARTUP: 'x.py', PYTHONHOME: '/x' }],
    [
      'what loads code into Ruby and Perl',
      { RUBYOPT: '-r./x', RUBYLIB: '.', PERL5LIB: '.', PERL5OPT: '-Mx' },
    ],
    [
      'what loads code into Java and .NET',
      { JAVA_TOOL_OPTIONS: '-javaagent:x.jar', DOTNET_STARTUP_HOOKS: 'x' },
    ],
    ['what git would run', { GIT_SSH_COMMAND: 'x', GIT_EXTERNAL_DIFF: 'x', GIT_PAGER: 'x', GIT_EDITOR: 'x' }],
    [
      'a login to a registry',
      { npm_config__authToken: 't', CARGO_REGISTRY_TOKEN: 't', UV_PUBLISH_PASSWORD: 'p' },
    ],
    [
      'an address with a password in it',
      { PIP_INDEX_URL: 'https://me:secret@pypi.example', HTTP_PROXY: 'http://a:b@c' },
    ],
    [
      'keys of clouds, forges and models',
      { AWS_SECRET_ACCESS_KEY: 'k', GH_TOKEN: 't', OPENAI_API_KEY: 'k', GOOGLE_APPLICATION_CREDENTIALS: 'f' },
    ],
    [
      'the way to keepers of keys',
      { SSH_AUTH_SOCK: '/run/s', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/b', GPG_AGENT_INFO: 'x' },
    ],
  ])('%s', (_what, env) => {
    expect(gateEnvironment(env)).toEqual({});
  });
});

test('what a gate names is passed on, and what it sets is set', () => {
  const env = { PATH: '/bin', LANG: 'C', DATABASE_URL: 'postgres://me:secret@db', GH_TOKEN: 't' };
  const made = gateEnvironment(env, { LANG: 'de', AGENTGATE_RUN_ID: 'inner', UNSET: undefined }, [
    'DATABASE_URL',
  ]);
  expect(made).toEqual({
    PATH: '/bin',
    LANG: 'de',
    AGENTGATE_RUN_ID: 'inner',
    DATABASE_URL: env.DATABASE_URL,
  });
});

test('a variable that a failing gate asks for and does not get is known by name', () => {
  const env = { DATABASE_URL: 'x', OTHER_URL: 'y', EDITOR: 'vi', VITEST_POOL_ID: '1', MY_DATABASE_URL: 'z' };
  const text = 'Error: DATABASE_URL is not set; see VITEST_POOL_ID and the EDITOR';
  expect(withheldNames(text, env, {})).toEqual(['DATABASE_URL']);
  expect(withheldNames(text, env, { DATABASE_URL: 'x' })).toEqual([]);
});
