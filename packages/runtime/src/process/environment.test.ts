import { expect, test } from 'vitest';
import { agentEnvironment, gateEnvironment } from './environment.ts';

const outer = {
  PATH: '/bin',
  HOME: '/home/me',
  NODE_OPTIONS: '--max-old-space-size=4096',
  ANTHROPIC_API_KEY: 'key',
  GIT_AUTHOR_NAME: 'me',
  GIT_CONFIG_COUNT: '0',
  GIT_SSH_COMMAND: 'ssh -i key',
  npm_config_registry: 'https://registry.example',
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

test.each([
  { name: 'gate', make: gateEnvironment },
  { name: 'agent', make: agentEnvironment },
])('gives the $name what is ours and nothing of what started us', ({ make }) => {
  expect(make({ ...outer, ...foreign, UNSET: undefined })).toEqual(outer);
});

test('lets the caller add and replace', () => {
  const made = gateEnvironment(
    { PATH: '/bin', LANG: 'C' },
    { LANG: 'de', AGENTGATE_RUN_ID: 'inner', UNSET: undefined },
  );
  expect(made).toEqual({ PATH: '/bin', LANG: 'de', AGENTGATE_RUN_ID: 'inner' });
});
