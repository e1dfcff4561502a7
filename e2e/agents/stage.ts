import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startModel } from '../model/server.ts';
import type { Call, Script } from '../model/script.ts';
import { type Ended, makePlace, type Place, start } from '../support/command.ts';
import { findProgram, type ProgramName } from './programs.ts';

/** A workspace with a real agent program whose model is scripted. Nothing leaves the loopback. */
export interface Stage {
  place: Place;
  calls: readonly Call[];
  /** agentgate as a user starts it. */
  agentgate(...args: string[]): Promise<Ended>;
  /** The environment in which the agent itself can be started. */
  env: Record<string, string>;
  close(): Promise<void>;
}

export async function setStage(
  name: ProgramName,
  script: Script,
  files: Record<string, string> = {},
): Promise<Stage> {
  const found = await findProgram(name);
  if (found.kind === 'absent') throw new Error(found.why);
  const place = makePlace(files);
  const model = await startModel(script, realpathSync(place.workspace));
  const base = dirname(place.workspace);
  const home = place.env['HOME']!;
  // One of them puts helpers beside its home, and not if that is a temporary place.
  mkdirSync(join(base, 'tmp'));
  const env = {
    ...place.env,
    ...quiet,
    TMPDIR: join(base, 'tmp'),
    PATH: `${found.bin}:${place.env['PATH']}`,
  };
  Object.assign(env, prepare[name](model.url, home));
  place.env = env;
  return {
    place,
    env,
    calls: model.calls,
    agentgate: (...args) => start(place, args).ended,
    async close() {
      await model.close();
      place.remove();
    },
  };
}

/** Programs look for news of themselves and tell home about their use; here nobody is to be reached. */
const quiet = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_ERROR_REPORTING: '1',
  OPENCODE_DISABLE_AUTOUPDATE: '1',
  OPENCODE_DISABLE_MODELS_FETCH: '1',
  OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
  npm_config_registry: 'http://127.0.0.1:9',
  npm_config_fetch_retries: '0',
};

/** Points each program at the scripted model: variables, and files in its home. */
const prepare: Record<ProgramName, (url: string, home: string) => Record<string, string>> = {
  claude: (url) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'scripted', CLAUDE_CODE_MAX_RETRIES: '1' }),
  codex(url, home) {
    put(
      join(home, '.codex', 'config.toml'),
      [
        'model = "gpt-5.5"',
        'model_provider = "scripted"',
        'check_for_update_on_startup = false',
        '[analytics]',
        'enabled = false',
        '[features]',
        'plugins = false',
        '[model_providers.scripted]',
        'name = "scripted"',
        `base_url = "${url}/v1"`,
        'env_key = "SCRIPTED_KEY"',
        'wire_api = "responses"',
        'request_max_retries = 1',
        'stream_max_retries = 1',
      ].join('\n'),
    );
    return { SCRIPTED_KEY: 'scripted' };
  },
  gemini(url, home) {
    const settings = {
      general: { enableAutoUpdate: false, maxAttempts: 2 },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      security: { auth: { selectedType: 'gemini-api-key' } },
      model: { name: 'gemini-2.5-flash', disableLoopDetection: true },
    };
    put(join(home, '.gemini', 'settings.json'), JSON.stringify(settings));
    return { GEMINI_API_KEY: 'scripted', GOOGLE_GEMINI_BASE_URL: url, GEMINI_MODEL: 'gemini-2.5-flash' };
  },
  opencode(url, home) {
    const config = {
      autoupdate: false,
      share: 'disabled',
      model: 'scripted/one',
      small_model: 'scripted/one',
      provider: {
        scripted: {
          npm: '@ai-sdk/openai-compatible',
          options: { baseURL: `${url}/v1`, apiKey: 'scripted' },
          models: { one: priced('one'), two: priced('two') },
        },
      },
    };
    put(join(home, '.config', 'opencode', 'opencode.json'), JSON.stringify(config));
    return {};
  },
  copilot: (url) => ({
    COPILOT_OFFLINE: 'true',
    COPILOT_AUTO_UPDATE: 'false',
    COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    COPILOT_PROVIDER_API_KEY: 'scripted',
    COPILOT_MODEL: 'scripted',
  }),
  qwen(url, home) {
    put(
      join(home, '.qwen', 'settings.json'),
      JSON.stringify({ security: { auth: { selectedType: 'openai' } } }),
    );
    return { OPENAI_API_KEY: 'scripted', OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'scripted' };
  },
};

const priced = (name: string) => ({
  name,
  tool_call: true,
  limit: { context: 200_000, output: 8_000 },
  cost: { input: 1, output: 2 },
});

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
