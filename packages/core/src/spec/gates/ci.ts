import * as z from 'zod';
import { Duration } from '../../quantity.ts';
import { oneOf, strict, text } from '../words.ts';
import { common } from './common.ts';

const names = z
  .union([text('a name'), z.array(text('a name'))], { error: () => 'a name or a list of names' })
  .transform((value) => (typeof value === 'string' ? [value] : value));

/** Each part stands in an address, where dots alone would lead elsewhere. */
const repository = text('owner/name, or the path of a project').refine(
  (value) =>
    value.includes('/') && value.split('/').every((part) => /^[\w.-]+$/.test(part) && !/^\.+$/.test(part)),
  { error: () => 'owner/name, or the path of a project' },
);

const ref = text('a commit or a branch').regex(/^(?!.*\.\.)[^\s~^:?*[\\\x00-\x1f]+$/, {
  error: () => 'a commit or a branch',
});

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

/** What the CI of a forge says of the commit that has the judged tree. */
export const CiGate = strict({
  kind: z.literal('ci'),
  /** Told by the remote of the repository, or by the API's address, where it is not named. */
  provider: oneOf('github', 'gitlab').optional(),
  repository: repository.optional(),
  /** A commit or a branch; without one the commit is found by the judged tree. */
  ref: ref.optional(),
  /** Names of checks, `*` stands for any part; all of them unless told. */
  checks: names.default([]),
  /** Workflows of GitHub, by their name or their file; all of them unless told. */
  workflow: names.default([]),
  apiUrl: apiUrl.optional(),
  token: token.optional(),
  /** The first pause between two looks; it grows to two minutes. */
  poll: Duration.default(15_000),
  ...common,
}).refine((gate) => gate.provider !== 'gitlab' || gate.workflow.length === 0, {
  path: ['workflow'],
  error: () => 'no workflow beside gitlab, which has none; name jobs with checks',
});

function isPrivateWay(value: string): boolean {
  const [, protocol, authority = ''] = /^(https?):\/\/([^/?#]*)/i.exec(value) ?? [];
  if (authority.includes('@')) return false;
  return (
    protocol?.toLowerCase() === 'https' || /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/i.test(authority)
  );
}
