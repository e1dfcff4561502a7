import { findProgram } from '../find-program.ts';
import { trySandbox } from '../sandbox/index.ts';
import { ask } from './ask.ts';
import type { Remark } from './remark.ts';

/** Whether agents and gates can be shut in here. A run can do without, and says then what it could not prove. */
export async function lookAtIsolation(env: NodeJS.ProcessEnv): Promise<Remark> {
  if (process.platform !== 'linux') {
    return { about: 'isolation', mark: 'lacking', what: `nothing that we use on ${process.platform}` };
  }
  const [userNamespaces, sandbox] = await Promise.all([tryNamespaces(env), trySandbox(env)]);
  const isMissing = findProgram('bwrap', '/', env) === null;
  const bubblewrap = sandbox.kind === 'bwrap' ? 'works' : isMissing ? 'missing' : 'refused';
  const facts = {
    userNamespaces,
    bubblewrap,
    ...(sandbox.kind === 'bwrap' ? { version: sandbox.version } : {}),
  };
  const namespaces = `user namespaces ${ofNamespaces[userNamespaces]}`;
  if (sandbox.kind === 'bwrap') {
    const what = `${namespaces}, bubblewrap works: agents and gates can be shut in`;
    return { about: 'isolation', mark: 'good', what, facts };
  }
  const next = isMissing
    ? 'install bubblewrap, so that gates are shut in; without it a run says what it could not prove'
    : 'allow user namespaces (kernel.unprivileged_userns_clone, or the AppArmor rule for bwrap)';
  return { about: 'isolation', mark: 'lacking', what: `${namespaces}, ${sandbox.why}`, next, facts };
}

type Outcome = 'works' | 'refused' | 'missing';

const ofNamespaces: Record<Outcome, string> = {
  works: 'work',
  refused: 'are refused',
  missing: 'were not tried without unshare',
};

async function tryNamespaces(env: NodeJS.ProcessEnv): Promise<Outcome> {
  const unshare = findProgram('unshare', '/', env);
  if (unshare === null) return 'missing';
  const answer = await ask([unshare, '--user', '--map-root-user', 'true'], '/', env);
  return answer.kind === 'answered' && answer.code === 0 ? 'works' : 'refused';
}
