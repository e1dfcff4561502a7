import { dirname, relative, resolve } from 'node:path';
import type { GateRequest } from '@agentgate/core';
import * as z from 'zod';
import { takeReport } from './report-file.ts';

const names = z.object({ fileNames: z.array(z.string()) });
/** Since 5.6 the list is at the top, before it was part of the program. */
const BuildInfo = z.union([names, z.object({ program: names }).transform((info) => info.program)]);

/** The files of the project that the TypeScript compiler looked at; undefined where it does not tell. */
export async function scopeIn(request: GateRequest): Promise<readonly string[] | undefined> {
  const { ownScope, root } = request;
  if (ownScope === undefined) return undefined;
  const file = await takeReport(request, ownScope);
  if (file.kind !== 'text') return undefined;
  const info = BuildInfo.safeParse(parsed(file.text));
  if (!info.success) return undefined;
  const paths = info.data.fileNames.map((name) => relative(root, resolve(dirname(ownScope), name)));
  return paths.filter((path) => !path.startsWith('..') && !/(?:^|\/)node_modules\//.test(path));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A file that broke off tells nothing.
    return null;
  }
}
