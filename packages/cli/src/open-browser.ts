import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { findProgram, makeFolder } from '@agentgate/runtime';

/**
 * Opens a link in the browser of this desktop. The link lets its first user in, and the arguments of a program can be
 * read by everybody on the machine, so the browser is given a file that only its owner can read. Answers whether there
 * is a program to open it with.
 */
export function openBrowser(link: string, folder: string, env: NodeJS.ProcessEnv): boolean {
  const program = findProgram(env['BROWSER'] ?? (process.platform === 'darwin' ? 'open' : 'xdg-open'), '/');
  if (program === null) return false;
  makeFolder(folder, 0o700);
  const file = join(folder, `open-${randomBytes(6).toString('hex')}.html`);
  writeFileSync(
    file,
    `<!doctype html><meta http-equiv="refresh" content="0;url=${link}"><a href="${link}">Go on</a>\n`,
    {
      mode: 0o600,
    },
  );
  const remove = () => rmSync(file, { force: true });
  process.once('exit', remove);
  setTimeout(remove, keptMs).unref();
  // The browser is the person's own: it becomes no process below this one, which may have to end all of those.
  spawn('/bin/sh', ['-c', '"$0" "$1" >/dev/null 2>&1 &', program, file], {
    stdio: 'ignore',
    detached: true,
    env,
  }).unref();
  return true;
}

/** A browser that has to be started first takes its time. */
const keptMs = 60_000;
