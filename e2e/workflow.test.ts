import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makePlace, type Place } from './support/command.ts';

interface Step {
  name?: string;
  id?: string;
  if?: string;
  run?: string;
  env?: Record<string, string>;
}

const bin = fileURLToPath(new URL('../packages/cli/bin/agentgate.cjs', import.meta.url));
const file = new URL('../docs/examples/github-workflow.yaml', import.meta.url);
const { jobs } = parse(readFileSync(file, 'utf8')) as {
  jobs: { step: { steps: Step[]; env: Record<string, string> } };
};

let place: Place;
let base: string;
beforeEach(() => {
  place = makePlace();
  base = dirname(place.workspace);
  mkdirSync(join(base, 'bin'));
  mkdirSync(join(base, 'state'));
  // The forge of this test: it knows one pull request, its labels and what was said about it.
  program(
    'gh',
    `case "$1 $2" in
  "pr list") [ -e "$FORGE/agentgate" ] && echo 7; true;;
  "pr comment") cat "$5" >> "$FORGE/said";;
  "pr edit") case "$4" in --remove-label) rm "$FORGE/$5";; --add-label) touch "$FORGE/$5";; esac;;
esac`,
  );
  program('npm', 'true');
  program('agentgate', `exec ${process.execPath} ${bin} "$@"`);
  writeFileSync(join(base, 'state', 'agentgate'), '');
});
afterEach(() => place.remove());

function program(name: string, text: string): void {
  writeFileSync(join(base, 'bin', name), `#!/bin/sh\n${text}\n`);
  chmodSync(join(base, 'bin', name), 0o755);
}

const has = (name: string): boolean => existsSync(join(base, 'state', name));
const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
    cwd,
    env: place.env,
    encoding: 'utf8',
  });

/** A pull request whose branch lies on a server of its own. */
function propose(agent: string, iterations: number): void {
  place.write({
    'agentgate.yaml': [
      'task: Write three lines.',
      'agent: [sh, agent.sh]',
      'gates: {lines: test "$(wc -l < lines.txt)" -ge 3}',
      `limits: {iterations: ${iterations}}`,
      'integrity: off',
    ].join('\n'),
    'agent.sh': agent,
    'lines.txt': '',
  });
  git(place.workspace, 'init', '-q', '-b', 'topic');
  git(place.workspace, 'add', '-A');
  git(place.workspace, 'commit', '-qm', 'begin');
  git(base, 'clone', '-q', '--bare', place.workspace, 'origin.git');
}

/** One start of the workflow, on a machine that knows nothing but the cache; `uses` is done by this function. */
function job(): Record<string, string> {
  rmSync(place.workspace, { recursive: true });
  git(base, 'clone', '-q', '-b', 'topic', 'origin.git', 'work');
  const known: Record<string, Record<string, string>> = { pr: {}, step: {} };
  const filled = (text: string): string =>
    text.replace(/\$\{\{\s*([\w.]+)[^}]*\}\}/g, (_all, name: string) => {
      const [, id = '', , output = ''] = /^(steps)\.(\w+)\.outputs\.(\w+)$/.exec(name) ? name.split('.') : [];
      return id === '' ? 'x' : (known[id]?.[output] ?? '');
    });
  for (const step of jobs.step.steps) {
    const wanted = (step.if ?? 'true').replace(
      /steps\.(\w+)\.outputs\.(\w+)/g,
      (_all, id: string, output: string) => JSON.stringify(known[id]?.[output] ?? ''),
    );
    if (step.run === undefined || !(Function(`return ${wanted}`)() as boolean)) continue;
    const output = join(base, 'output');
    writeFileSync(output, '');
    const env = Object.fromEntries(
      Object.entries(step.env ?? {}).map(([name, text]) => [name, filled(text)]),
    );
    execFileSync('bash', ['-e', '-c', step.run], {
      cwd: place.workspace,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        ...place.env,
        ...env,
        PATH: `${join(base, 'bin')}:${place.env['PATH']}`,
        BRANCH: 'topic',
        FORGE: join(base, 'state'),
        AGENTGATE_STATE_DIR: join(base, 'cache'),
        GITHUB_OUTPUT: output,
        RUNNER_TEMP: base,
      },
    });
    if (step.id !== undefined)
      known[step.id] = Object.fromEntries(
        readFileSync(output, 'utf8')
          .split('\n')
          .filter(Boolean)
          .map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]),
      );
  }
  return known['step']!;
}

const pushed = (): number => Number(git(join(base, 'origin.git'), 'rev-list', '--count', 'topic')) - 1;

describe('the example workflow', () => {
  it('answers each failure of CI by one iteration, until the gates are met', () => {
    propose('echo "$AGENTGATE_ITERATION" >> lines.txt\n', 5);
    expect(job()).toEqual({ code: '3', kind: 'run.paused' });
    expect([pushed(), has('agentgate'), has('said')]).toEqual([1, true, false]);
    expect(job()).toMatchObject({ kind: 'run.paused' });
    expect(job()).toEqual({ code: '0', kind: 'run.ended' });
    expect(git(join(base, 'origin.git'), 'show', 'topic:lines.txt')).toBe('1\n2\n3\n');
    expect([has('agentgate'), has('needs-person')]).toEqual([false, false]);
    expect(readFileSync(join(base, 'state', 'said'), 'utf8')).toContain('converged');
  });
  it('is bounded, says when a person is needed, and then keeps quiet', () => {
    propose('echo "$AGENTGATE_ITERATION" > lines.txt\n', 2);
    expect(job()).toMatchObject({ kind: 'run.paused' });
    expect(job()).toEqual({ code: '1', kind: 'run.ended' });
    expect([has('agentgate'), has('needs-person')]).toEqual([false, true]);
    expect(readFileSync(join(base, 'state', 'said'), 'utf8')).toContain('limit.iterations');
    expect([job(), pushed()]).toEqual([{}, 2]);
  });
  it.each([
    // The report of the earlier run would tell of something else.
    ['a wrong spec behind an earlier run', 'gates: {lines: true}\n', 2, 'mistakes in the spec', true],
    [
      'a missing agent',
      'task: x\nagent: [no-such-agent]\ngates: {lines: "true"}\n',
      4,
      '"no-such-agent" was not found',
      false,
    ],
  ])('says why nothing was done with %s, and that a person is needed', (_name, text, code, why, isLater) => {
    propose('echo "$AGENTGATE_ITERATION" >> lines.txt\n', 5);
    if (isLater) expect(job()).toMatchObject({ kind: 'run.paused' });
    git(base, 'clone', '-q', '-b', 'topic', 'origin.git', 'edit');
    writeFileSync(join(base, 'edit', 'agentgate.yaml'), text);
    git(join(base, 'edit'), 'commit', '-qam', 'edited');
    git(join(base, 'edit'), 'push', '-q', 'origin', 'topic');
    expect(job()).toMatchObject({ code: String(code) });
    expect([has('agentgate'), has('needs-person')]).toEqual([false, true]);
    const said = readFileSync(join(base, 'state', 'said'), 'utf8');
    expect(said).toMatch(new RegExp(`^agentgate step did nothing \\(exit ${code}\\):\\n\\n {4}.*${why}`));
    expect(said).not.toContain('# AgentGate');
  });
});
