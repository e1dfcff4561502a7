import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lookAtHooks } from './state.ts';

let [base, root, env] = ['', '', {} as NodeJS.ProcessEnv];
const write = (path: string, value: unknown) => {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  writeFileSync(join(base, path), typeof value === 'string' ? value : JSON.stringify(value));
};
const ours = { hooks: { AfterAgent: [{ hooks: [{ command: 'agentgate hook answer' }] }] } };
const gemini = async () =>
  (await lookAtHooks(root, env)).map(({ mark, what }) => [mark, /not trusted/.test(what)]);

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'agentgate-hooks-')));
  root = join(base, 'work', 'project');
  env = { HOME: join(base, 'home'), PATH: join(base, 'bin') };
  for (const name of ['gemini', 'agentgate']) {
    write(`bin/${name}`, '#!/bin/sh\n');
    chmodSync(join(base, 'bin', name), 0o755);
  }
  write('work/project/.gemini/settings.json', ours);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

describe('hooks of a project in Gemini CLI', () => {
  const trusts = (rules: Record<string, string>) => write('home/.gemini/trustedFolders.json', rules);
  it('are lacking where the folder is not trusted', async () => {
    expect(await gemini()).toEqual([['lacking', true]]);
    trusts({ [join(base, 'work')]: 'TRUST_FOLDER', [root]: 'DO_NOT_TRUST' });
    expect(await gemini()).toEqual([['lacking', true]]);
    trusts({ [join(base, 'elsewhere')]: 'TRUST_FOLDER' });
    expect(await gemini()).toEqual([['lacking', true]]);
  });
  it('are good where it is, by its own rule, by one above it, or because nobody asks', async () => {
    const good = [['good', false]];
    trusts({ [root]: 'TRUST_FOLDER' });
    expect(await gemini()).toEqual(good);
    trusts({ [join(base, 'work', 'other')]: 'TRUST_PARENT' });
    expect(await gemini()).toEqual(good);
    trusts({});
    env = { ...env, GEMINI_CLI_TRUST_WORKSPACE: 'true' };
    expect(await gemini()).toEqual(good);
    delete env['GEMINI_CLI_TRUST_WORKSPACE'];
    write('home/.gemini/settings.json', { security: { folderTrust: { enabled: false } } });
    expect(await gemini()).toEqual(good);
  });
  it('do not matter beside those of the person', async () => {
    write('home/.gemini/settings.json', ours);
    expect(await gemini()).toEqual([['good', false]]);
  });
});
