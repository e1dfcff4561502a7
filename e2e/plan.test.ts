import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agentgate, type Ended, makePlace, outcomeOf, type Place, start } from './support/command.ts';
import { newWord, settled, until, withWord } from './support/processes.ts';

/** Finds out which item it is given, does what the test says about it, or writes the file of that item. */
const agent = [
  'item=$(sed -n "s/^Your task (\\([^)]*\\)).*/\\1/p" "$AGENTGATE_PROMPT_FILE" | head -1)',
  'looks=$(grep -c "^Investigate, and change nothing" "$AGENTGATE_PROMPT_FILE")',
  'here="$(dirname "$0")"',
  'if [ "$looks" != 0 ]; then item=probe; fi',
  'echo "$item" >> "$here/begun.txt"',
  'if [ -e "$here/do/$item.sh" ]; then . "$here/do/$item.sh"; else echo done > "$item.txt"; fi',
].join('\n');

let place: Place;
beforeEach(() => {
  place = makePlace();
  place.write({ '../agent.sh': `${agent}\n` });
});
afterEach(() => place.remove());

const base = () => join(place.workspace, '..');
const item = (id: string, more: object = {}) => ({
  id,
  task: `Write ${id}.txt.`,
  gates: { there: `grep -qx done ${id}.txt` },
  ...more,
});
const plan = (value: object): string =>
  JSON.stringify({ run: { agent: ['sh', join(base(), 'agent.sh')], integrity: 'off' }, ...value });
const begun = (): string[] => {
  const path = join(base(), 'begun.txt');
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [];
};
const run = (...args: string[]): Promise<Ended> => agentgate(place, 'plan', 'run', '--json', ...args);
const status = async () => outcomeOf(await agentgate(place, 'plan', 'status', '--json')) as unknown as Status;
interface Status {
  planId: string;
  items: { id: string; status: string; used: number; limit: number; children: Status['items'] }[];
  metrics: Record<string, number>;
  session: { status: string; reason: string; iterations: number; items: { id: string; status: string }[] };
  corrections: { kind: string }[];
  trail: { from: string; to: string | null }[];
}
const statuses = async () => Object.fromEntries((await status()).items.map((one) => [one.id, one.status]));

describe('the plan under examples/', () => {
  const project = fileURLToPath(new URL('../examples/plan', import.meta.url));
  it('ends complete with caveats, with the report that is kept beside it', async () => {
    cpSync(project, place.workspace, { recursive: true });
    const told = await agentgate(place, 'plan', 'run', '--quiet');
    expect([told.exit, told.stderr]).toEqual([0, '']);
    expect(told.stdout).toBe(readFileSync(join(project, 'report.txt'), 'utf8'));
    const json = await status();
    expect(json.session).toMatchObject({ status: 'complete-with-caveats', iterations: 19 });
    expect(json.trail).toMatchObject([{ from: 'store-native', to: 'store-file' }]);
    const chart = await agentgate(place, 'plan', 'status', '--mermaid');
    expect(chart.stdout).toMatch(
      /^flowchart LR\n {2}n0\["model: Write src\/model.mjs.<br\/>done, 1 it."\]:::done/,
    );
  });
});

describe('a plan with a mistake runs nothing', () => {
  it.each<[string, string, string[]]>([
    [
      'items that wait for each other, by name',
      'gates: {t: "true"}\nrun: {agent: [sh]}\nitems:\n  - {id: a, task: x, dependsOn: [b]}\n  - {id: b, task: x, dependsOn: [a]}\n',
      ['plan.yaml:4:', 'these wait for each other: a → b → a'],
    ],
    [
      'a dependency that is not there, with the nearest',
      'gates: {t: "true"}\nrun: {agent: [sh]}\nitems:\n  - {id: parser, task: x}\n  - {id: b, task: x, dependsOn: [parsr]}\n',
      ['plan.yaml:5:', 'unknown item "parsr": did you mean "parser"?'],
    ],
    [
      'several mistakes, all of them at once',
      'gates: {t: "true"}\nrun: {agent: [sh]}\nitems:\n  - {id: a, tsk: x}\n  - {id: a, task: x}\n',
      ['2 mistakes', 'did you mean "task"?', 'is taken already'],
    ],
    [
      'an item that nothing judges',
      'run: {agent: [sh]}\nitems:\n  - {id: a, task: x}\n',
      ['plan.yaml:3:', 'no gate judges it'],
    ],
    ['no agent', 'gates: {t: "true"}\nitems:\n  - {id: a, task: x}\n', ['agent']],
  ])('%s', async (_name, text, words) => {
    place.write({ 'plan.yaml': text });
    const told = await agentgate(place, 'plan', 'run');
    expect(told.exit).toBe(2);
    for (const word of words) expect(told.stderr).toContain(word);
    expect(begun()).toEqual([]);
  });
  it('no plan at all', async () => {
    const told = await agentgate(place, 'plan', 'run');
    expect([told.exit, told.stderr]).toEqual([2, expect.stringContaining('write plan.yaml')]);
    expect((await agentgate(place, 'plan', 'status')).exit).toBe(2);
  });
});

describe('a session', () => {
  it('works through a plan, and its runs are runs like any other', async () => {
    place.write({ 'plan.json': plan({ items: [item('b', { dependsOn: ['a'] }), item('a')] }) });
    const told = await run();
    expect([told.exit, told.stderr]).toEqual([0, '']);
    expect(outcomeOf(told)).toMatchObject({
      kind: 'plan.session',
      status: 'complete',
      done: 2,
      iterations: 2,
    });
    expect(begun()).toEqual(['a', 'b']);
    expect((await agentgate(place, 'list')).stdout.match(/converged/g)).toHaveLength(2);
    expect((await agentgate(place, 'verify')).exit).toBe(0);
  });
  it('takes back what a stuck item left, keeps its tree, and goes on with the others', async () => {
    place.write({
      '../do/a.sh': 'echo "try $AGENTGATE_ITERATION" >> a.txt; echo broken > shared.txt\n',
      'plan.json': plan({ items: [item('a'), item('b')], limits: { item: 3 } }),
      'shared.txt': 'good\n',
    });
    const told = await run();
    expect(told.exit).toBe(1);
    expect(await statuses()).toEqual({ a: 'stuck', b: 'done' });
    const shown = await agentgate(place, 'plan', 'show', 'a');
    expect(shown.stdout).toMatch(/Convergence check: a\nHard gates: FAIL \(there\)[^]*Decision: FORCE_STOP/);
    expect(readFileSync(join(place.workspace, 'shared.txt'), 'utf8')).toBe('good\n');
    expect(existsSync(join(place.workspace, 'a.txt'))).toBe(false);
    const { items } = await status();
    const [stuck] = items as unknown as { runs: string[] }[];
    const diff = await agentgate(place, 'diff', stuck!.runs.at(-1)!);
    expect(diff.stdout).toContain('+broken');
  });
  it('ends when its iterations are used, and the next one goes on in the middle of the item', async () => {
    place.write({
      '../do/b.sh':
        'if [ "$AGENTGATE_ITERATION" = 3 ]; then echo done > b.txt; else echo "$AGENTGATE_ITERATION" > b.txt; fi\n',
      'plan.json': plan({ items: [item('a'), item('b'), item('c')], limits: { session: 2 } }),
    });
    const first = await agentgate(place, 'plan', 'run');
    expect([first.exit, first.stdout]).toEqual([
      3,
      expect.stringContaining('Next: new_session (budget: 2/2 iterations used)'),
    ]);
    // How its run would go on by itself is no advice for a plan.
    expect(first.stdout).not.toContain('agentgate resume');
    expect(await statuses()).toEqual({ a: 'done', b: 'in-progress', c: 'not-started' });
    const second = await run();
    expect([second.exit, outcomeOf(second)]).toMatchObject([
      3,
      { status: 'budget', next: 'new_session', iterations: 2 },
    ]);
    const third = await run();
    expect([third.exit, outcomeOf(third)]).toMatchObject([0, { status: 'complete' }]);
    // Nothing was done twice: b had three iterations over two sessions.
    expect(begun()).toEqual(['a', 'b', 'b', 'b', 'c']);
  });
  it('is stopped from another terminal, and goes on', async () => {
    place.write({
      '../do/b.sh':
        'touch "$here/working"; if [ -e "$here/free" ]; then echo done > b.txt; else sleep 60; fi\n',
      'plan.json': plan({ items: [item('a'), item('b')] }),
    });
    const { ended } = start(place, ['plan', 'run', '--json']);
    await until(() => existsSync(join(base(), 'working')));
    expect((await agentgate(place, 'plan', 'list')).stdout).toMatch(/^p\w+ {2}under way /);
    expect((await agentgate(place, 'plan', 'status')).stdout).toMatch(/^plan p.* under way\n/);
    const second = await agentgate(place, 'plan', 'run');
    expect([second.exit, second.stderr]).toEqual([
      75,
      expect.stringMatching(/held by plan p\w+ \(.*\); wait for it, or end it with agentgate plan stop\n/),
    ]);
    expect((await agentgate(place, 'plan', 'stop', '--note', 'enough')).exit).toBe(0);
    const told = await ended;
    expect([told.exit, outcomeOf(told)]).toMatchObject([
      3,
      { status: 'stopped', reason: expect.stringContaining('enough'), next: 'continue' },
    ]);
    expect(outcomeOf(told)['reason']).toBe('stopped by agentgate plan stop: enough');
    expect((await agentgate(place, 'show')).stdout).toContain(
      'Stopped: stopped by agentgate plan stop: enough.',
    );
    expect(await statuses()).toEqual({ a: 'done', b: 'in-progress' });
    writeFileSync(join(base(), 'free'), '');
    expect((await run()).exit).toBe(0);
    expect(begun()).toEqual(['a', 'b', 'b']);
  });
  it('ends by a signal, and the run of its item says so', async () => {
    place.write({
      '../do/a.sh': 'touch "$here/working"; sleep 60\n',
      'plan.json': plan({ items: [item('a')] }),
    });
    const { child, ended } = start(place, ['plan', 'run']);
    await until(() => existsSync(join(base(), 'working')));
    child.kill('SIGINT');
    const { exit, stdout, stderr } = await ended;
    expect([exit, stdout]).toEqual([130, expect.stringContaining('\nstopped: stopped by SIGINT')]);
    expect(stdout + stderr).not.toContain('agentgate stop');
    expect((await agentgate(place, 'show')).stdout).toContain('Stopped: stopped by SIGINT.');
  });
  it('ends when the run of an item is stopped, and does not begin it again at once', async () => {
    place.write({
      '../do/a.sh': 'touch "$here/working"; sleep 60\n',
      'plan.json': plan({ items: [item('a'), item('b')] }),
    });
    const { ended } = start(place, ['plan', 'run', '--json']);
    await until(() => existsSync(join(base(), 'working')));
    expect((await agentgate(place, 'stop')).exit).toBe(0);
    const told = await ended;
    expect([told.exit, outcomeOf(told)]).toMatchObject([3, { status: 'stopped' }]);
    expect(begun()).toEqual(['a']);
  });
  it('keeps the workspace to itself', async () => {
    place.write({
      '../do/a.sh':
        'touch "$here/working"; while [ ! -e "$here/free" ]; do sleep 0.1; done; echo done > a.txt\n',
      'plan.json': plan({ items: [item('a')] }),
    });
    const { ended } = start(place, ['plan', 'run', '--json']);
    await until(() => existsSync(join(base(), 'working')));
    expect((await run()).exit).toBe(75);
    expect((await agentgate(place, 'run', '-p', 'x', '--gate', 'true', '--', 'true')).exit).toBe(75);
    writeFileSync(join(base(), 'free'), '');
    expect((await ended).exit).toBe(0);
  });
  it.each([1, 2, 3])('that is killed goes on with exact counts (kill %s)', async (when) => {
    place.write({
      // Killed in the middle of its nth iteration, once.
      '../do/b.sh': [
        `if [ "$AGENTGATE_ITERATION" = ${when} ] && [ ! -e "$here/killed" ]; then touch "$here/killed"; sleep 60; fi`,
        'echo "$AGENTGATE_ITERATION" > b.txt; if [ "$AGENTGATE_ITERATION" = 4 ]; then echo done > b.txt; fi',
        '',
      ].join('\n'),
      'plan.json': plan({ items: [item('a'), item('b'), item('c')], limits: { session: 20, item: 5 } }),
    });
    const { child, ended } = start(place, ['plan', 'run', '--json']);
    await until(() => existsSync(join(base(), 'killed')));
    child.kill('SIGKILL');
    await ended;
    const again = await run();
    expect([again.exit, outcomeOf(again)], again.stderr).toMatchObject([0, { status: 'complete' }]);
    const { items, session } = await status();
    const used = Object.fromEntries(items.map((one) => [one.id, one.used]));
    expect(used['a']).toBe(1);
    expect(used['b']).toBeLessThanOrEqual(5);
    expect(session.iterations).toBe(Object.values(used).reduce((sum, one) => sum + one, 0));
    expect(begun().filter((one) => one === 'a')).toHaveLength(1);
  });
});

describe('a log that is cut short', () => {
  it('behind any event goes on to the same end: no item that was decided is done twice', async () => {
    place.write({
      '../do/b.sh': 'if [ "$AGENTGATE_ITERATION" = 2 ]; then echo done > b.txt; else echo 1 > b.txt; fi\n',
      'plan.json': plan({ items: [item('a'), item('b'), item('c')] }),
    });
    expect((await run()).exit).toBe(0);
    const homes = join(place.state, 'agentgate', 'workspaces');
    const plans = join(homes, readdirSync(homes)[0]!, 'plans');
    const log = join(plans, readdirSync(plans)[0]!, 'log.jsonl');
    const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
    for (let size = 2; size < lines.length; size++) {
      writeFileSync(log, `${lines.slice(0, size).join('\n')}\n`);
      writeFileSync(join(base(), 'begun.txt'), '');
      for (const id of ['a', 'b', 'c']) rmSync(join(place.workspace, `${id}.txt`), { force: true });
      const decided = lines.slice(0, size).flatMap((line) => {
        const event = JSON.parse(line) as { decision?: { kind: string; item: string } };
        return event.decision?.kind === 'run-item' ? [event.decision.item] : [];
      });
      for (const id of decided) writeFileSync(join(place.workspace, `${id}.txt`), 'done\n');
      const again = await run();
      expect([again.exit, outcomeOf(again)], `after event ${size}: ${again.stderr}`).toMatchObject([
        0,
        { status: 'complete', iterations: 4, done: 3 },
      ]);
      const wanted = ['a', 'b', 'b', 'c'].filter((id) => !decided.includes(id));
      expect(begun().filter(Boolean), `after event ${size}`).toEqual(wanted);
    }
  });
});

describe('items beside each other', () => {
  it('are worked on in directories of their own, and come together in the workspace', async () => {
    execFileSync('git', ['init', '-q'], { cwd: place.workspace });
    place.write({
      '../do/a.sh':
        'mkdir -p src/a; echo done > src/a/a.txt; cp src/a/a.txt a.txt; pwd >> "$here/where.txt"\n',
      '../do/b.sh':
        'mkdir -p src/b; echo done > src/b/b.txt; cp src/b/b.txt b.txt; pwd >> "$here/where.txt"\n',
      'plan.json': plan({ items: [item('a', { paths: ['src/a/**'] }), item('b', { paths: ['src/b'] })] }),
    });
    const told = await run();
    expect([told.exit, told.stderr]).toEqual([0, '']);
    for (const file of ['src/a/a.txt', 'src/b/b.txt', 'a.txt', 'b.txt'])
      expect(readFileSync(join(place.workspace, file), 'utf8')).toBe('done\n');
    const where = readFileSync(join(base(), 'where.txt'), 'utf8').trim().split('\n');
    expect(new Set(where).size).toBe(2);
    expect(where).not.toContain(place.workspace);
    // Nothing of it is left behind, nor in the user's repository.
    for (const folder of where) expect(existsSync(folder)).toBe(false);
    expect(execFileSync('git', ['for-each-ref'], { cwd: place.workspace, encoding: 'utf8' })).toBe('');
  });
  it('that touch the same lines are handed back to their item, and both trees are kept', async () => {
    const write = (id: string) =>
      `if grep -q "<<<<<<<" shared.txt; then printf "a\\nb\\n" > shared.txt; else echo ${id} > shared.txt; fi; echo done > ${id}.txt\n`;
    place.write({
      'shared.txt': 'x\n',
      '../do/a.sh': write('a'),
      '../do/b.sh': write('b'),
      'plan.json': plan({ items: [item('a', { paths: ['a.txt'] }), item('b', { paths: ['b.txt'] })] }),
    });
    const told = await run();
    expect([told.exit, told.stderr]).toEqual([0, '']);
    const conflict = told.stdout.split('\n').find((line) => line.includes('"kind":"item.conflicted"'))!;
    const { before, theirs, paths } = JSON.parse(conflict) as {
      before: string;
      theirs: string;
      paths: string[];
    };
    expect(paths).toEqual(['shared.txt']);
    expect(readFileSync(join(place.workspace, 'shared.txt'), 'utf8')).toBe('a\nb\n');
    const homes = join(place.state, 'agentgate', 'workspaces');
    const git = join(homes, readdirSync(homes)[0]!, 'git');
    for (const tree of [before, theirs])
      expect(execFileSync('git', ['--git-dir', git, 'cat-file', '-t', tree], { encoding: 'utf8' })).toBe(
        'tree\n',
      );
  });
});

describe('items beside each other', () => {
  const write = (id: string) =>
    `if grep -q "<<<<<<<" shared.txt; then printf "a\\nb\\n" > shared.txt; else echo ${id} > shared.txt; fi; echo done > ${id}.txt\n`;
  const files = () => ({
    'shared.txt': 'x\n',
    '../do/a.sh': write('a'),
    '../do/b.sh': write('b'),
    'plan.json': plan({
      items: [
        item('a', { paths: ['a.txt'] }),
        item('b', { paths: ['b.txt'] }),
        item('c', { dependsOn: ['a', 'b'] }),
      ],
    }),
  });
  it('come to the same end wherever the session is killed', { timeout: 240_000 }, async () => {
    place.write(files());
    const whole = await run();
    const events = whole.stdout.trim().split('\n').length;
    expect([whole.exit, outcomeOf(whole)]).toMatchObject([0, { status: 'complete', iterations: 4 }]);
    for (let at = 1; at < events; at += 3) {
      place.remove();
      place = makePlace();
      place.write({ '../agent.sh': `${agent}\n`, ...files() });
      const { child, ended } = start(place, ['plan', 'run', '--json']);
      let lines = 0;
      child.stdout?.on('data', (text: string) => {
        lines += text.split('\n').length - 1;
        if (lines >= at) child.kill('SIGKILL');
      });
      await ended;
      const again = await run();
      const where = `killed after line ${at} of ${events}: ${again.stderr}`;
      expect([again.exit, outcomeOf(again)], where).toMatchObject([0, { status: 'complete' }]);
      expect(readFileSync(join(place.workspace, 'shared.txt'), 'utf8'), where).toBe('a\nb\n');
      const { items } = await status();
      // An agent that was cut off counts as one that worked; nothing else is done twice.
      for (const one of items) expect(one.used, where).toBeLessThanOrEqual(3);
      expect(existsSync(join(place.workspace, 'c.txt')), where).toBe(true);
    }
  });
});

describe('items beside each other that go wrong', () => {
  it('do not come in with conflict marks, though no gate of theirs looks there', async () => {
    const write = (id: string) =>
      `if ! grep -q "<<<<<<<" notes.md; then echo ${id} > notes.md; elif [ "$AGENTGATE_ITERATION" = 2 ]; then echo both > notes.md; fi; echo done > ${id}.txt; echo "$AGENTGATE_ITERATION" > ${id}.log\n`;
    place.write({
      'notes.md': 'x\n',
      '../do/a.sh': write('a'),
      '../do/b.sh': write('b'),
      'plan.json': plan({ items: [item('a', { paths: ['a.txt'] }), item('b', { paths: ['b.txt'] })] }),
    });
    const told = await run();
    expect([told.exit, told.stderr]).toEqual([0, '']);
    expect(readFileSync(join(place.workspace, 'notes.md'), 'utf8')).toBe('both\n');
  });
  it('leave no process behind when they are killed, whoever comes next', async () => {
    const word = newWord();
    place.write({
      '../do/a.sh': `exec sleep ${word}\n`,
      '../do/b.sh': `exec sleep ${word}\n`,
      'plan.json': plan({ items: [item('a', { paths: ['a.txt'] }), item('b', { paths: ['b.txt'] })] }),
    });
    const { child, ended } = start(place, ['plan', 'run', '--json']);
    await until(() => withWord(word).length === 2);
    child.kill('SIGKILL');
    await ended;
    await agentgate(place, 'run', '-p', 'x', '--gate', 'true', '--integrity', 'off', '--', 'true');
    expect(await settled(word)).toEqual([]);
  });
});

describe('moves', () => {
  it('backtrack to the next alternative, with the work of the first one taken back', async () => {
    place.write({
      '../do/x.sh': 'echo "$AGENTGATE_ITERATION" > x.txt; echo x > left.txt\n',
      'plan.json': plan({
        items: [
          { id: 'g', alternatives: [item('x', { limits: { iterations: 2 } }), item('y')] },
          item('z', { dependsOn: ['g'] }),
        ],
      }),
    });
    const told = await run();
    expect([told.exit, told.stderr]).toEqual([0, '']);
    expect(begun()).toEqual(['x', 'x', 'y', 'z']);
    expect(existsSync(join(place.workspace, 'left.txt'))).toBe(false);
    expect((await status()).trail).toMatchObject([{ from: 'x', to: 'y' }]);
  });
  it('take an item apart as its agent proposes, and judge the whole at the end', async () => {
    place.write({
      '../do/a.sh':
        'echo \'{"split":[{"id":"one","task":"first"},{"id":"two","task":"second"}],"giveUp":"too large"}\' > "$AGENTGATE_OUTCOME_FILE"\n',
      '../do/a.one.sh': 'echo 1 >> count.txt\n',
      '../do/a.two.sh': 'echo 2 >> count.txt; echo done > a.txt\n',
      'plan.json': plan({ items: [item('a')], gates: { some: 'test -e ok' } }),
      ok: '',
    });
    const told = await run();
    expect([told.exit, told.stderr]).toEqual([0, '']);
    expect(begun()).toEqual(['a', 'a.one', 'a.two']);
    const { items } = await status();
    expect(items[0]).toMatchObject({ id: 'a', status: 'done', children: [{ id: 'a.one' }, { id: 'a.two' }] });
  });
  it.each([
    ['gave up', 1, 'echo \'{"giveUp":"where is it?"}\' > "$AGENTGATE_OUTCOME_FILE"'],
    ['changed nothing', 2, 'true'],
  ])(
    'look into an item whose agent %s, in a directory that is thrown away',
    async (_how, before, otherwise) => {
      place.write({
        '../do/a.sh': `if grep -q "It is in the cellar" "$AGENTGATE_PROMPT_FILE"; then echo done > a.txt; else ${otherwise}; fi\n`,
        '../do/probe.sh': 'echo touched > looked.txt; echo "It is in the cellar."\n',
        'plan.json': plan({ items: [item('a')] }),
      });
      const told = await run();
      expect([told.exit, told.stderr]).toEqual([0, '']);
      expect(begun()).toEqual([...Array<string>(before).fill('a'), 'probe', 'a']);
      expect(existsSync(join(place.workspace, 'looked.txt'))).toBe(false);
      expect((await status()).session.iterations).toBe(before + 2);
    },
  );
  it('look into an item, and what was written there is proved and compared like any run', async () => {
    const otherwise = 'echo \'{"giveUp":"where is it?"}\' > "$AGENTGATE_OUTCOME_FILE"';
    place.write({
      '../do/a.sh': `if grep -q "It is in the cellar" "$AGENTGATE_PROMPT_FILE"; then echo done > a.txt; else ${otherwise}; fi\n`,
      '../do/probe.sh': 'echo touched > looked.txt; echo "It is in the cellar."\n',
      'plan.json': plan({ items: [item('a')] }),
    });
    const told = await run();
    const probe = /"decision":\{"kind":"probe",[^}]*"runId":"(\w+)"/.exec(told.stdout)![1]!;
    const verified = await agentgate(place, 'verify', probe);
    expect([verified.exit, verified.stdout]).toEqual([
      0,
      expect.stringMatching(/is there and complete[^]*Proved\./),
    ]);
    const file = join(base(), 'probe.jsonl');
    expect((await agentgate(place, 'export', probe, '--trees', '-o', file)).exit).toBe(0);
    expect((await agentgate(place, 'verify', file)).stdout).toMatch(/is there and complete[^]*Proved\./);
    expect((await agentgate(place, 'diff', probe)).stdout).toContain('+touched');
    const next = `Next: agentgate diff ${probe} shows the work, agentgate explain ${probe} tells the story.`;
    expect((await agentgate(place, 'show', probe)).stdout).toContain(next);
  });
});

describe('words of a person', () => {
  const slow = 'touch "$here/working"; while [ ! -e "$here/free" ]; do sleep 0.1; done; echo done > a.txt\n';
  it('add an item to a plan that is under way', async () => {
    place.write({ '../do/a.sh': slow, 'plan.json': plan({ items: [item('a')] }) });
    const { ended } = start(place, ['plan', 'run', '--json']);
    await until(() => existsSync(join(base(), 'working')));
    const added = await agentgate(
      place,
      'plan',
      'add',
      'Write it.',
      '--id',
      'later',
      '--after',
      'a',
      '--gate',
      'grep -qx done later.txt',
    );
    expect([added.exit, added.stderr]).toEqual([0, '']);
    const refused = await agentgate(place, 'plan', 'add', 'x', '--id', 'z', '--after', 'nobody');
    expect([refused.exit, refused.stderr]).toEqual([2, expect.stringContaining('unknown item "nobody"')]);
    writeFileSync(join(base(), 'free'), '');
    const told = await ended;
    expect([told.exit, outcomeOf(told)], told.stderr).toMatchObject([0, { status: 'complete' }]);
    expect(begun().at(-1)).toBe('later');
    expect((await status()).corrections).toMatchObject([{ kind: 'graph' }]);
  });
  it('tell every agent to come, and end what is under way', async () => {
    place.write({
      '../do/a.sh':
        'if grep -q "No new packages" "$AGENTGATE_PROMPT_FILE"; then echo done > a.txt; else touch "$here/working"; sleep 60; fi\n',
      'plan.json': plan({ items: [item('a')] }),
    });
    const { ended } = start(place, ['plan', 'run', '--json']);
    await until(() => existsSync(join(base(), 'working')));
    expect((await agentgate(place, 'plan', 'redirect', '--constraint', 'No new packages.')).exit).toBe(0);
    const told = await ended;
    expect([told.exit, outcomeOf(told)], told.stderr).toMatchObject([0, { status: 'complete' }]);
    expect(told.stdout).toContain('"reason":"stopped by a redirect of its plan"');
  });
  it.each([
    ['without our variables', 'env -u AGENTGATE_RUN_ID -u AGENTGATE_PROCESS -u AGENTGATE_OUTCOME_FILE'],
    ['with no environment of its own', 'env -i'],
    ['cut off from its parents', 'setsid -f -w env -i'],
  ])('are not said by an agent, %s', async (_name, wipe) => {
    const command = fileURLToPath(new URL('../packages/cli/bin/agentgate.cjs', import.meta.url));
    const known = `PATH="$PATH" HOME="${join(base(), 'home')}" XDG_STATE_HOME="${place.state}"`;
    const say = `${wipe} ${known} "${process.execPath}" "${command}" plan tick a 1 > "$here/said.txt" 2>&1`;
    place.write({
      '../do/a.sh': `${say}; echo done > a.txt\n`,
      'plan.json': plan({ items: [item('a', { acceptance: ['It reads well.'] })] }),
    });
    expect(outcomeOf(await run())).toMatchObject({ status: 'complete-with-caveats' });
    expect(readFileSync(join(base(), 'said.txt'), 'utf8')).toContain('steered by persons');
  });
  it('give a stuck item another chance', async () => {
    place.write({
      '../do/a.sh': 'if [ -e "$here/free" ]; then echo done > a.txt; else echo no > a.txt; fi\n',
      'plan.json': plan({ items: [item('a'), item('b', { dependsOn: ['a'] })], limits: { item: 2 } }),
    });
    expect((await run()).exit).toBe(1);
    expect(await statuses()).toMatchObject({ a: 'stuck' });
    writeFileSync(join(base(), 'free'), '');
    expect((await agentgate(place, 'plan', 'redirect', '--retry', 'a')).stdout).toContain('next session');
    const told = await run();
    expect([told.exit, told.stderr]).toEqual([0, '']);
    expect(await statuses()).toEqual({ a: 'done', b: 'done' });
  });
  it('tick what only a person can judge', async () => {
    place.write({ 'plan.json': plan({ items: [item('a', { acceptance: ['It reads well.'] }), item('b')] }) });
    expect(outcomeOf(await run())).toMatchObject({ status: 'complete-with-caveats' });
    expect((await agentgate(place, 'plan', 'status')).stdout).toContain('to tick: 1 It reads well.');
    expect((await agentgate(place, 'plan', 'tick', 'b')).exit).toBe(2);
    const seventh = await agentgate(place, 'plan', 'tick', 'a', '7');
    expect([seventh.exit, seventh.stderr]).toEqual([
      2,
      'agentgate: a has one criterion, and there is no number 7; a person ticks number 1: It reads well.\n',
    ]);
    expect((await agentgate(place, 'plan', 'tick', 'a', '--by', 'me')).exit).toBe(0);
    expect(outcomeOf(await run())).toMatchObject({ status: 'complete' });
    expect(begun()).toEqual(['a', 'b']);
  });
});

describe('a plan that is edited', () => {
  it('while it is under way is merged by rule, when a person says so', async () => {
    const items = [item('a'), item('b')];
    place.write({
      '../do/a.sh':
        'touch "$here/working"; while [ ! -e "$here/free" ]; do sleep 0.1; done; echo done > a.txt\n',
      'plan.json': plan({ items }),
    });
    const { ended } = start(place, ['plan', 'run', '--json']);
    await until(() => existsSync(join(base(), 'working')));
    place.write({ 'plan.json': plan({ items: [...items, item('c')] }) });
    expect((await agentgate(place, 'plan', 'reload')).exit).toBe(0);
    writeFileSync(join(base(), 'free'), '');
    const told = await ended;
    expect([told.exit, outcomeOf(told)], told.stderr).toMatchObject([0, { status: 'complete' }]);
    expect(begun()).toEqual(['a', 'b', 'c']);
    expect(told.stdout).toContain('"changes":["c added"]');
  });
  it('where it was begun is refused, with the reason', async () => {
    place.write({
      '../do/b.sh': 'echo no > b.txt\n',
      'plan.json': plan({ items: [item('a'), item('b')], limits: { item: 1 } }),
    });
    expect((await run()).exit).toBe(1);
    place.write({
      'plan.json': plan({ items: [item('a', { task: 'Something else.' }), item('b')], limits: { item: 1 } }),
    });
    const told = await agentgate(place, 'plan', 'run');
    expect([told.exit, told.stderr]).toEqual([
      2,
      expect.stringContaining('a was begun, and its title, task changed'),
    ]);
    expect((await run('--new')).stderr).toBe('');
  });
});

describe('what a session tells', () => {
  it('is the same in text and for machines: checks, items, lists', async () => {
    place.write({
      '../do/b.sh': 'echo no > b.txt\n',
      'plan.json': plan({
        title: 'Two',
        context: 'Read the specs first.',
        run: { agent: ['sh', join(base(), 'agent.sh')], integrity: 'off', deliver: 'commit' },
        items: [
          item('a'),
          item('b', {
            limits: { iterations: 1 },
            acceptance: [
              { run: 'test -e ok', severity: 'hard' },
              { judge: `cat > /dev/null; echo '{"passed": true, "notes": "fine"}'`, rubric: 'It is clear.' },
            ],
          }),
        ],
      }),
    });
    execFileSync('git', ['init', '-q'], { cwd: place.workspace });
    const dry = await agentgate(place, 'plan', 'run', '--dry-run');
    expect(dry.stdout).toBe(
      [
        'plan      Two (plan.json)',
        '          a: Write a.txt.',
        '          b: Write b.txt.',
        'at most   20 iterations a session, 5 an item, 3 items side by side',
        '',
      ].join('\n'),
    );
    const told = await run();
    expect(told.exit, told.stderr).toBe(1);
    const lines = told.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { kind: string });
    const stuck = {
      id: 'b',
      hard: { passed: false, details: 'there, accept-1' },
      iterations: { used: 1, max: 1 },
      decision: 'FORCE_STOP',
      plan: { done: 1, total: 2 },
      session: { used: 2, max: 20 },
    };
    expect(lines.filter(({ kind }) => kind === 'plan.check')).toMatchObject([
      {
        kind: 'plan.check',
        id: 'a',
        hard: { passed: true, details: 'none fails' },
        soft: { passed: true, details: 'none fails' },
        iterations: { used: 1, max: 5 },
        decision: 'DONE',
        plan: { done: 1, total: 2 },
        session: { used: 1, max: 20 },
      },
      stuck,
    ]);
    const { planId, ...session } = outcomeOf(told) as Record<string, unknown>;
    expect(session).toMatchObject({ kind: 'plan.session', session: 1, done: 1, attempted: 2, stuck: 1 });
    const [first] = session['items'] as { commit: string }[];
    expect(first!.commit).toMatch(/^[0-9a-f]{7}$/);
    const shown = await agentgate(place, 'plan', 'show', 'b');
    expect(shown.stdout).toContain('Convergence check: b\nHard gates: FAIL (there, accept-1)\n');
    expect(shown.stdout).toMatch(
      /Inner iterations: 1\/1\nDecision: FORCE_STOP\n\nPlan progress: 1\/2 tasks DONE\nSession budget: 2\/20\n$/,
    );
    const json = outcomeOf(await agentgate(place, 'plan', 'show', 'b', '--json'));
    expect(json).toMatchObject({ kind: 'plan.item', id: 'b', status: 'stuck', check: stuck });
    expect((await agentgate(place, 'plan', 'status')).stdout).toContain(
      `Session: 1/2 done, 2 inner iterations, 0 tests, 1 stuck\nNext: blocked (budget: 2/20 iterations used)\n`,
    );
    expect((await agentgate(place, 'plan', 'list')).stdout).toContain(`${String(planId)}  stuck`);
    const listed = await agentgate(place, 'list');
    expect(listed.stdout).toContain('a: Write a.txt.');
    expect(listed.stdout).not.toContain('Read the specs');
  });
  it('of items beside each other that are under way is that they run, and both go on after a stop', async () => {
    const slow = (id: string) =>
      `touch "$here/${id}.working"; while [ ! -e "$here/free" ]; do sleep 0.1; done; echo done > ${id}.txt\n`;
    place.write({
      '../do/a.sh': slow('a'),
      '../do/b.sh': slow('b'),
      'plan.json': plan({ items: [item('a', { paths: ['a.txt'] }), item('b', { paths: ['b.txt'] })] }),
    });
    const { ended } = start(place, ['plan', 'run', '--json']);
    await until(() => ['a', 'b'].every((id) => existsSync(join(base(), `${id}.working`))));
    expect((await agentgate(place, 'list')).stdout.match(/ running /g)).toHaveLength(2);
    expect((await agentgate(place, 'plan', 'stop')).exit).toBe(0);
    expect(outcomeOf(await ended)).toMatchObject({ status: 'stopped' });
    expect(await statuses()).toEqual({ a: 'in-progress', b: 'in-progress' });
    writeFileSync(join(base(), 'free'), '');
    const again = await run();
    expect([again.exit, outcomeOf(again)], again.stderr).toMatchObject([0, { status: 'complete' }]);
    for (const id of ['a', 'b'])
      expect(readFileSync(join(place.workspace, `${id}.txt`), 'utf8')).toBe('done\n');
  });
  it('of an item that needs a grant is how to give it, and that is a way on', async () => {
    place.write({
      'test/a.test.mjs': "import test from 'node:test'; test('a', () => { throw new Error('no'); });\n",
      '../do/a.sh':
        "echo \"import test from 'node:test'; test('a', () => {});\" > test/a.test.mjs; echo done > a.txt\n",
      'plan.json': plan({
        run: { agent: ['sh', join(base(), 'agent.sh')] },
        items: [item('a', { gates: { tests: 'node --test test/' }, limits: { iterations: 1 } })],
      }),
    });
    await run();
    const shown = await agentgate(place, 'plan', 'show', 'a');
    const [, runId] = /agentgate approve (\S+) --grant/.exec(shown.stdout) ?? [];
    expect(runId, shown.stdout).toBeDefined();
    expect((await agentgate(place, 'restore', runId!, '--to', 'last')).exit).toBe(0);
    const granted = await agentgate(place, 'approve', runId!, '--grant');
    expect(granted.exit, granted.stderr + granted.stdout).toBe(0);
    expect((await agentgate(place, 'plan', 'redirect', '--retry', 'a')).exit).toBe(0);
    const again = await run();
    expect([again.exit, await statuses()], again.stderr).toEqual([0, { a: 'done' }]);
  });
});

describe('a plan that was begun goes on without its file', () => {
  const files = () => ({ 'plan.json': plan({ items: [item('a'), item('b')], limits: { session: 1 } }) });
  it.each<[string, () => void, string[], string]>([
    ['that is gone', () => rmSync(join(place.workspace, 'plan.json')), [], 'plan.json is gone'],
    [
      'that cannot be read',
      () => place.write({ 'plan.json': '{"items": [' }),
      [],
      'plan.json cannot be followed',
    ],
    [
      'when it is named by its id, whatever the file says',
      () => place.write({ 'plan.json': plan({ items: [item('other')] }) }),
      ['id'],
      'plan.json is left aside',
    ],
  ])('%s', async (_name, spoil, how, told) => {
    place.write(files());
    expect((await run()).exit).toBe(3);
    spoil();
    const { planId } = await status();
    const dry = await agentgate(place, 'plan', 'run', planId, '--dry-run');
    expect(dry.stdout).toContain(`goes on as ${planId}`);
    const again = await run(...(how.length > 0 ? [planId] : []));
    expect([again.exit, again.stderr]).toEqual([0, expect.stringContaining(`${told}`)]);
    expect(again.stderr).toContain(`plan ${planId} goes on as it was`);
    expect(begun()).toEqual(['a', 'b']);
  });
  it('and an edit that cannot be followed names that way', async () => {
    place.write({ ...files(), '../do/a.sh': 'echo no > a.txt\n' });
    expect((await run()).exit).toBe(3);
    place.write({ 'plan.json': plan({ items: [item('renamed'), item('b')], limits: { session: 1 } }) });
    const { planId } = await status();
    for (const more of [[], ['--edited']])
      expect((await run(...more)).stderr).toContain(
        `agentgate plan run ${planId} goes on with the plan as it was`,
      );
  });
});

describe('the files of other loops are read as they are', () => {
  const spec = () =>
    `agent: [sh, ${JSON.stringify(join(base(), 'agent.sh'))}]\ngates: { any: "test -e ok" }\nintegrity: off\ntask: x\n`;
  it('fix_plan.md with its boxes, and PROMPT.md for every agent', async () => {
    place.write({
      'agentgate.yaml': spec(),
      ok: '',
      'PROMPT.md': 'Read the specs first.\n',
      'fix_plan.md':
        '# Fix plan\n- [x] Set up\n- [ ] Write the parser\n- [ ] Write the printer (after: write-parser)\n',
      '../do/write-parser.sh': 'cp "$AGENTGATE_PROMPT_FILE" "$here/prompt.txt"; echo x > parser.txt\n',
    });
    const told = await agentgate(place, 'plan', 'run', '--json');
    expect([told.exit, outcomeOf(told)], told.stderr).toMatchObject([0, { status: 'complete' }]);
    expect(begun()).toEqual(['write-parser', 'write-printer']);
    expect(readFileSync(join(base(), 'prompt.txt'), 'utf8')).toContain('Read the specs first.');
    // A box that an agent ticks is nobody's proof.
    appendFileSync(join(place.workspace, 'fix_plan.md'), '- [ ] Write the docs\n');
    const asked = await agentgate(place, 'plan', 'run');
    expect([asked.exit, asked.stderr]).toEqual([2, expect.stringContaining('write-docs added')]);
    expect((await agentgate(place, 'plan', 'run', '--edited', '--json')).exit).toBe(0);
    expect(begun().at(-1)).toBe('write-docs');
  });
  it('prd.json, whose criteria a person ticks', async () => {
    const story = { title: 'Cart', acceptanceCriteria: ['It stays.'], priority: 1, passes: false };
    place.write({
      'agentgate.yaml': spec(),
      ok: '',
      'prd.json': JSON.stringify({
        project: 'Shop',
        userStories: [
          { id: 'US-2', ...story, priority: 2 },
          { id: 'US-1', ...story },
        ],
      }),
    });
    expect(outcomeOf(await run())).toMatchObject({ status: 'complete-with-caveats' });
    expect(begun()).toEqual(['US-1', 'US-2']);
  });
  it('PROMPT.md alone as one item', async () => {
    place.write({ 'agentgate.yaml': spec(), ok: '', 'PROMPT.md': 'Do all of it.\n' });
    const told = await agentgate(place, 'plan', 'run', 'PROMPT.md', '--json');
    expect([told.exit, outcomeOf(told)], told.stderr).toMatchObject([
      0,
      { status: 'complete', attempted: 1 },
    ]);
  });
});
