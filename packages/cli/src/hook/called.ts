import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { findProgram } from '@agentgate/runtime';
import { ourCommands } from './settings.ts';

/** The plugin starts us by our name, and is silent where that leads nowhere. */
const byName = 'agentgate hook answer';

/** What of the commands that a host starts for us is not there; a host says nothing of it, and nothing is held. */
export function findMissing(
  { texts, hasPlugin }: { texts: readonly string[]; hasPlugin: boolean },
  root: string,
  env: NodeJS.ProcessEnv,
): string | null {
  const commands = [...texts.flatMap(commandsIn), ...(hasPlugin ? [byName] : [])];
  return commands.map((one) => missingOf(one, root, env)).find((one) => one !== null) ?? null;
}

/** Those of a file of settings, or of our plugin for opencode. */
function commandsIn(text: string): string[] {
  const argv = /^const \[program, \.\.\.args\] = \[(.*)\];$/m.exec(text)?.[1];
  return argv === undefined ? ourCommands(text) : [argv.replaceAll(',', ' ')];
}

function missingOf(command: string, root: string, env: NodeJS.ProcessEnv): string | null {
  const [program = '', ...args] = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? '',
  );
  if (findProgram(program, root, env) === null)
    return isAbsolute(program) ? `${program}, which is not there` : `${program}, which is not on the PATH`;
  const file = args.find((one) => isAbsolute(one) && !existsSync(one));
  return file === undefined ? null : `${file}, which is not there`;
}
