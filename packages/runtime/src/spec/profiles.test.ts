import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findSpecFile, type LoadOptions, loadSpec, type Override } from './load.ts';
import { listProfiles, profileFolders } from './profiles.ts';
import { readProfile } from './read-profile.ts';

let base: string;
let root: string;
let env: NodeJS.ProcessEnv;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'agentgate-profiles-')));
  root = join(base, 'project');
  env = { HOME: join(base, 'home') };
  mkdirSync(root);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const writeAt = (dir: string, files: Record<string, string>) => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
};
const project = (files: Record<string, string>) => writeAt(join(root, '.agentgate', 'profiles'), files);
const user = (files: Record<string, string>) =>
  writeAt(join(base, 'home', '.config', 'agentgate', 'profiles'), files);
const spec = (text: string) => writeAt(root, { 'agentgate.yaml': text });
const load = (flags: readonly Override[] = [], options: LoadOptions = {}) =>
  loadSpec(root, findSpecFile(root), flags, { env, ...options });
const problemsOf = async (options: LoadOptions = {}) => {
  const loaded = await load([], options);
  return loaded.kind === 'invalid'
    ? loaded.problems.map((one) => `${one.where} ${one.path} ${one.message}`.replaceAll(base, ''))
    : [];
};

const good = 'task: go\nagent: ["true"]\ngates: { t: npm test }\n';

describe('the order of sources', () => {
  it('is default, named profile, extended profiles, file, flags', async () => {
    user({
      'default.yaml':
        'feedback: { maxChars: 501 }\nlimits: { iterations: 1, tokens: 1, cost: 1, maxWait: 1m }\n',
    });
    project({
      'named.yaml': 'limits: { iterations: 2, tokens: 2, cost: 2, wallClock: 2m }\n',
      'extended.json': '{"limits": {"iterations": 3, "tokens": 3}}',
    });
    spec(`${good}extends: extended\nlimits: { iterations: 4 }\n`);
    const flags = [{ flag: '--x', path: ['strategy'], value: 'ralph' }];
    expect(await load(flags, { profile: 'named' })).toMatchObject({
      kind: 'loaded',
      source:
        'agentgate.yaml with profile ' +
        `${join(base, 'home/.config/agentgate/profiles/default.yaml')}, .agentgate/profiles/named.yaml, .agentgate/profiles/extended.json`,
      spec: {
        feedback: { maxChars: 501 },
        limits: { iterations: 4, tokens: 3, cost: 2, wallClock: 120_000, maxWait: 60_000 },
        strategy: { kind: 'ralph' },
      },
    });
  });
  it('lets later names of a list win, and lists replace lists', async () => {
    project({
      'a.yaml': 'strategy: { kind: ralph, max: 5, signals: [A, B] }\n',
      'b.yaml': 'strategy: { signals: [C] }\n',
    });
    spec(`${good}extends: [a, b]\n`);
    expect(await load()).toMatchObject({ spec: { strategy: { kind: 'ralph', max: 5, signals: ['C'] } } });
  });
  it('needs no file where profiles say everything', async () => {
    project({ 'all.yaml': good });
    expect(await load([], { profile: 'all' })).toMatchObject({ kind: 'loaded', spec: { task: 'go' } });
  });
  it('leaves the default profile aside when asked to', async () => {
    user({ 'default.yaml': 'strategy: fixed\n' });
    spec(good);
    expect(await load()).toMatchObject({ spec: { strategy: { kind: 'fixed' } } });
    expect(await load([], { alone: true })).toMatchObject({ spec: { strategy: { kind: 'hybrid' } } });
  });
  it('reads older names by the strategy they are laid upon', async () => {
    project({ 'r.yaml': 'mode: ralph\n' });
    spec(`${good}extends: r\nstrategy: { maxIterations: 4 }\n`);
    const loaded = await load([{ flag: '--set', path: ['strategy', 'maxIterations'], value: 6 }]);
    expect(loaded).toMatchObject({
      spec: { strategy: { kind: 'ralph', max: 6 } },
      notes: [
        { where: '.agentgate/profiles/r.yaml:1:1', message: 'mode is read as strategy' },
        { where: 'agentgate.yaml:5:13', message: 'strategy.maxIterations is read as max' },
        { where: '--set', message: 'strategy.maxIterations is read as max' },
      ],
    });
  });
});

describe('mistakes', () => {
  it('point at the source that made them', async () => {
    user({ 'default.yaml': 'limits: { iterations: none }\n' });
    project({ 'a.yaml': 'limits:\n  wallClock: 5\n' });
    spec(`${good}extends: a\nlimits: { cost: lots }\n`);
    expect(await problemsOf()).toEqual([
      expect.stringMatching(/^\.agentgate\/profiles\/a\.yaml:2:14 limits\.wallClock expected a duration/),
      expect.stringMatching(
        /^\/home\/\.config\/agentgate\/profiles\/default\.yaml:1:23 limits\.iterations expected a whole/,
      ),
      expect.stringMatching(/^agentgate\.yaml:5:17 limits\.cost expected an amount/),
    ]);
  });
  it.each<[string, Record<string, string>, string, LoadOptions, RegExp]>([
    [
      'a circle, with its names',
      { 'a.yaml': 'extends: b\n', 'b.yaml': 'extends: [c]\n', 'c.yaml': '\nextends: a\n' },
      'extends: a\n',
      {},
      /^\.agentgate\/profiles\/c\.yaml:2:10 extends profiles extend each other in a circle: a → b → c → a$/,
    ],
    [
      'a profile that extends itself',
      { 'a.yaml': 'extends: a\n' },
      'extends: a\n',
      {},
      /in a circle: a → a$/,
    ],
    [
      'more than ten in a row',
      Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`p${n}.yaml`, `extends: p${n + 1}\n`])),
      'extends: p0\n',
      {},
      /p9\.yaml:1:10 extends more than 10 profiles in a row: p0 → p1 .* → p10$/,
    ],
    [
      'an unknown profile, with the nearest',
      { 'strict.yaml': 'stuck: off\n' },
      'extends: [strct]\n',
      {},
      /^agentgate\.yaml:4:11 extends unknown profile "strct": did you mean "strict"\?$/,
    ],
    [
      'an unknown profile of a flag',
      { 'strict.yaml': 'stuck: off\n' },
      '',
      { profile: 'loose' },
      /^--profile {2}unknown profile "loose": expected one of strict$/,
    ],
    [
      'an extends that is no name',
      {},
      'extends: { a: 1 }\n',
      {},
      /^agentgate\.yaml:4:1 extends expected the name of a profile, or a list of names$/,
    ],
    [
      'a profile that is no YAML',
      { 'a.yaml': 'limits: "\n' },
      'extends: a\n',
      {},
      /^\.agentgate\/profiles\/a\.yaml:\d+:\d+ /,
    ],
    [
      'a profile that is a list',
      { 'a.yaml': '- x\n' },
      'extends: a\n',
      {},
      /a\.yaml:1:1 {2}expected options/,
    ],
  ])('%s', async (_name, profiles, text, options, expected) => {
    project(profiles);
    spec(good + text);
    expect((await problemsOf(options)).join('\n')).toMatch(expected);
  });
  it('reach ten in a row', async () => {
    project(Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`p${n}.yaml`, `extends: p${n + 1}\n`])));
    project({ 'p9.yaml': 'strategy: fixed\n' });
    spec(`${good}extends: p0\n`);
    expect(await load()).toMatchObject({ kind: 'loaded', spec: { strategy: { kind: 'fixed' } } });
  });
});

describe('profiles', () => {
  it('lie in the project and in the configuration of the user', () => {
    expect(profileFolders('/p', { HOME: '/h' })).toEqual({
      project: '/p/.agentgate/profiles',
      user: '/h/.config/agentgate/profiles',
    });
    expect(profileFolders('/p', { HOME: '/h', XDG_CONFIG_HOME: '/c' }).user).toBe('/c/agentgate/profiles');
    expect(profileFolders('/p', { HOME: '/h', AGENTGATE_CONFIG_DIR: '/own' }).user).toBe('/own/profiles');
    expect(profileFolders('/p', { HOME: '/h', XDG_CONFIG_HOME: 'relative' }).user).toMatch(/^\/h/);
  });
  it("are listed, the project's hiding the user's", () => {
    project({ 'ci.yaml': '', 'notes.txt': '' });
    user({ 'ci.json': '{}', 'default.ts': '' });
    expect(
      listProfiles(root, env).map(({ name, scope, hiddenBy }) => ({ name, scope, hidden: !!hiddenBy })),
    ).toEqual([
      { name: 'ci', scope: 'project', hidden: false },
      { name: 'ci', scope: 'user', hidden: true },
      { name: 'default', scope: 'user', hidden: false },
    ]);
  });
  it('of one name twice in one folder are refused', () => {
    project({ 'ci.yaml': '', 'ci.json': '{}' });
    expect(() => listProfiles(root, env)).toThrow(
      /ci\.json and ci\.yaml in .* are both profile ci; keep one/,
    );
  });
  it('are shown with everything they extend, and whence', async () => {
    project({
      'a.yaml': 'limits: { maxIterations: 3, cost: 5usd }\n',
      'b.yaml': 'extends: a\nlimits: { cost: 6usd }\n',
    });
    const read = await readProfile(root, 'b', env);
    expect(read).toMatchObject({
      kind: 'read',
      value: { limits: { iterations: 3, cost: '6usd' } },
      sources: ['.agentgate/profiles/a.yaml', '.agentgate/profiles/b.yaml'],
    });
    if (read.kind === 'invalid') return;
    expect(read.whereOf(['limits', 'iterations'])).toBe('.agentgate/profiles/a.yaml:1:26');
    expect(read.whereOf(['limits', 'cost'])).toBe('.agentgate/profiles/b.yaml:2:17');
  });
});
