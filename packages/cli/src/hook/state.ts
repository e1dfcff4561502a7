import { FaultError } from '@agentgate/core';
import { askCodexTrust, findProgram, type Remark } from '@agentgate/runtime';
import type { HostName } from '@agentgate/runtime/held';
import { findMissing } from './called.ts';
import { readIf } from './own-files.ts';
import { claudeHooksOff, findPlugin, geminiTrusts } from './plugins.ts';
import { type At, places } from './places.ts';
import { hasHooks } from './settings.ts';

/** For each agent that is here: whether our hooks are in its settings, and whether it will run them. */
export async function lookAtHooks(root: string, env: NodeJS.ProcessEnv): Promise<Remark[]> {
  const remarks: Remark[] = [];
  for (const name of Object.keys(places) as HostName[]) {
    const program = findProgram(places[name].program, root, env);
    if (program !== null)
      remarks.push(await lookAt(name, program, root, env).catch((error) => unreadable(name, error)));
  }
  return remarks;
}

/** Settings that the system keeps from us say nothing, and keep nobody from looking at the others. */
function unreadable(name: HostName, error: unknown): Remark {
  if (!(error instanceof FaultError)) throw error;
  const [what = '', next = ''] = error.fault.message.split('; ');
  return { about: `hook ${name}`, mark: 'lacking', what, next, facts: { files: [] } };
}

async function lookAt(
  name: HostName,
  program: string,
  root: string,
  env: NodeJS.ProcessEnv,
): Promise<Remark> {
  const about = `hook ${name}`;
  const { settings, files } = places[name];
  const install = `agentgate hook install --agent ${name}`;
  const at = (scope: At['scope']): At => ({ scope, root, env });
  const paths = (['user', 'project'] as const).flatMap((scope) => {
    const path = settings?.file(at(scope)) ?? files(at(scope), [])[0]?.path;
    return path === undefined ? [] : [path];
  });
  const there = paths.filter((path) => isThere(readIf(path), settings !== undefined));
  // Codex lists its hooks without saying of all whose they are.
  const isTold = name === 'codex' && there.length > 0;
  const plugin = isTold ? null : await findPlugin(name, { program, root, env });
  if (there.length === 0 && plugin === null)
    return { about, mark: 'lacking', what: 'not installed', next: install, facts: { files: [] } };
  const what = [...(there.length > 0 ? [`in ${there.join(' and ')}`] : []), plugin ?? []]
    .flat()
    .join(', and ');
  const off = name === 'claude' ? claudeHooksOff({ root, env }) : null;
  if (off !== null)
    return {
      about,
      mark: 'lacking',
      what: `${what}, but disableAllHooks in ${off} keeps Claude Code from calling them`,
      next: `take disableAllHooks out of ${off}`,
      facts: { files: there, plugin, off },
    };
  const texts = there.map((path) => readIf(path) ?? '');
  const missing = findMissing({ texts, hasPlugin: plugin !== null }, root, env);
  if (missing !== null)
    return {
      about,
      mark: 'lacking',
      what: `${what}, but it starts ${missing}, so that nothing is held`,
      next: plugin === null ? install : 'put agentgate on the PATH; an alias of the shell is not enough',
      facts: { files: there, plugin, missing },
    };
  const own = settings?.file(at('user'));
  // Hooks of the person, and the extension, run everywhere.
  if (name === 'gemini' && plugin === null && !there.includes(own ?? '') && !geminiTrusts({ root, env }))
    return {
      about,
      mark: 'lacking',
      what: `${what}, but Gemini CLI runs no hooks of a project in a folder that is not trusted, as this one`,
      next: 'start gemini here and trust the folder with /permissions, or agentgate hook install --agent gemini',
      facts: { files: there, plugin, trust: 'untrusted' },
    };
  if (name !== 'codex') return { about, mark: 'good', what, facts: { files: there, plugin } };
  const trust = await askCodexTrust(program, root, env);
  const facts = { files: there, trust };
  if (trust === 'trusted') return { about, mark: 'good', what: `${what}, trusted`, facts };
  const how =
    trust === 'untrusted' ? 'NOT trusted, so Codex skips them' : 'whether Codex trusts them is unknown';
  return {
    about,
    mark: 'lacking',
    what: `${what}, ${how}`,
    next: 'start codex, open /hooks and trust them',
    facts,
  };
}

function isThere(text: string | null, isSettings: boolean): boolean {
  if (text === null) return false;
  return isSettings ? hasHooks(text) : text.includes('agentgate');
}
