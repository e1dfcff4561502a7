import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agentgate, type Ended, makePlace, outcomeOf, type Place } from './support/command.ts';

let place: Place;
beforeEach(() => {
  place = makePlace({
    '../turns.yaml': `turns:
  - { say: one, write: { work.txt: "a" }, tokens: 100, costUsd: 0.5 }
  - { say: two, write: { work.txt: "b" }, tokens: 100, costUsd: 0.5 }
  - { say: three, write: { work.txt: "c" }, tokens: 100, costUsd: 0.5 }
  - { say: four, write: { work.txt: "done" }, tokens: 100, costUsd: 0.5 }
`,
    'agentgate.yaml': `task: Write done.
agent: { kind: scripted, script: ../turns.yaml }
gates: { done: "grep -q done work.txt || { echo 'error: a'; false; }" }
strategy: { kind: fixed, iterations: 6 }
`,
  });
});
afterEach(() => place.remove());
const jsonOf = ({ stdout }: Ended): Record<string, unknown>[] =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

function logOf(runId: string): string {
  const homes = join(place.state, 'agentgate/workspaces');
  return join(homes, readdirSync(homes)[0]!, 'runs', runId, 'log.jsonl');
}

/** Writes into a log as somebody would who also mends its chain. */
function forge(runId: string, change: (line: string) => string): void {
  let hash = '';
  const lines = readFileSync(logOf(runId), 'utf8').trimEnd().split('\n');
  const forged = lines.map((line) => {
    const body = change(line).replace(/,"hash":"[0-9a-f]+"}$/, '}');
    hash = createHash('sha256').update(hash).update(body).digest('hex');
    return `${body.slice(0, -1)},"hash":"${hash}"}`;
  });
  writeFileSync(logOf(runId), `${forged.join('\n')}\n`);
}

describe('replay', () => {
  it('decides a run again and finds it as it was recorded', async () => {
    await agentgate(place, 'run');
    const { exit, stdout } = await agentgate(place, 'replay');
    expect(exit).toBe(0);
    expect(stdout).toMatch(/ok +\d+ decisions decided again, each as it was recorded/);
    expect(stdout).toMatch(/the ending follows from the log: converged \(goal\.met\)/);
  });
  it('tells under other strategies what would have been saved and lost', async () => {
    const { runId } = outcomeOf(await agentgate(place, 'run', '--json'));
    const names = 'hybrid,fixed-2,fixed,iterations=9,ralph,max=3';
    const { exit, stdout } = await agentgate(place, 'replay', String(runId), '--strategy', names);
    expect(exit).toBe(0);
    expect(stdout).toMatch(/^ +failing +recorded +hybrid +fixed-2 +fixed,iterations=9 +ralph,max=3$/m);
    expect(stdout).toMatch(
      /^fixed-2 would have stopped after 2 iterations \(limit\.iterations\) and saved 2/m,
    );
    expect(stdout).toMatch(/200\s+tokens\s+and\s+\$1\.00,\s+but\s+lost\s+the\s+solve\s+of\s+iteration\s+4\./);
    expect(stdout).toMatch(/^fixed,iterations=9 would have ended where the run did/m);
    const lines = jsonOf(await agentgate(place, 'replay', '--json', '--strategy', names));
    expect(lines.filter((one) => one['kind'] === 'what-if')).toMatchObject([
      { name: 'hybrid', ends: 'same', losesSolve: false },
      {
        name: 'fixed-2',
        ends: 'earlier',
        losesSolve: true,
        saved: { iterations: 2, tokens: 200, costUsd: 1 },
      },
      { name: 'fixed,iterations=9', ends: 'same' },
      { name: 'ralph,max=3', ends: 'earlier', losesSolve: true, spent: { iterations: 3 } },
    ]);
    expect(lines.at(-1)).toMatchObject({ kind: 'replayed', same: true });
  });
  it('is a defect, and exit code 1, where a decision does not follow', async () => {
    const { runId } = outcomeOf(await agentgate(place, 'run', '--json'));
    forge(String(runId), (line) => line.replace('"reason":"iteration 2 of 6"', '"reason":"a whim"'));
    const { exit, stdout } = await agentgate(place, 'replay');
    expect(exit).toBe(1);
    expect(stdout).toMatch(/broken +event \d+ of run \w+ records the decision start-iteration/);
    expect(stdout).toMatch(/does not follow from its log/);
  });
  it('refuses what cannot be replayed, and says what to do', async () => {
    await agentgate(place, 'run');
    const asked = await agentgate(place, 'replay', '--strategy', 'manual');
    expect([asked.exit, asked.stderr]).toMatchObject([
      2,
      expect.stringMatching(/asks a person.*name another/),
    ]);
    const wrong = await agentgate(place, 'replay', '--strategy', 'hybird');
    expect([wrong.exit, wrong.stderr]).toMatchObject([2, expect.stringMatching(/did you mean "hybrid"/)]);
  });
});

describe('stats', () => {
  it('tell what was spent, solved and stopped, and count linked runs once', async () => {
    const first = outcomeOf(await agentgate(place, 'run', '--json', '--max-iterations', '2'));
    await agentgate(place, 'resume', '--add-iterations', '3');
    await agentgate(place, 'run', '--strategy', 'hybrid', '--gate', 'done=false', '--max-iterations', '1');
    expect(first).toMatchObject({ status: 'diverged', costUsd: 1 });
    const [stats] = jsonOf(await agentgate(place, 'stats', '--json'));
    expect(stats).toMatchObject({
      all: { runs: 3, works: 2, solved: 1, iterations: 5, tokens: 500, costUsd: 2.5, costPerSolveUsd: 2.5 },
      byAgent: { scripted: { runs: 3 } },
      byStrategy: { fixed: { runs: 2, works: 1, solved: 1 }, hybrid: { runs: 1, solved: 0 } },
      byEnding: { 'limit.iterations': { runs: 2 }, 'goal.met': { runs: 1 } },
    });
    const { stdout } = await agentgate(place, 'stats', '--all');
    expect(stdout).toMatch(/^3 runs for 2 pieces of work, 1 solved: 5 iterations, .*\$2\.50\.$/m);
    expect(stdout).toMatch(/^ {2}fixed +2 +1 of 1 +4 .*\$2\.00 +\$2\.00$/m);
  });
  it('say so where there is nothing yet', async () => {
    const { exit, stdout } = await agentgate(place, 'stats');
    expect([exit, stdout]).toMatchObject([0, expect.stringMatching(/No runs yet/)]);
  });
});
