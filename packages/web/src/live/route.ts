import { useEffect, useState } from 'preact/hooks';

/** Which page is shown. It stands behind the `#`, so that the server knows one page only. */
export type Route =
  | { kind: 'runs' }
  | { kind: 'run'; workspace: string; run: string }
  | { kind: 'plans' }
  | { kind: 'plan'; workspace: string; plan: string }
  | { kind: 'inbox' };

export function parseRoute(hash: string): Route {
  const [page = '', workspace, id] = hash
    .replace(/^#?\/?/, '')
    .split('/')
    .map(decode);
  if (page === 'runs' && workspace && id) return { kind: 'run', workspace, run: id };
  if (page === 'plans' && workspace && id) return { kind: 'plan', workspace, plan: id };
  if (page === 'plans') return { kind: 'plans' };
  if (page === 'inbox') return { kind: 'inbox' };
  return { kind: 'runs' };
}

/** Whatever stands in the address was put there by anybody. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}

export const runHref = (workspace: string, run: string): string =>
  `#/runs/${encodeURIComponent(workspace)}/${encodeURIComponent(run)}`;
export const planHref = (workspace: string, plan: string): string =>
  `#/plans/${encodeURIComponent(workspace)}/${encodeURIComponent(plan)}`;

export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const turn = () => setHash(location.hash);
    addEventListener('hashchange', turn);
    return () => removeEventListener('hashchange', turn);
  }, []);
  return parseRoute(hash);
}
