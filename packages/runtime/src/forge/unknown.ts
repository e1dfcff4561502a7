import * as z from 'zod';
import type { Refusal } from './refusal.ts';
import { type Api, get } from './client.ts';

/** A commit that is not found may be one that nobody pushed, in a repository that is there. */
export async function unknownOrDenied(
  api: Api,
  home: string,
  repository: string,
): Promise<{ kind: 'unknown' } | Refusal> {
  const got = await get(api, home, z.object({}));
  if (got.kind === 'page') return { kind: 'unknown' };
  if (got.kind !== 'missing') return got;
  return { kind: 'denied', why: `${repository} is not there, or not for us to see; ${api.advice}` };
}
