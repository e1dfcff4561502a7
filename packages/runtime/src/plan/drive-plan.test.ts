import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { foldPlan, type PlanDecisionOf, type PlanEvent, type PlanState, planHealth } from '@agentgate/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openHome } from '../store/index.ts';
import { drivePlan, type PlanControl } from './drive-plan.ts';
import { findPlanFile, loadPlan } from './load-plan.ts';
import { openPlanStore } from './plan-store.ts';
import { pendingRedirects, sayToPlan } from './say.ts';

/** Does what stands behind `DO:` in its task. */
const doer = 'eval "$(sed -n "s/.*DO://p" "$AGENTGATE_PROMPT_FILE" | head -1)"';

let base: string;
let root: string;
let env: NodeJS.ProcessEnv;
const before = { ...process.env };
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'agentgate-plan-')));
  root = join(base, 'work');
  mkdirSync(root);
  env = { ...process.env, AGENTGATE_STATE_DIR: join(base, 'state'), XDG_CACHE_HOME: join(base, 'cache') };
  Object.assign(process.env, env);
  write({ '../doer.sh': doer });
});
afterEach(() => {
  process.env = { ...before };
  rmSync(base, { recursive: true, force: true });
});

function write(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const item = (id: string, act: string, gate: string, more: object = {}) => ({
  id,
  task: `DO:${act}`,
  gates: { own: gate },
  ...more,
});
const plan = (items: object[], more: object = {}): string =>
  JSON.stringify({ run: { agent: ['sh', join(base, 'doer.sh')], integrity: 'off' }, items, ...more });

interface Played {
  state: PlanState;
  events: PlanEvent[];
  warnings: string[];
}

/** One session, in this process, with real agents and gates. */
async function session(
  how: { isEdited?: boolean; onEvent?: (event: PlanEvent, control: PlanControl) => void } = {},
): Promise<Played> {
  const home = openHome(root, env);
  const path = findPlanFile(root);
  const loaded = await loadPlan(root, path, env);
  if (loaded.kind === 'invalid') throw new Error(loaded.problems.map((one) => one.message).join('\n'));
  const store = openPlanStore(home.plans);
  const [known] = store.list();
  store.close();
  const events: PlanEvent[] = [];
  const warnings: string[] = [];
  let control: PlanControl;
  const ended = await drivePlan(
    {
      home,
      version: '0',
      env,
      onControl: (made) => void (control = made),
      watcher: {
        onEvent: (event) => {
          events.push(event);
          how.onEvent?.(event, control);
        },
        onWarning: (text) => warnings.push(text),
      },
      isEdited: how.isEdited ?? false,
      reread: async () => {
        const again = await loadPlan(root, path, env);
        return again.kind === 'loaded' ? again : { problem: again.problems[0]!.message };
      },
    },
    known === undefined ? loaded : { planId: known },
  );
  if (ended.kind === 'busy') throw new Error('busy');
  return { state: ended.state, events, warnings };
}
const statuses = ({ state }: Played) =>
  Object.fromEntries([...state.records].map(([id, { status }]) => [id, status]));
const begunItems = ({ events }: Played): string[] =>
  events.flatMap((one) =>
    one.kind === 'plan.decided' && one.decision.kind === 'run-item' ? [one.decision.item] : [],
  );
const ending = ({ state }: Played) => state.session!.ended!.status;

describe('what a stuck item left is taken out', () => {
  it('without the work of others that came after it', async () => {
    const asks =
      'if [ ! -e ../asked ]; then touch ../asked; echo \'{"ask":"which?"}\' > "$AGENTGATE_OUTCOME_FILE"; fi; date +%N > a.txt';
    write({
      'plan.json': plan([item('a', asks, 'test -f never'), item('b', 'echo b > b.txt', 'test -f b.txt')], {
        limits: { item: 2 },
      }),
    });
    const first = await session();
    expect([ending(first), statuses(first)]).toEqual(['blocked', { a: 'in-progress', b: 'done' }]);
    write({ 'mine.txt': 'mine\n' });
    const redirect = { kind: 'binding', item: 'a', text: 'This one.' } as const;
    await sayToPlan(openHome(root, env), first.state.planId, { kind: 'redirect', redirect });
    const second = await session();
    expect(statuses(second)).toEqual({ a: 'stuck', b: 'done' });
    expect([read('b.txt'), read('mine.txt')]).toEqual(['b\n', 'mine\n']);
    expect(existsSync(join(root, 'a.txt'))).toBe(false);
  });
  it('with everything that a given up alternative left, its done parts as well', async () => {
    const one = {
      id: 'one',
      parts: [
        item('one1', 'echo 1 > one1.txt', 'test -f one1.txt'),
        item('one2', 'date +%N > one2.txt', 'test -f never', { dependsOn: ['one1'] }),
      ],
    };
    write({
      'plan.json': plan(
        [{ id: 'g', alternatives: [one, item('two', 'echo 2 > two.txt', 'test -f two.txt')] }],
        {
          limits: { item: 2 },
        },
      ),
    });
    const played = await session();
    expect(ending(played)).toBe('complete');
    expect(readdirSync(root).filter((name) => name.endsWith('.txt'))).toEqual(['two.txt']);
  });
  it('but not where it cannot be told from what others did, and that is said', async () => {
    const act = 'if [ "$AGENTGATE_ITERATION" = 1 ]; then echo a > same.txt; else date +%N > a.txt; fi';
    write({
      'same.txt': 'x\n',
      'plan.json': plan(
        [item('a', act, 'cat a.txt; test -f never'), item('b', 'echo b > b.txt', 'test -f b.txt')],
        {
          limits: { session: 1, item: 2 },
        },
      ),
    });
    await session();
    write({ 'same.txt': 'mine\n' });
    const rest = [await session(), await session(), await session()];
    expect(read('same.txt')).toBe('mine\n');
    const reverted = rest.flatMap(({ events }) => events).find(({ kind }) => kind === 'item.reverted');
    expect(reverted).toMatchObject({ item: 'a', kept: ['same.txt'] });
    // What can be told apart is taken out all the same, and the reason names the rest.
    expect(existsSync(join(root, 'a.txt'))).toBe(false);
    expect(rest.at(-1)!.state.records.get('a')!.reason).toContain(
      'not taken back, since others changed them as well: same.txt',
    );
  });
});

describe('what is done is done when the plan is complete', () => {
  const counted = (id: string) => `echo ${id} >> ../judged; test -f ${id}.txt`;
  const judged = (word: string) =>
    readFileSync(join(base, 'judged'), 'utf8')
      .split('\n')
      .filter((line) => line === word).length;
  it('also where a later item breaks it: it is mended, and nothing is called complete before', async () => {
    write({
      'plan.json': plan([
        item('a', 'touch a.txt', 'test -f a.txt'),
        item('b', 'rm a.txt; touch b.txt', 'test -f b.txt'),
      ]),
    });
    const played = await session();
    expect([ending(played), existsSync(join(root, 'a.txt')), existsSync(join(root, 'b.txt'))]).toEqual([
      'complete',
      true,
      true,
    ]);
    const moves = played.events.flatMap((one) => (one.kind === 'plan.decided' ? [one.decision] : []));
    expect(moves.find(({ kind }) => kind === 'reopen')).toMatchObject({ item: 'a' });
  });
  it('or it is not complete', async () => {
    const once = 'if [ ! -e ../once ]; then touch ../once a.txt; fi';
    write({
      'plan.json': plan(
        [item('a', once, 'test -f a.txt'), item('b', 'rm a.txt; touch b.txt', 'test -f b.txt')],
        { limits: { item: 2 } },
      ),
    });
    const played = await session();
    expect([ending(played), statuses(played)]).toEqual(['stuck', { a: 'stuck', b: 'done' }]);
  });
  it('which costs one judgement of each gate on each tree, and none on a tree that is known', async () => {
    const gates = { all: 'echo all >> ../judged' };
    const items = ['a', 'b', 'c'].map((id) => item(id, `touch ${id}.txt`, counted(id)));
    write({ 'plan.json': plan(items, { gates }) });
    let before = 0;
    const played = await session({
      onEvent: (event) => {
        if (event.kind === 'plan.decided' && event.decision.kind === 'judge-item') before ||= judged('all');
      },
    });
    expect(ending(played)).toBe('complete');
    expect(played.events.filter(({ kind }) => kind === 'item.judged')).toHaveLength(2);
    expect(judged('all') - before).toBe(1);
  });
});

describe('a gate is judged for the whole as it was in the run of an item', () => {
  const beside = (id: string, more = '') =>
    item(id, `touch ${id}.txt${more}`, `test -f ${id}.txt`, { paths: [`${id}.txt`] });
  const conflicts = ({ events }: Played) => events.filter(({ kind }) => kind === 'item.conflicted');
  const lint = (more = '') => ({
    run: ['sh', '-c', `echo "TAP version 13"; echo "not ok 1 - old"; ${more} echo "1..1"; exit 1`],
    baseline: 'no-new',
  });
  it('what was red before the plan is nobody’s, at a merge and where parts come together', async () => {
    const whole = { id: 'p', gates: { style: lint() }, parts: [item('x', 'touch x.txt', 'test -f x.txt')] };
    write({
      'plan.json': plan([beside('a'), beside('b'), whole], { gates: { lint: lint() } }),
    });
    const played = await session();
    expect([ending(played), conflicts(played), begunItems(played)]).toEqual([
      'complete',
      [],
      ['a', 'b', 'x'],
    ]);
  });
  it('what is new, be it only in both together, does not come in', async () => {
    const both = lint('if [ -e a.txt ] && [ -e b.txt ]; then echo "not ok 2 - new"; fi;');
    write({ 'plan.json': plan([beside('a'), beside('b')], { gates: { lint: both } }) });
    const played = await session();
    expect([ending(played), conflicts(played)[0]]).toMatchObject(['stuck', { failing: ['lint'] }]);
  });
  it('what fails by chance is tried again where the gate asks for it', async () => {
    const chance = `if [ "$PWD" = ${root} ] && [ ! -e ../tried ]; then touch ../tried; echo "TAP version 13"; echo "not ok 1 - chance"; exit 1; fi; echo "ok 1 - chance"`;
    const gates = { chancy: { run: ['sh', '-c', chance], flaky: { rerun: 2 } } };
    write({ 'plan.json': plan([beside('a'), beside('b')], { gates }) });
    const played = await session();
    expect([ending(played), conflicts(played)]).toEqual(['complete', []]);
    expect(existsSync(join(base, 'tried'))).toBe(true);
  });
});

describe('what is accepted of a group of alternatives judges each of them', () => {
  const acceptance = [
    { run: 'test -f good.txt', severity: 'hard' },
    { run: 'test -f nice.txt' },
    'It reads well.',
  ];
  const alternatives = [
    item('quick', 'echo 1 >> quick.txt', 'true', { limits: { iterations: 1 } }),
    item('careful', 'touch good.txt', 'true'),
  ];
  it('a hard command keeps one out, a soft one and a person are missed', async () => {
    write({ 'plan.json': plan([{ id: 'g', acceptance, alternatives }], { limits: { item: 3 } }) });
    const played = await session();
    expect(ending(played)).toBe('complete-with-caveats');
    expect(statuses(played)).toEqual({
      g: 'done-with-caveats',
      quick: 'stuck',
      careful: 'done-with-caveats',
    });
    const { records } = played.state;
    expect(records.get('quick')!.attempts[0]!.outcome.failing).toEqual(['g:accept-1']);
    expect(records.get('careful')!.reason).toBe('g:accept-2 fails');
    expect(records.get('g')!.reason).toBe('careful is done; not ticked: It reads well.');
  });
  it('also one that is in parts, when these are there', async () => {
    const parts = [item('p', 'touch p.txt', 'test -f p.txt')];
    const inParts = { id: 'quick', limits: { iterations: 1 }, parts };
    const group = { id: 'g', acceptance: acceptance.slice(0, 1), alternatives: [inParts, alternatives[1]] };
    write({ 'plan.json': plan([group], { limits: { item: 3 } }) });
    const played = await session();
    expect(begunItems(played)).toEqual(['p', 'quick', 'careful']);
    expect([ending(played), statuses(played)]).toMatchObject([
      'complete',
      { p: 'stuck', quick: 'stuck', careful: 'done' },
    ]);
  });
});

describe('an item that needs more than it seemed', () => {
  it('is an expansion, which is told and counted', async () => {
    const parts = [
      item('x', 'echo x > x.txt', 'test -f x.txt'),
      item('y', 'date +%N > y.txt', 'test -f never', { dependsOn: ['x'] }),
    ];
    const two = item('two', 'date +%N > two.txt', 'test -f never');
    write({
      'plan.json': plan([{ id: 'g', alternatives: [{ id: 'one', parts }, two] }], { limits: { item: 1 } }),
    });
    const { state, events } = await session();
    expect(events.filter(isChoice).map(({ decision }) => decision.from)).toEqual(['one', 'two']);
    expect([state.trend, state.session?.stalls]).toEqual(['expansion', 1]);
    expect(planHealth(state).reasons).toContain('more is left than before the last item was settled');
  });
});

const isChoice = (
  event: PlanEvent,
): event is PlanEvent & { kind: 'plan.decided'; decision: PlanDecisionOf<'choose'> } =>
  event.kind === 'plan.decided' && event.decision.kind === 'choose';

describe('what makes room for a first try of another', () => {
  it('is not there for its gates, and is there again at the next attempt', async () => {
    const act =
      'if [ ! -e ../second ]; then touch ../second; echo half > a.txt; else echo whole >> a.txt; fi';
    const a = item('a', act, 'grep -q half a.txt && grep -q whole a.txt');
    const b = item('b', 'echo b > b.txt', 'test -f b.txt && { ! test -f a.txt || grep -q whole a.txt; }');
    write({ 'plan.json': plan([a, b], { limits: { session: 2, item: 3 } }) });
    const first = await session();
    expect([ending(first), statuses(first)]).toEqual(['budget', { a: 'in-progress', b: 'done' }]);
    expect(existsSync(join(root, 'a.txt'))).toBe(false);
    const second = await session();
    expect([ending(second), statuses(second)]).toEqual(['complete', { a: 'done', b: 'done' }]);
    expect([read('a.txt'), read('b.txt')]).toEqual(['half\nwhole\n', 'b\n']);
  });
});

describe('the gates of a plan are those of its beginning', () => {
  const items = [
    item('a', 'touch a.txt; sh ../weaken.sh', 'test -f a.txt'),
    item('b', 'touch b.txt', 'test -f never'),
  ];
  it('whatever an agent writes into the file', async () => {
    write({
      '../weaken.sh': 'sed -i "s/test -f never/true/" plan.json\n',
      'plan.json': plan(items, { limits: { item: 1 } }),
    });
    const played = await session();
    expect([ending(played), statuses(played)]).toEqual(['stuck', { a: 'done', b: 'stuck' }]);
    expect(played.warnings.join('\n')).toContain('b: gates changed');
  });
  it('until a person says that the edit is theirs', async () => {
    const two = [item('a', 'touch a.txt', 'test -f a.txt'), item('b', 'touch b.txt', 'test -f never')];
    write({ 'plan.json': plan(two, { limits: { session: 1 } }) });
    await session();
    write({
      'plan.json': plan([two[0]!, item('b', 'touch b.txt', 'test -f b.txt')], { limits: { session: 1 } }),
    });
    const played = await session({ isEdited: true });
    expect([ending(played), statuses(played)]).toEqual(['complete', { a: 'done', b: 'done' }]);
  });
  it('also where they stand in the spec beside it', async () => {
    const agent = `[sh, ${JSON.stringify(join(base, 'doer.sh'))}]`;
    const spec = `agent: ${agent}\ntask: x\nintegrity: off\ngates: { all: "test -f never" }\n`;
    write({
      'agentgate.yaml': spec,
      'plan.json': JSON.stringify({
        items: [
          { id: 'a', task: 'DO:sed -i "s/test -f never/true/" agentgate.yaml' },
          { id: 'b', task: 'DO:touch b.txt' },
        ],
        limits: { item: 2 },
      }),
    });
    const played = await session();
    expect(statuses(played)).toEqual({ a: 'stuck', b: 'stuck' });
  });
});

describe('a session', () => {
  it('goes on where a crash left nothing but the folder of a run', async () => {
    write({ 'plan.json': plan([item('a', 'echo a > a.txt', 'test -f a.txt')]) });
    const { state } = await session();
    const home = openHome(root, env);
    const log = join(home.plans, state.planId, 'log.jsonl');
    const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
    const decided = lines.findIndex((line) => line.includes('"run-item"'));
    writeFileSync(log, `${lines.slice(0, decided + 1).join('\n')}\n`);
    const runId = readdirSync(home.runs).find((name) => !name.startsWith('.'));
    rmSync(join(home.runs, runId!, 'log.jsonl'));
    rmSync(join(root, 'a.txt'));
    const played = await session();
    expect([ending(played), played.state.records.get('a')?.used]).toEqual(['complete', 1]);
  });
  it('tells an item in the middle what a person said between two sessions', async () => {
    const act = 'cat "$AGENTGATE_PROMPT_FILE" >> ../prompts.txt; date +%N > x.txt';
    write({
      'plan.json': plan([item('a', act, 'cat x.txt; test -f never')], { limits: { session: 1, item: 4 } }),
    });
    const { state } = await session();
    const home = openHome(root, env);
    const redirect = { kind: 'constraint', text: 'No new packages.' } as const;
    expect(await sayToPlan(home, state.planId, { kind: 'redirect', redirect })).toBe('recorded');
    await session();
    expect(readFileSync(join(base, 'prompts.txt'), 'utf8')).toContain('No new packages.');
  });
  it('judges a word by the plan that those before it lead to, and shows what waits', async () => {
    write({ 'plan.json': plan([item('a', 'touch a.txt', 'test -f never')], { limits: { item: 1 } }) });
    const { state } = await session();
    const home = openHome(root, env);
    const say = (add: object[], remove: string[]) =>
      sayToPlan(home, state.planId, {
        kind: 'redirect',
        redirect: { kind: 'graph', add, remove, defer: [], retry: [] },
      });
    await say([item('b', 'touch b.txt', 'test -f b.txt')], []);
    await say([item('c', 'touch c.txt', 'test -f c.txt', { dependsOn: ['b'] })], []);
    await say([], ['a']);
    await expect(say([], ['a'])).rejects.toThrow('there is no item a');
    const store = openPlanStore(home.plans);
    expect(pendingRedirects(store, foldPlan(store.read(state.planId)))).toHaveLength(3);
    store.close();
    const played = await session();
    expect([ending(played), statuses(played), played.warnings.filter((one) => one.includes('word'))]).toEqual(
      ['complete', { b: 'done', c: 'done' }, []],
    );
  });
  it('keeps what the result of a run does not prove', async () => {
    write({ ok: '', 'plan.json': plan([item('a', 'touch a.txt', 'test -e ok')]) });
    const { state } = await session();
    expect(state.records.get('a')?.attempts[0]?.outcome.caveats).toEqual([
      expect.stringContaining('every gate was green before the agent began'),
    ]);
  });
  it('is stopped by its door, and nothing is judged or merged by halves', async () => {
    write({
      'plan.json': plan([
        { id: 'p', gates: { slow: 'sleep 20' }, parts: [item('a', 'touch a.txt', 'test -f a.txt')] },
      ]),
    });
    const played = await session({
      onEvent: (event, control) => {
        if (event.kind === 'plan.decided' && event.decision.kind === 'judge-item')
          setTimeout(() => control.stop('command', 'enough'), 200);
      },
    });
    expect(ending(played)).toBe('stopped');
    expect(played.events.some(({ kind }) => kind === 'item.left')).toBe(true);
    expect(played.state.records.get('p')?.judged).toBeNull();
  });
  it('works on items beside each other, merges them, and leaves no directory behind', async () => {
    const beside = (id: string) =>
      item(id, `mkdir -p ${id}; echo ${id} > ${id}/x.txt`, `test -f ${id}/x.txt`, { paths: [id] });
    write({
      'plan.json': plan([beside('a'), beside('b')]),
      'node_modules/x/index.js': '1',
      '.gitignore': 'node_modules\n',
    });
    const played = await session();
    expect(ending(played)).toBe('complete');
    expect([read('a/x.txt'), read('b/x.txt')]).toEqual(['a\n', 'b\n']);
    const home = openHome(root, env);
    expect(readdirSync(join(home.dir, 'items'))).toEqual([]);
    expect(readdirSync(join(base, 'cache', 'agentgate', 'worktrees'))).toEqual([]);
  });
  it('hands a merge back whose gates fail together with the others', async () => {
    const beside = (id: string) =>
      item(
        id,
        `touch ${id}.txt; cat "$AGENTGATE_PROMPT_FILE" >> ${base}/prompts; if grep -q "came in mean[w]hile" "$AGENTGATE_PROMPT_FILE"; then touch together.txt; fi`,
        `test ! -e a.txt || test ! -e b.txt || test -e together.txt || { echo a.txt and b.txt do not go together; exit 1; }`,
        {
          paths: [`${id}.txt`],
        },
      );
    const gates = { there: 'ls *.txt' };
    write({ 'plan.json': plan([beside('a'), beside('b')], { gates }) });
    const played = await session();
    const conflicts = played.events.filter((one) => one.kind === 'item.conflicted');
    expect(conflicts).toHaveLength(1);
    expect(conflicts[0]!.said).toEqual([{ gate: 'own', says: ['a.txt and b.txt do not go together'] }]);
    expect([ending(played), existsSync(join(root, 'together.txt'))]).toEqual(['complete', true]);
    expect(readFileSync(join(base, 'prompts'), 'utf8')).toContain('- a.txt and b.txt do not go together');
  });
  it('gives up a merge whose gates find the same again, with iterations left', async () => {
    const apart = `test ! -e a.txt || test ! -e b.txt || test "$PWD" != ${root}`;
    const beside = (id: string) => item(id, `date +%N > ${id}.txt`, apart, { paths: [`${id}.txt`] });
    write({ 'plan.json': plan([beside('a'), beside('b')], { gates: { there: 'ls *.txt' } }) });
    const played = await session();
    expect(played.events.filter(({ kind }) => kind === 'item.conflicted')).toHaveLength(2);
    const [first, second] = ['a', 'b'].map((id) => played.state.records.get(id)!);
    expect([first!.status, second!.status].toSorted()).toEqual(['done', 'stuck']);
    const stuck = first!.status === 'stuck' ? first! : second!;
    expect([stuck.code, stuck.used < 5]).toEqual(['item.inertia', true]);
  });
  it('looks into what is stuck and lets go on what does not need it', async () => {
    const probe = 'echo \'{"drop":["b"]}\' > "$AGENTGATE_OUTCOME_FILE"; echo looked';
    write({
      '../doer.sh': `if grep -q "^Investigate" "$AGENTGATE_PROMPT_FILE"; then ${probe}; else ${doer}; fi`,
      'plan.json': plan(
        [
          item('a', 'date +%N > a.txt', 'test -f never'),
          item('b', 'touch b.txt', 'test -f b.txt', { dependsOn: ['a'] }),
        ],
        { limits: { item: 1 } },
      ),
    });
    const played = await session();
    expect([ending(played), statuses(played)]).toEqual(['stuck', { a: 'stuck', b: 'done' }]);
  });
});

it('a log that was tampered with is refused, and says what to do', async () => {
  write({ 'plan.json': plan([item('a', 'touch a.txt', 'test -f a.txt')]) });
  const { state } = await session();
  const store = openPlanStore(openHome(root, env).plans);
  const log = join(store.dir(state.planId), 'log.jsonl');
  expect(foldPlan(store.read(state.planId)).session?.ended?.status).toBe('complete');
  appendFileSync(log, '{"kind":"item.ended"}\n');
  expect(() => store.read(state.planId)).toThrow(/damaged after event \d+.*plan run --new/);
});
