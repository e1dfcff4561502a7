import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agentgate, makePlace, outcomeOf, type Place } from './support/command.ts';

/** Three lines are wanted; the agent makes it better, then worse, and tells of its usage window. */
const files = {
  'agentgate.yaml': [
    'task: Write three lines.',
    'agent: [sh, agent.sh]',
    'gates: {lines: sh check.sh}',
    'limits: {iterations: 3}',
    'stuck: off',
    'integrity: off',
  ].join('\n'),
  'check.sh':
    'n=$(wc -l < lines.txt); for i in 1 2 3; do if [ "$i" -le "$n" ]; then echo "ok $i - line $i"; else echo "not ok $i - line $i"; bad=1; fi; done; echo 1..3; exit ${bad:-0}\n',
  'agent.sh':
    'case $AGENTGATE_ITERATION in 1) echo a > lines.txt;; 2) printf "a\\nb\\n" > lines.txt;; *) : > lines.txt;; esac\n',
  'lines.txt': '',
};

let place: Place;
const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', ...args], {
    cwd: place.workspace,
    env: place.env,
    encoding: 'utf8',
  });
beforeEach(() => {
  place = makePlace(files);
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-qm', 'begin');
});
afterEach(() => place.remove());

describe('agentgate run --overnight', () => {
  it('leaves the best tree as a branch, one page, and a word to the person', async () => {
    const told = `echo "$AGENTGATE_STATUS $AGENTGATE_CODE" > ${place.workspace}/../told.txt`;
    const ended = await agentgate(place, 'run', '--overnight', '--notify', told);
    expect([ended.exit, ended.stderr]).toMatchObject([1, expect.not.stringContaining('nobody will be told')]);
    const runId = /^(\w+)/.exec((await agentgate(place, 'list')).stdout)![1]!;
    // The last iteration made it worse; what is handed on is the second one.
    expect(git('show', `agentgate/${runId}:lines.txt`)).toBe('a\nb\n');
    expect(git('log', '-1', '--format=%B', `agentgate/${runId}`)).toContain('diverged (limit.iterations)');
    const page = /one page: (.*)$/m.exec(ended.stdout)![1]!;
    const text = readFileSync(page, 'utf8');
    expect(text).toMatch(/diverged[\s\S]*agentgate resume/);
    // The tree that it ended on, the best one and the one that was handed on are told apart.
    const [, last, best, given] =
      /ended on tree `(\w+)`\.\n\nBest: iteration 2, tree `(\w+)`\. Delivered: tree `(\w+)` as `refs\/heads\/agentgate\/\w+`\./.exec(
        text,
      )!;
    expect(given).toBe(best);
    expect(last).not.toBe(best);
    expect(readFileSync(`${place.workspace}/../told.txt`, 'utf8')).toBe('diverged limit.iterations\n');
  });
  it('ends as the run did where its page cannot be written, and says how to read it', async () => {
    place.write({
      'agent.sh':
        'for one in "$XDG_STATE_HOME"/agentgate/workspaces/*; do mkdir -p "$one/$AGENTGATE_RUN_ID.md"; done\n',
    });
    const ended = await agentgate(place, 'run', '--overnight', '--json');
    expect([ended.exit, outcomeOf(ended)]).toMatchObject([1, { kind: 'run.ended', status: 'diverged' }]);
    expect(ended.stderr).toMatch(
      /the page cannot be written to .* \(EISDIR\); agentgate report \w+ prints it/,
    );
  });
  it('stays below a usage window, and waits for it without a call', async () => {
    place.write({
      'agent.sh': [
        'printf "$AGENTGATE_ITERATION\\n" >> lines.txt',
        'at=$(node -p "new Date(Date.now() + 3000).toISOString()")',
        'echo "{\\"windows\\":[{\\"name\\":\\"5h\\",\\"used\\":0.95,\\"resetsAt\\":\\"$at\\"}]}" > "$AGENTGATE_OUTCOME_FILE"',
      ].join('\n'),
    });
    const ended = await agentgate(place, 'run', '--overnight', '--json');
    expect(outcomeOf(ended), ended.stderr).toMatchObject({ status: 'converged', iterations: 3 });
    expect(ended.stdout.split('"code":"quota"')).toHaveLength(3);
    expect(ended.stderr).toContain('nobody will be told');
  });
  it('is weaker than what the spec says', async () => {
    const words = await agentgate(place, 'run', '--overnight', '--dry-run');
    expect(words.stdout).toContain('90 % of a usage window');
    expect(words.stdout).toContain('as a branch, however it ends');
    const plan = await agentgate(place, 'run', '--overnight', '--deliver', 'none', '--dry-run', '--json');
    expect(outcomeOf(plan)['spec']).toMatchObject({
      limits: { iterations: 3, quota: 0.9, wallClock: 8 * 3_600_000 },
      deliver: { as: 'none' },
    });
  });
});
