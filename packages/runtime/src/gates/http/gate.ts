import type { GateSpec } from '@agentgate/core';

export type HttpGate = Extract<GateSpec, { kind: 'http' }> & { name: string };

/** The request as people read it, without a password that stands in the address. */
export function sayRequest({ method, url }: HttpGate): string {
  const shown = new URL(url);
  shown.username = '';
  shown.password = '';
  return `${method} ${shown.href}`;
}

/** The body as it is sent: a text as it stands, anything else as JSON. */
export const bodyOf = ({ body }: HttpGate): string | undefined =>
  body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
