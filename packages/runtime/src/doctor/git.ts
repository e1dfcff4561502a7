import { findProgram } from '../find-program.ts';
import { ask } from './ask.ts';
import type { Remark } from './remark.ts';

/** The oldest git that the snapshots are tested with. */
const least = [2, 34] as const;

/** Git itself, and whether it will work in this directory for those who use it there. */
export async function lookAtGit(root: string, env: NodeJS.ProcessEnv): Promise<Remark> {
  const path = findProgram('git', root, env);
  const install = 'install git 2.34 or newer';
  if (path === null) return { about: 'git', mark: 'bad', what: 'git is not on the PATH', next: install };
  const answer = await ask([path, '--version'], '/', env);
  const version = answer.kind === 'answered' ? (/\d+\.\d+[\w.]*/.exec(answer.output)?.[0] ?? null) : null;
  const facts = { path, version };
  if (version === null) {
    const why = answer.kind === 'silent' ? answer.why : 'it does not say its version';
    return { about: 'git', mark: 'bad', what: `${path} does not work: ${why}`, next: install, facts };
  }
  if (isOlder(version))
    return { about: 'git', mark: 'bad', what: `${version} is too old`, next: install, facts };
  return (
    (await ownership(root, env, { path, version })) ?? { about: 'git', mark: 'good', what: version, facts }
  );
}

function isOlder(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < least[0] || (major === least[0] && minor < least[1]);
}

/** Snapshots do not mind whose directory it is, but the agent's git and the gates' git refuse to work in it. */
async function ownership(
  root: string,
  env: NodeJS.ProcessEnv,
  facts: { path: string; version: string },
): Promise<Remark | null> {
  const quiet = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'];
  const argv: [string, ...string[]] = [facts.path, ...quiet, 'rev-parse', '--show-toplevel'];
  const answer = await ask(argv, root, { ...env, LC_ALL: 'C' });
  if (answer.kind !== 'answered' || !answer.output.includes('dubious ownership')) return null;
  const place = /in repository at '(.+)'/.exec(answer.output)?.[1] ?? root;
  return {
    about: 'git',
    mark: 'lacking',
    what: `${facts.version}, but ${place} belongs to somebody else, so git refuses to work in it`,
    next: `git config --global --add safe.directory '${place}'`,
    facts: { ...facts, dubious: place },
  };
}
