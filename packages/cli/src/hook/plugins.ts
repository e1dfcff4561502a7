import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse } from 'jsonc-parser';
import { askCodexTrust } from '@agentgate/runtime';
import { type HostName, isWithin, realFolder } from '@agentgate/runtime/held';
import { readIf } from './own-files.ts';

/** Where an agent is looked at. */
interface Seen {
  program: string;
  root: string;
  env: NodeJS.ProcessEnv;
}

/** Our plugin directory as the agent itself keeps it, in the words of a person; null where it is not, or is off. */
export async function findPlugin(name: HostName, seen: Seen): Promise<string | null> {
  switch (name) {
    case 'claude':
      return inClaude(seen);
    case 'codex':
      return inCodex(seen);
    case 'gemini':
      return inGemini(seen);
    case 'copilot':
      return inCopilot(seen);
    default:
      return null;
  }
}

const homeOf = (env: NodeJS.ProcessEnv): string => env['HOME'] ?? homedir();

/** The settings of Claude Code, the nearest last. */
function claudeFiles({ root, env }: Pick<Seen, 'root' | 'env'>): string[] {
  const own = env['CLAUDE_CONFIG_DIR'] ?? join(homeOf(env), '.claude');
  const folders = [own, join(root, '.claude')];
  return [...folders.map((one) => join(one, 'settings.json')), join(root, '.claude/settings.local.json')];
}

/** The file in which Claude Code is told to run no hooks at all; null where it runs them. */
export function claudeHooksOff(seen: Pick<Seen, 'root' | 'env'>): string | null {
  const told = claudeFiles(seen).map((file) => ({ file, isOff: groupIn(readIf(file))['disableAllHooks'] }));
  const nearest = told.findLast(({ isOff }) => typeof isOff === 'boolean');
  return nearest?.isOff === true ? nearest.file : null;
}

/**
 * Whether Gemini CLI trusts this folder; in others it runs no hooks of the project. The longest of its rules counts, and
 * where it asks about no folder it trusts all.
 */
export function geminiTrusts({ root, env }: Pick<Seen, 'root' | 'env'>): boolean {
  const said = env['GEMINI_CLI_TRUST_WORKSPACE'];
  if (said === 'true' || said === 'false') return said === 'true';
  const own = join(homeOf(env), '.gemini');
  const { folderTrust } = groupAt(readIf(join(own, 'settings.json')), 'security');
  if (asGroup(folderTrust)['enabled'] === false) return true;
  const rules = env['GEMINI_CLI_TRUSTED_FOLDERS_PATH'] ?? join(own, 'trustedFolders.json');
  const fitting = Object.entries(groupIn(readIf(rules))).filter(([path, rule]) =>
    isWithin(realFolder(root), realFolder(rule === 'TRUST_PARENT' ? dirname(path) : path)),
  );
  const nearest = fitting.sort(([a], [b]) => b.length - a.length)[0];
  return nearest?.[1] === 'TRUST_FOLDER' || nearest?.[1] === 'TRUST_PARENT';
}

/** The nearer settings overrule the farther ones, also by switching it off. */
function inClaude(seen: Seen): string | null {
  let on: string | null = null;
  for (const file of claudeFiles(seen)) {
    const told = switchIn(file);
    if (told !== undefined) on = told;
  }
  return on;
}

const inCopilot = ({ env }: Seen): string | null =>
  switchIn(join(env['COPILOT_HOME'] ?? join(homeOf(env), '.copilot'), 'settings.json')) ?? null;

/** Where the plugin is switched on; null where it is switched off, undefined where nothing is said of it. */
function switchIn(file: string): string | null | undefined {
  const switches = Object.entries(groupAt(readIf(file), 'enabledPlugins'));
  const found = switches.findLast(([plugin]) => plugin.startsWith('agentgate@'));
  return found && (found[1] === true ? `as the plugin ${found[0]}, in ${file}` : null);
}

/** It lists the hooks of its plugins itself. */
async function inCodex({ program, root, env }: Seen): Promise<string | null> {
  const trust = await askCodexTrust(program, root, env);
  return trust === 'trusted' || trust === 'untrusted' ? 'as a plugin' : null;
}

function inGemini({ env }: Seen): string | null {
  const folder = join(homeOf(env), '.gemini', 'extensions');
  const own = join(folder, 'agentgate');
  if (readIf(join(own, 'gemini-extension.json')) === null) return null;
  const { overrides } = groupAt(readIf(join(folder, 'extension-enablement.json')), 'agentgate');
  const isOff = Array.isArray(overrides) && overrides.some((one) => String(one).startsWith('!'));
  return `as the extension in ${own}${isOff ? ', switched off in some folders' : ''}`;
}

const groupAt = (text: string | null, name: string): Record<string, unknown> => asGroup(groupIn(text)[name]);

const groupIn = (text: string | null): Record<string, unknown> => asGroup(text === null ? {} : parse(text));

const asGroup = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
