import { resolve, dirname } from 'node:path';
import { FaultError, fault } from '@agentgate/core';
import { findSpecFile, loadSpec } from '@agentgate/runtime';
import type { KnownSpec } from './contract/index.ts';

/** A spec by which runs may be begun from the page, with the file it was read from. */
export interface TrustedSpec extends KnownSpec {
  file: string;
}

/**
 * Reads the specs that a person names when the server is started: `path` or `name=path`. Only these can be asked for
 * later, by their names; what a request says never becomes part of one.
 */
export async function readSpecs(
  wishes: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<TrustedSpec[]> {
  const specs: TrustedSpec[] = [];
  for (const wish of wishes) {
    const [, own, path = wish] = /^([\w.-]+)=(.+)$/.exec(wish) ?? [];
    const file = resolve(cwd, path);
    const root = dirname(file);
    const name = own ?? root.split('/').at(-1) ?? 'spec';
    if (specs.some((one) => one.name === name))
      throw new FaultError(
        fault('usage', `two specs are named "${name}"; give one of them another name: --spec name=${path}`),
      );
    specs.push({ name, root, file, ...(await readSpec(file, root, env)) });
  }
  return specs;
}

/** Refuses a spec that was changed since a person named it: whoever works in a workspace can write its files. */
export async function confirmSpec(known: TrustedSpec, env: NodeJS.ProcessEnv): Promise<void> {
  const { hash } = await readSpec(known.file, known.root, env);
  if (hash === known.hash) return;
  throw new FaultError(
    fault(
      'spec.changed',
      `the spec ${known.name} was changed since the server was started; look at it, then start the server again`,
    ),
  );
}

async function readSpec(file: string, root: string, env: NodeJS.ProcessEnv) {
  const loaded = await loadSpec(root, findSpecFile(root, file), [], { env });
  if (loaded.kind === 'invalid') {
    const why = loaded.problems.map(({ message }) => message).join('; ');
    throw new FaultError(fault('usage', `the spec ${file} cannot be used: ${why}`));
  }
  return { source: loaded.source, hash: loaded.hash, spec: loaded.spec };
}
