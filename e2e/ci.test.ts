import { execFileSync } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { agentgate, makePlace, outcomeOf, type Place, said, start } from './support/command.ts';

const secret = 'tok-91bd77e0a4c2';
let place: Place;
let server: Server;
afterEach(() => {
  server.close();
  place.remove();
});

function git(...args: string[]): string {
  const who = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', '-c', 'init.defaultBranch=main'];
  return execFileSync('git', [...who, ...args], { cwd: place.workspace, env: place.env })
    .toString()
    .trim();
}

/** A GitHub on this machine: it knows the commits that were pushed, and how often each was asked about. */
async function openGithub(pushed: Set<string>): Promise<string> {
  const asked = new Map<string, number>();
  const check = { name: 'test', html_url: 'https://github.com/acme/widget/actions/runs/1', output: {} };
  const done = { status: 'completed', conclusion: 'success', completed_at: '2026-01-12T09:15:31Z' };
  const begun = { status: 'in_progress', conclusion: null, completed_at: null };
  server = createServer((request, response) => {
    const [, commit = '', what = ''] = /\/commits\/(\w+)\/([\w-]+)/.exec(request.url ?? '') ?? [];
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.headers.authorization !== `Bearer ${secret}`)
      return answer(401, { message: 'Bad credentials' });
    if (commit === '') return answer(200, { id: 1, sha: '0'.repeat(40) });
    if (!pushed.has(commit)) return answer(422, { message: `No commit found for SHA: ${commit}` });
    if (what === 'status') return answer(200, { state: 'pending', statuses: [], total_count: 0 });
    const times = (asked.get(commit) ?? 0) + 1;
    asked.set(commit, times);
    return answer(200, { total_count: 1, check_runs: [{ ...check, ...(times === 1 ? begun : done) }] });
  });
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('a run waits while its commit is not pushed and CI is not done, and converges when CI is green', async () => {
  const pushed = new Set<string>();
  const apiUrl = await openGithub(pushed);
  const gates = `{ tests: grep -q good work.txt, ci: { kind: ci, apiUrl: "${apiUrl}", poll: 1s } }`;
  place = makePlace({
    'work.txt': 'bad\n',
    'agentgate.yaml': `task: go\nagent: { run: [sh, ../agent.sh] }\ngates: ${gates}\n`,
    '../agent.sh': 'echo good > work.txt\n',
  });
  place.env['GITHUB_TOKEN'] = secret;
  git('init', '-q');
  git('remote', 'add', 'origin', 'https://github.com/acme/widget.git');
  git('add', '-A');
  git('commit', '-qm', 'before');

  const { child, ended } = start(place, ['run', '--json']);
  await said(child, 'no commit here has this tree');
  git('commit', '-qam', 'good work');
  await said(child, 'does not know commit');
  pushed.add(git('rev-parse', 'HEAD'));
  const done = await ended;

  expect(outcomeOf(done)).toMatchObject({ status: 'converged', code: 'goal.met', iterations: 1 });
  const events = done.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const verdicts = events.flatMap((one) =>
    one['kind'] === 'gate.judged' && one['gate'] === 'ci' && one['iteration'] === 1
      ? [(one['verdict'] as { kind: string }).kind]
      : [],
  );
  expect(verdicts.slice(-2)).toEqual(['pending', 'passed']);
  expect(events.filter((one) => one['kind'] === 'agent.started')).toHaveLength(1);
  const kept = readdirSync(place.state, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
  for (const text of [done.stdout, done.stderr, ...kept]) expect(text).not.toContain(secret);
});

it('a forge that does not let us in ends the run before the agent is paid', async () => {
  const apiUrl = await openGithub(new Set());
  place = makePlace({
    'agentgate.yaml': `task: go\nagent: ["true"]\ngates: { ci: { kind: ci, apiUrl: "${apiUrl}", repository: acme/widget } }\n`,
  });
  git('init', '-q');
  const ended = await agentgate(place, 'run', '--json');
  expect(ended.exit).toBe(4);
  expect(outcomeOf(ended)).toMatchObject({ status: 'error', code: 'error.gate', iterations: 0 });
  expect(outcomeOf(ended)['reason']).toContain('set GITHUB_TOKEN or GH_TOKEN');
});
