import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What CI says of a commit: the contents of a file in it decide, or nothing is decided yet. */
export type Ci = (read: (path: string) => string, look: number) => { status: string; conclusion?: string };

export interface Pull {
  number: number;
  head: string;
  base: string;
  title: string;
  body: string;
  draft: boolean;
}

/** A forge on this machine that speaks GitHub's API and keeps real objects in a real repository. */
export interface TestForge {
  url: string;
  /** The repository behind it. */
  git(...args: string[]): string;
  pulls: readonly Pull[];
  /** Method and path of all that was asked. */
  asked: readonly string[];
  close(): Promise<void>;
}

type Body = Record<string, unknown>;

export async function openForge(ci: Ci = () => ({ status: 'queued' })): Promise<TestForge> {
  const dir = mkdtempSync(join(tmpdir(), 'agentgate-forge-'));
  const run = (args: readonly string[], input = '', env: Record<string, string> = {}): string =>
    execFileSync('git', args, {
      cwd: dir,
      input,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', ...env },
    }).trim();
  run(['init', '-q', '--bare', '-b', 'main']);
  const pulls: Pull[] = [];
  const asked: string[] = [];
  const looks = new Map<string, number>();

  const commitOf = (sha: string): object | null => {
    try {
      return {
        sha: run(['rev-parse', '--verify', '-q', `${sha}^{commit}`]),
        message: run(['log', '-1', '--format=%B', sha]),
        tree: { sha: run(['rev-parse', `${sha}^{tree}`]) },
        parents: run(['log', '-1', '--format=%P', sha])
          .split(' ')
          .filter(Boolean)
          .map((one) => ({ sha: one })),
      };
    } catch {
      return null;
    }
  };
  const shown = (pull: Pull): object => ({
    ...pull,
    node_id: `PR_${pull.number}`,
    html_url: `http://forge.test/acme/widget/pull/${pull.number}`,
  });
  const checksOf = (sha: string): object => {
    const look = (looks.get(sha) ?? 0) + 1;
    looks.set(sha, look);
    const { status, conclusion = null } = ci((path) => run(['show', `${sha}:${path}`]), look);
    const completed_at = status === 'completed' ? '2026-01-01T00:00:00Z' : null;
    const output = { title: null, summary: null };
    return {
      total_count: 1,
      check_runs: [
        { name: 'build', status, conclusion, completed_at, html_url: null, output, check_suite: { id: 1 } },
      ],
    };
  };

  const routes: [string, RegExp, (found: string[], body: Body, query: URLSearchParams) => object | null][] = [
    ['GET', /^$/, () => ({ default_branch: 'main' })],
    [
      'GET',
      /^\/git\/ref\/heads\/(.+)$/,
      ([branch]) => {
        const commit = commitOf(`refs/heads/${branch}`);
        return commit ? { object: commit } : null;
      },
    ],
    ['GET', /^\/(?:git\/)?commits\/([^/]+)$/, ([sha]) => commitOf(sha!)],
    ['GET', /^\/commits\/(\w+)\/check-runs$/, ([sha]) => checksOf(sha!)],
    ['GET', /^\/commits\/(\w+)\/status$/, () => ({ total_count: 0, statuses: [] })],
    [
      'POST',
      /^\/git\/blobs$/,
      (_found, { content }) => ({
        sha: execFileSync('git', ['hash-object', '-w', '--stdin'], {
          cwd: dir,
          input: Buffer.from(String(content), 'base64'),
          encoding: 'utf8',
        }).trim(),
      }),
    ],
    [
      'POST',
      /^\/git\/trees$/,
      (_found, { base_tree, tree }) => {
        const index = { GIT_INDEX_FILE: join(dir, 'index') };
        run(['read-tree', String(base_tree)], '', index);
        const rows = (tree as { path: string; mode: string; sha: string | null }[]).map(
          ({ path, mode, sha }) =>
            sha === null ? `0 ${'0'.repeat(40)}\t${path}` : `${mode} ${sha}\t${path}`,
        );
        run(['update-index', '--index-info'], `${rows.join('\n')}\n`, index);
        return { sha: run(['write-tree'], '', index) };
      },
    ],
    [
      'POST',
      /^\/git\/commits$/,
      (_found, { message, tree, parents, author }) => {
        const { name, email, date } = author as Record<string, string>;
        const env = {
          GIT_AUTHOR_NAME: name!,
          GIT_AUTHOR_EMAIL: email!,
          GIT_AUTHOR_DATE: date!,
          GIT_COMMITTER_NAME: name!,
          GIT_COMMITTER_EMAIL: email!,
          GIT_COMMITTER_DATE: date!,
        };
        const above = (parents as string[]).flatMap((one) => ['-p', one]);
        return { sha: run(['commit-tree', String(tree), ...above, '-F', '-'], String(message), env) };
      },
    ],
    [
      'POST',
      /^\/git\/refs$/,
      (_found, { ref, sha }) => {
        run(['update-ref', String(ref), String(sha), '0'.repeat(40)]);
        return { object: { sha } };
      },
    ],
    [
      'PATCH',
      /^\/git\/refs\/(heads\/.+)$/,
      ([ref], { sha }) => {
        run(['update-ref', `refs/${ref}`, String(sha)]);
        return { object: { sha } };
      },
    ],
    [
      'GET',
      /^\/pulls$/,
      (_found, _body, query) => pulls.filter(({ head }) => `acme:${head}` === query.get('head')).map(shown),
    ],
    [
      'POST',
      /^\/pulls$/,
      (_found, { head, base, title, body, draft }) => {
        const made = { number: pulls.length + 1, head, base, title, body, draft: draft === true } as Pull;
        pulls.push(made);
        return shown(made);
      },
    ],
    [
      'PATCH',
      /^\/pulls\/(\d+)$/,
      ([number], { title, body }) => {
        const pull = pulls[Number(number) - 1]!;
        Object.assign(pull, { title, body });
        return shown(pull);
      },
    ],
  ];

  const server = createServer(async (request, response) => {
    const { status, body } = await answer(request);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  async function answer(request: IncomingMessage): Promise<{ status: number; body: object }> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://forge');
    asked.push(`${request.method} ${pathname}`);
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = parts.length === 0 ? {} : (JSON.parse(Buffer.concat(parts).toString('utf8')) as Body);
    if (request.headers.authorization !== 'Bearer scripted')
      return { status: 401, body: { message: 'Bad credentials' } };
    if (pathname === '/graphql') {
      const id = (body['variables'] as { id: string }).id;
      pulls[Number(id.slice(3)) - 1]!.draft = false;
      return { status: 200, body: { data: {} } };
    }
    const path = pathname.replace(/^\/repos\/acme\/widget/, '');
    for (const [method, pattern, act] of routes) {
      const found = method === request.method ? pattern.exec(decodeURIComponent(path)) : null;
      const told = found && act(found.slice(1), body, searchParams);
      if (told) return { status: method === 'POST' ? 201 : 200, body: told };
    }
    return { status: 404, body: { message: 'Not Found' } };
  }
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    git: (...args) => run(args),
    pulls,
    asked,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      rmSync(dir, { recursive: true });
    },
  };
}
