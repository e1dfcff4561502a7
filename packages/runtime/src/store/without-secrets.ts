import type { EventBody } from '@agentgate/core';
import { redactAll } from '../redact/index.ts';

/**
 * Nothing that others said is written down with a secret in it. The spec is what its owner wrote and what a later
 * resume needs, word for word.
 */
export function withoutSecrets(body: EventBody): EventBody {
  const clean = redactAll(body);
  return clean.kind === 'run.started' && body.kind === 'run.started' ? { ...clean, spec: body.spec } : clean;
}
