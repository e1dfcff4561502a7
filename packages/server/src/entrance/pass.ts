import { createHash, createHmac, randomBytes } from 'node:crypto';
import { sameSecret } from './token.ts';

/** What a browser is let in with: made from the token, so that it outlives the server and dies with the token. */
export interface Pass {
  /** The name of the cookie; cookies of one host are shared by all its ports, so each state has a name of its own. */
  cookie: string;
  make(nowMs: number): string;
  isValid(value: string, nowMs: number): boolean;
}

/** A browser that was not seen for so long needs a new link. */
export const passMs = 30 * 86_400_000;

export function makePass(token: string): Pass {
  const sign = (text: string) => createHmac('sha256', token).update(`pass:${text}`).digest('base64url');
  const name = createHash('sha256').update(`name:${token}`).digest('hex').slice(0, 8);
  return {
    cookie: `agentgate-${name}`,
    make(nowMs) {
      const text = `${nowMs + passMs}.${randomBytes(16).toString('base64url')}`;
      return `${text}.${sign(text)}`;
    },
    isValid(value, nowMs) {
      const [until = '', nonce = '', signature = ''] = value.split('.');
      return sameSecret(signature, sign(`${until}.${nonce}`)) && Number(until) > nowMs;
    },
  };
}
