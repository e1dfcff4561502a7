import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The places of a home where keys, tokens, logins and histories lie. Toolchains and caches are none of them. */
export function secretPaths(home: string): string[] {
  return [...SECRETS.map((name) => join(home, name)), ...histories(home)];
}

const SECRETS = [
  // keys
  '.ssh',
  '.gnupg',
  '.password-store',
  '.pki',
  '.age',
  '.config/age',
  '.config/sops',
  '.vault-token',
  '.keychain',
  '.local/share/keyrings',
  '.local/share/kwalletd',
  '.kde/share/apps/kwallet',
  // clouds and clusters
  '.aws',
  '.azure',
  '.config/gcloud',
  '.config/doctl',
  '.config/hcloud',
  '.config/scw',
  '.config/linode-cli',
  '.oci',
  '.kube',
  '.docker',
  '.config/containers',
  '.config/helm',
  '.terraform.d/credentials.tfrc.json',
  '.terraformrc',
  '.config/fly',
  '.fly',
  '.netlify',
  '.config/netlify',
  '.vercel',
  '.local/share/com.vercel.cli',
  '.config/heroku',
  '.wrangler',
  '.config/.wrangler',
  '.config/rclone',
  '.s3cfg',
  '.boto',
  '.databrickscfg',
  '.snowflake',
  // registries and forges
  '.npmrc',
  '.yarnrc',
  '.yarnrc.yml',
  '.pypirc',
  '.netrc',
  '_netrc',
  '.git-credentials',
  '.config/git/credentials',
  '.config/gh',
  '.config/glab-cli',
  '.config/hub',
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.gem/credentials',
  '.local/share/gem/credentials',
  '.m2/settings.xml',
  '.m2/settings-security.xml',
  '.gradle/gradle.properties',
  '.composer/auth.json',
  '.config/composer/auth.json',
  '.nuget/NuGet',
  '.config/pip',
  '.pip',
  '.config/pypoetry/auth.toml',
  '.hex',
  '.sbt/credentials',
  '.ivy2/.credentials',
  '.bunfig.toml',
  '.huggingface',
  '.cache/huggingface/token',
  '.config/huggingface',
  '.kaggle',
  '.config/op',
  // databases
  '.pgpass',
  '.my.cnf',
  '.mylogin.cnf',
  // coding agents
  '.claude',
  '.claude.json',
  '.config/claude',
  '.config/anthropic',
  '.codex',
  '.gemini',
  '.config/opencode',
  '.local/share/opencode',
  '.local/state/opencode',
  '.config/github-copilot',
  '.copilot',
  '.aider.conf.yml',
  '.config/aider',
  '.config/goose',
  '.local/share/goose',
  '.cursor',
  '.config/Cursor',
  '.windsurf',
  '.codeium',
  '.continue',
  '.qwen',
  '.amp',
  '.config/amp',
  '.factory',
  '.config/openai',
  // browsers, mail, chat
  '.mozilla',
  '.config/google-chrome',
  '.config/chromium',
  '.config/BraveSoftware',
  '.config/microsoft-edge',
  '.config/vivaldi',
  '.config/opera',
  '.thunderbird',
  '.config/Slack',
  '.config/discord',
  '.config/Signal',
  '.config/Bitwarden',
  '.config/1Password',
  '.config/keepassxc',
  '.config/Code/User/globalStorage',
  '.vscode-server/data',
];

function histories(home: string): string[] {
  const names = namesIn(home).filter((name) =>
    /^\.(?:.*_history|histfile|lesshst|viminfo|env(?:\..*)?)$/.test(name),
  );
  return [
    ...names,
    '.local/share/fish/fish_history',
    '.local/share/atuin',
    '.config/fish/fish_variables',
  ].map((name) => join(home, name));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // A home that is missing or closed has nothing to hide from us.
    return [];
  }
}
