import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { agentgate, makePlace, outcomeOf, type Place } from './support/command.ts';

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

const run = (gate: string, agent: string, ...flags: string[]) =>
  agentgate(place, 'run', '-p', 'x', '--gate', gate, '--agent', agent, '--json', ...flags);

it('a pipe in the workspace is left alone and holds nothing up', async () => {
  execFileSync('mkfifo', [join(place.workspace, 'pipe')]);
  const { exit, stdout } = await run('test -e done', 'touch done');
  expect([exit, outcomeOf({ stdout } as never)]).toMatchObject([0, { status: 'converged', iterations: 1 }]);
  expect(lstatSync(join(place.workspace, 'pipe')).isFIFO()).toBe(true);
});

it('an agent that makes pipes, odd names and odd bytes is judged by what it made', async () => {
  const agent = String.raw`
    mkfifo made-pipe
    printf 'caf\351 \377' > "$(printf 'odd-\377\376')"
    printf 'line\nbreak' > "$(printf 'two\nlines')"
    printf 'said \377\376 \303 \000 and \033]0;title\007 done\n'
    touch done`;
  writeFileSync(join(place.workspace, '..', 'agent.sh'), agent);
  const gate = String.raw`printf 'FAIL: b\344d \377\n'; test -e done && ls | grep -q odd`;
  const ended = await run(gate, 'sh ../agent.sh');
  expect(outcomeOf(ended)).toMatchObject({ status: 'converged', iterations: 1 });
  expect(ended.stdout).not.toMatch(/[\x00-\x08\x0e-\x1f\x7f-\x9f]/);
  const { stdout } = await agentgate(place, 'show');
  expect(stdout).toContain('converged');
});

it('200,000 files that no repository knows are judged, and none of them is lost', {
  timeout: 600_000,
}, async () => {
  execFileSync('git', ['init', '-q'], { cwd: place.workspace });
  for (let folder = 0; folder < 200; folder++) {
    const dir = join(place.workspace, 'data', `${folder}`);
    mkdirSync(dir, { recursive: true });
    for (let file = 0; file < 1_000; file++) writeFileSync(join(dir, `${file}.txt`), `${folder}\n`);
  }
  const gate = 'test -e done && [ "$(find data -type f | wc -l)" = 200000 ]';
  const { exit, stdout } = await run(gate, 'touch done', '--max-wall-clock', '10m');
  expect([exit, outcomeOf({ stdout } as never)]).toMatchObject([0, { status: 'converged', iterations: 1 }]);
  const left = execFileSync('sh', ['-c', 'find data -type f | wc -l'], { cwd: place.workspace });
  expect(left.toString().trim()).toBe('200000');
});
