import { envWithoutGit, QUIET, runGit, safeEnv } from '../workspace/git.ts';
import { isText, toText } from '../workspace/path.ts';
import type { Reader } from '../workspace/reader.ts';
import type { Repository } from '../workspace/repository.ts';
import type { File } from '../workspace/tree.ts';
import type { Source } from './target.ts';

/** Gives each file the form in which the user's repository stores it; null where only a program of theirs could. */
export type Clean = (path: string, file: File) => Promise<File | null>;

const asked = ['text', 'eol', 'crlf', 'ident', 'working-tree-encoding', 'filter'];

/**
 * Snapshots hold the bytes of the disk; a repository may store other ones: line ends, `$Id$`, encodings. Git itself
 * converts those. A filter is a program of the user's, and we do not run it.
 */
export async function makeClean(
  source: Source,
  repository: Repository,
  reader: Reader,
  paths: readonly string[],
): Promise<Clean> {
  const attributes = await readAttributes(repository, paths);
  const filters = await readFilters(repository, attributes);
  const autocrlf = await readSetting(repository, 'core.autocrlf');
  const converts = (path: string) => {
    const own = attributes.get(path) ?? {};
    const text = own['text'] ?? own['crlf'];
    if (own['ident'] === 'set' || isValue(own['working-tree-encoding'])) return 'always';
    if (text === 'unset') return 'never';
    return text !== undefined || isValue(own['eol']) || /^(?:true|input)$/.test(autocrlf)
      ? 'line ends'
      : 'never';
  };
  return async (path, file) => {
    if (filters.has(attributes.get(path)?.['filter'] ?? '')) return null;
    const how = file.mode === '120000' || !isText(path) ? 'never' : converts(path);
    if (how === 'never') return file;
    const body = (await reader.read(file.oid))?.body;
    if (body === undefined || (how === 'line ends' && !body.includes('\r\n'))) return file;
    return { ...file, oid: await store(source, repository, autocrlf, path, body) };
  };
}

type Attributes = Record<string, string>;

async function readAttributes(
  { gitDir, top }: Repository,
  paths: readonly string[],
): Promise<Map<string, Attributes>> {
  if (paths.length === 0) return new Map();
  const listing = await runGit({
    args: [...QUIET, 'check-attr', '-z', '--stdin', ...asked],
    cwd: top,
    env: safeEnv(gitDir, top),
    input: Buffer.from(paths.map((path) => `${path}\0`).join(''), 'latin1'),
  });
  const found = new Map<string, Attributes>();
  const fields = listing.toString('latin1').split('\0');
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [path, name, value] = fields.slice(at, at + 3) as [string, string, string];
    if (value !== 'unspecified') found.set(path, { ...found.get(path), [name]: value });
  }
  return found;
}

const isValue = (value: string | undefined): boolean =>
  value !== undefined && value !== 'unset' && value !== 'set';

/** The filters that these paths name and that have a program. */
async function readFilters(
  repository: Repository,
  attributes: ReadonlyMap<string, Attributes>,
): Promise<Set<string>> {
  const names = new Set([...attributes.values()].flatMap(({ filter }) => (isValue(filter) ? [filter!] : [])));
  const programs = await Promise.all(
    [...names].map(async (name) => {
      const clean = await readSetting(repository, `filter.${name}.clean`);
      return clean === '' ? await readSetting(repository, `filter.${name}.process`) : clean;
    }),
  );
  return new Set([...names].filter((_, at) => programs[at] !== ''));
}

/** A setting of the user's, wherever it is made. Reading one runs nothing. */
export async function readSetting({ gitDir, top }: Repository, name: string): Promise<string> {
  const env = { ...envWithoutGit((key) => key.startsWith('GIT_CONFIG')), GIT_DIR: gitDir };
  const value = await runGit({ args: ['config', '--get', name], cwd: top, env, answers: [0, 1, 2, 128] });
  return value.toString('utf8').replace(/\n$/, '');
}

async function store(
  source: Source,
  repository: Repository,
  autocrlf: string,
  path: string,
  body: Buffer,
): Promise<string> {
  const setting = autocrlf === '' ? [] : ['-c', `core.autocrlf=${autocrlf}`];
  const oid = await runGit({
    args: [
      ...QUIET,
      ...setting,
      '-c',
      'core.safecrlf=false',
      'hash-object',
      '-w',
      '--stdin',
      '--path',
      toText(path),
    ],
    cwd: repository.top,
    env: {
      ...safeEnv(repository.gitDir, repository.top),
      // Read with the user's rules, kept in our own store.
      GIT_OBJECT_DIRECTORY: `${source.gitDir}/objects`,
    },
    input: body,
  });
  return oid.toString('utf8').trim();
}
