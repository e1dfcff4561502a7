import { dirname } from 'node:path';
import type { Edit } from './case.ts';

/** The shell script by which an agent does its work; it needs no file, so that it can run anywhere. */
export function agentScript({ edit = {}, script = '' }: { edit?: Edit; script?: string }): string {
  const lines = Object.entries(edit).map(([path, text]) => {
    if (text === null) return `rm -rf ${quote(path)}`;
    const encoded = Buffer.from(text).toString('base64');
    const write = `mkdir -p ${quote(dirname(path))}; rm -f ${quote(path)}; echo ${encoded} | base64 -d > ${quote(path)}`;
    // A fresh file, because the packages of the workspace share theirs with other cases; some are programs.
    return path.startsWith('node_modules/') ? `${write}; chmod +x ${quote(path)}` : write;
  });
  return [...lines, script, ':'].join('\n');
}

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
