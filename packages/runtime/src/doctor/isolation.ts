import { findProgram } from '../find-program.ts';
import { type Answer, ask } from './ask.ts';
import type { Remark } from './remark.ts';

/** What this system offers for shutting a program in. A run can do without. */
export async function lookAtIsolation(env: NodeJS.ProcessEnv): Promise<Remark> {
  if (process.platform !== 'linux') {
    return { about: 'isolation', mark: 'lacking', what: `nothing that we use on ${process.platform}` };
  }
  const bwrap = findProgram('bwrap', '/', env);
  const [namespaces, bubblewrap] = await Promise.all([
    tryOut(findProgram('unshare', '/', env), ['--user', '--map-root-user', 'true'], env),
    tryOut(bwrap, ['--ro-bind', '/', '/', 'true'], env),
  ]);
  const facts = { userNamespaces: namespaces, bubblewrap };
  const what = `user namespaces ${ofNamespaces[namespaces]}, bubblewrap ${ofBubblewrap[bubblewrap]}`;
  if (bubblewrap === 'works') return { about: 'isolation', mark: 'good', what, facts };
  const next =
    namespaces === 'refused'
      ? 'allow user namespaces (kernel.unprivileged_userns_clone, or the AppArmor rule for them)'
      : 'install bubblewrap, for programs that should be shut in';
  return { about: 'isolation', mark: 'lacking', what, next, facts };
}

type Outcome = 'works' | 'refused' | 'missing';

const ofNamespaces: Record<Outcome, string> = {
  works: 'work',
  refused: 'are refused',
  missing: 'were not tried without unshare',
};
const ofBubblewrap: Record<Outcome, string> = {
  works: 'works',
  refused: 'does not work',
  missing: 'is not installed',
};

async function tryOut(path: string | null, args: string[], env: NodeJS.ProcessEnv): Promise<Outcome> {
  if (path === null) return 'missing';
  return isFine(await ask([path, ...args], '/', env)) ? 'works' : 'refused';
}

const isFine = (answer: Answer): boolean => answer.kind === 'answered' && answer.code === 0;
