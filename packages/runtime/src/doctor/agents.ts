import { existsSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { type KnownAgent, knownAgents } from '../agents/known.ts';
import { findProgram } from '../find-program.ts';
import { ask } from './ask.ts';
import type { Remark } from './remark.ts';

/** Those that are asked after by name; the others are named together when they are not here. */
const main = new Set(['claude', 'codex', 'gemini', 'opencode']);

/** The coding agents of this machine: where, which version, and whether a login can be seen. */
export async function lookAtAgents(env: NodeJS.ProcessEnv): Promise<Remark[]> {
  const remarks = await Promise.all(
    knownAgents.map(async (agent) => ({ agent, remark: await lookAtAgent(agent, env) })),
  );
  const shown = remarks.filter(({ agent, remark }) => remark !== null || main.has(agent.program));
  const absent = remarks.filter((one) => !shown.includes(one)).map(({ agent }) => agent);
  return [
    ...shown.map(({ agent, remark }) => remark ?? missing(agent)),
    ...(absent.length > 0 ? [alsoMissing(absent)] : []),
  ];
}

async function lookAtAgent(agent: KnownAgent, env: NodeJS.ProcessEnv): Promise<Remark | null> {
  const path = findProgram(agent.program, '/', env);
  if (path === null) return null;
  const about = `agent ${agent.program}`;
  const login = loginOf(agent, env);
  // Asked outside the workspace: some agents leave files where they are started.
  const answer = await ask([path, '--version'], tmpdir(), { ...env, ...undisturbed });
  const facts = { path, login };
  if (answer.kind === 'silent' || answer.code !== 0) {
    const why = answer.kind === 'silent' ? answer.why : `--version ended with ${answer.code}`;
    return { about, mark: 'lacking', what: `${path}: ${why}`, next: `try ${agent.program} --version`, facts };
  }
  const version = /\d+\.\d+(?:[\w.+-]*\w)?/.exec(answer.output)?.[0] ?? 'of unknown version';
  const what = `${version} (${path})`;
  if (login === 'unseen') {
    const next = `start ${agent.program} once and log in, unless it keeps its login elsewhere`;
    return { about, mark: 'lacking', what: `${what}, no login was seen`, next, facts: { ...facts, version } };
  }
  const words = login === 'unknown' ? '' : login === 'file' ? ', logged in' : `, by ${login}`;
  return { about, mark: 'good', what: what + words, facts: { ...facts, version } };
}

/** Keeps an agent that is only asked for its version from looking for a newer one. */
const undisturbed = {
  DISABLE_AUTOUPDATER: '1',
  OPENCODE_DISABLE_AUTOUPDATE: '1',
  COPILOT_AUTO_UPDATE: 'false',
  GEMINI_CLI_NO_RELAUNCH: 'true',
};

/** `file`: a login has left its file. A name: the variable that stands for one. Nothing is read or shown. */
function loginOf({ login }: KnownAgent, env: NodeJS.ProcessEnv): string {
  const variable = login.variables.find((name) => (env[name] ?? '') !== '');
  if (variable) return variable;
  const files = login.files(env, env['HOME'] ?? homedir());
  if (files.length === 0) return 'unknown';
  return files.some((file) => existsSync(file)) ? 'file' : 'unseen';
}

function missing({ program, install }: KnownAgent): Remark {
  return {
    about: `agent ${program}`,
    mark: 'lacking',
    what: 'not installed',
    next: install,
    facts: { path: null },
  };
}

function alsoMissing(agents: readonly KnownAgent[]): Remark {
  const names = agents.map(({ program }) => program);
  return {
    about: 'other agents',
    mark: 'lacking',
    what: `not installed: ${names.join(', ')}`,
    next: 'any program that reads a prompt will do',
    facts: { missing: Object.fromEntries(agents.map(({ program, install }) => [program, install])) },
  };
}
