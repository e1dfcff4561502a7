import * as z from 'zod';
import { oneOf, text } from './words.ts';

/** Each part stands in an address, where dots alone would lead elsewhere. */
const repository = text('owner/name, or the path of a project').refine(
  (value) =>
    value.includes('/') && value.split('/').every((part) => /^[\w.-]+$/.test(part) && !/^\.+$/.test(part)),
  { error: () => 'owner/name, or the path of a project' },
);

/** A token is sent there, so the way must be closed to others; on this machine alone it is. */
const apiUrl = z
  .url({ protocol: /^https?$/, error: () => 'an https address' })
  .refine((value) => isPrivateWay(value), {
    error: () => 'an https address without a name or a password in it',
  });

/** The name of a variable and never a token itself: a spec is read by many. */
const token = z
  .string({ error: () => 'the name of an environment variable' })
  .regex(/^(?!gh[a-z]_|github_pat_|glpat-)[A-Za-z_]\w{0,99}$/, {
    error: () => 'the name of an environment variable, and not the token',
  });

/** Which forge is meant, where the remote of the repository does not tell it. */
export const forge = {
  /** Told by the remote of the repository, or by the API's address, where it is not named. */
  provider: oneOf('github', 'gitlab').optional(),
  repository: repository.optional(),
  apiUrl: apiUrl.optional(),
  token: token.optional(),
};

function isPrivateWay(value: string): boolean {
  const [, protocol, authority = ''] = /^(https?):\/\/([^/?#]*)/i.exec(value) ?? [];
  if (authority.includes('@')) return false;
  return (
    protocol?.toLowerCase() === 'https' || /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/i.test(authority)
  );
}
