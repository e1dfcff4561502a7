import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listMarked } from '../process/index.ts';
import { findStrategyFault } from './advisor.ts';
import { adviseBy, consult, endingOf, makeProject, told } from './testing.ts';

const count = `
  let n = 0;
  export default {
    decide: ({ iteration, limits }) => ({ continue: true, reason: \`\${++n} at \${iteration} of \${limits.iterations}\` }),
    snapshot: () => ({ n }),
    restore: (state) => { n = state.n; },
  };`;

describe('a strategy in a process of its own', () => {
  it('advises, keeps what it knows between two questions, and leaves its state', async () => {
    const advisor = adviseBy(makeProject({ 'strategy.mjs': count }));
    expect(await consult(advisor, 1)).toMatchObject({
      answer: { kind: 'advice', reason: '1 at 1 of 10' },
      state: { n: 1 },
    });
    expect(await consult(advisor, 2)).toMatchObject({ answer: { reason: '2 at 2 of 10' }, state: { n: 2 } });
  });

  it('goes on from the state of an earlier session', async () => {
    const advisor = adviseBy(makeProject({ 'strategy.mjs': count }));
    expect(told(await consult(advisor, 5, { n: 4 }))).toBe('5 at 5 of 10');
  });

  it('goes on from its last state in a fresh process when the first one died', async () => {
    const dying = count
      .replace(
        'decide:',
        'decide: (context) => context.iteration === 2 ? process.exit(3) : answer(context), answer:',
      )
      .replaceAll('answer(context)', '({ continue: true, reason: String(++n) })');
    const advisor = adviseBy(makeProject({ 'strategy.mjs': dying }));
    expect(told(await consult(advisor, 1))).toBe('1');
    expect(told(await consult(advisor, 2, { n: 1 }))).toContain('ended its process with code 3');
    expect(told(await consult(advisor, 3, { n: 1 }))).toBe('2');
  });

  it('is told the smallest limit that binds, its own cap included', async () => {
    const advisor = adviseBy(makeProject({ 'strategy.mjs': count }), { max: 50 });
    expect(told(await consult(advisor, 1))).toBe('1 at 1 of 20');
  });

  it.each(['strategy.mjs', 'strategy.js', 'strategy.cjs', 'strategy.ts', 'deep/er/strategy.mts'])(
    'is loaded from %s, by its path in the project or by its whole path',
    async (file) => {
      const typed = /\.m?ts$/.test(file) ? ': { iteration: number }' : '';
      const body = `({ iteration }${typed}) => ({ continue: true, reason: 'from ' + iteration })`;
      const text =
        file.endsWith('.cjs') || file.endsWith('.js')
          ? `exports.mine = ${body};`
          : `export const mine = ${body};`;
      const root = makeProject({ [file]: text });
      expect(told(await consult(adviseBy(root, { module: file, name: 'mine' }), 3))).toBe('from 3');
      expect(told(await consult(adviseBy(root, { module: join(root, file), name: 'mine' }), 4))).toBe(
        'from 4',
      );
    },
  );

  it('is given its config', async () => {
    const root = makeProject({
      'strategy.mjs':
        'export default class { constructor(c) { this.c = c; } decide() { return { continue: true, reason: JSON.stringify(this.c) }; } }',
    });
    expect(told(await consult(adviseBy(root, { config: { a: [1] } })))).toBe('{"a":[1]}');
    expect(told(await consult(adviseBy(root)))).toBe('{}');
  });

  it('prints as it likes, and none of it is an answer', async () => {
    const printed: string[] = [];
    const text = `console.log('{"continue":false}'); export const decide = () => { console.log('asked'); return { continue: true, reason: 'r' }; }`;
    const advisor = adviseBy(
      makeProject({ 'strategy.mjs': text }),
      {},
      { onOutput: (chunk) => printed.push(chunk) },
    );
    expect(told(await consult(advisor))).toBe('r');
    await advisor.end(endingOf());
    expect(printed.join('')).toBe('{"continue":false}\nasked\n');
  });

  it('inherits no secret', async () => {
    process.env['MODULE_TEST_API_KEY'] = 'secret';
    process.env['NODE_OPTIONS_BEFORE'] = 'x';
    const root = makeProject({
      'strategy.mjs':
        'export const decide = () => ({ continue: true, reason: JSON.stringify(process.env) });',
    });
    const reason = told(await consult(adviseBy(root)));
    delete process.env['MODULE_TEST_API_KEY'];
    delete process.env['NODE_OPTIONS_BEFORE'];
    expect(reason).toContain('"PATH"');
    expect(reason).not.toMatch(/secret|NODE_OPTIONS/);
  });

  it('has its advice bounded and free of control characters', async () => {
    const text = `export const decide = () => ({ continue: true, reason: '\\u001b[31mred\\u001b[0m\\nand '.padEnd(5000, 'x'), code: 'no code!', feedback: '\\u0007' + 'f'.repeat(30000) });`;
    const { answer } = await consult(adviseBy(makeProject({ 'strategy.mjs': text })));
    expect(answer).toMatchObject({ kind: 'advice', reason: expect.stringMatching(/^red and x+$/) });
    if (answer.kind !== 'advice') return;
    expect([answer.reason.length, answer.feedback?.length, answer.code]).toEqual([500, 20_000, undefined]);
  });

  it.each([
    { name: 'is too large', snapshot: '"x".repeat(100000)', says: '100002 characters' },
    { name: 'cannot be taken', snapshot: '(() => { throw new Error("no state") })()', says: 'no state' },
  ])('still advises when its state $name, and says so', async ({ snapshot, says }) => {
    const text = `export const decide = () => ({ continue: true, reason: 'r' }); export const snapshot = () => ${snapshot};`;
    const consulted = await consult(adviseBy(makeProject({ 'strategy.mjs': text })));
    expect(consulted).toMatchObject({
      answer: { metadata: { stateNotKept: expect.stringContaining(says) } },
    });
    expect(consulted).not.toHaveProperty('state');
  });
});

describe('what goes wrong says what, where and what next', () => {
  const good = 'export const decide = () => ({ continue: true, reason: "r" });';
  it.each([
    {
      name: 'a missing module',
      files: {},
      spec: {},
      says: 'module.missing: strategy strategy.mjs: there is no such file; correct strategy.module',
    },
    {
      name: 'a folder',
      files: { 'strategy.mjs/x': '' },
      spec: {},
      says: 'module.missing: strategy strategy.mjs: it is not a file',
    },
    {
      name: 'a file of another kind',
      files: { 'a.json': '{}' },
      spec: { module: 'a.json' },
      says: 'module.missing: strategy a.json: it is no module; its name must end in',
    },
    {
      name: 'a path out of the project',
      files: {},
      spec: { module: '../../../etc/hosts' },
      says: 'module.outside: strategy ../../../etc/hosts: it lies outside of the project',
    },
    {
      name: 'a missing export',
      files: { 'strategy.mjs': 'export const a = 1, b = 2;' },
      spec: { name: 'mine' },
      says: 'module.export: strategy strategy.mjs: it exports no mine; it exports: a, b; name what it exports in strategy.name',
    },
    {
      name: 'no export at all',
      files: { 'strategy.mjs': 'export const foo = 1, bar = 2;' },
      spec: {},
      says: 'no function decide, onIterationComplete or shouldContinue; found: bar, foo',
    },
    {
      name: 'a wrong interface',
      files: { 'strategy.mjs': 'export default { go() {} };' },
      spec: {},
      says: 'module.interface: strategy strategy.mjs: the object has no function decide, onIterationComplete or shouldContinue; found: go; docs/custom.md',
    },
    {
      name: 'a refused config',
      files: {
        'strategy.mjs': `export const initialize = ({ n }) => {\n  if (!n) throw new Error('n is missing');\n}; ${good}`,
      },
      spec: {},
      says: 'module.config: strategy strategy.mjs refuses its config: n is missing (at strategy.mjs:2:17); correct strategy.config',
    },
    {
      name: 'a throw',
      files: { 'strategy.mjs': 'export const decide = () => {\n  null.x;\n};' },
      spec: {},
      says: "module.threw: strategy strategy.mjs threw: TypeError: Cannot read properties of null (reading 'x') (at strategy.mjs:2:8); correct the module",
    },
    {
      name: 'a mistake of syntax',
      files: { 'strategy.mjs': 'export const decide = () => {\n  return {' },
      spec: {},
      says: 'module.import: strategy strategy.mjs cannot be loaded: SyntaxError: Unexpected end of input (at strategy.mjs:2)',
    },
    {
      name: 'a mistake of syntax in TypeScript',
      files: { 'a.ts': 'export const decide = (: number) => 1;' },
      spec: { module: 'a.ts' },
      says: 'module.import: strategy a.ts cannot be loaded',
    },
    {
      name: 'a missing package',
      files: { 'strategy.mjs': `import 'not-there'; ${good}` },
      spec: {},
      says: "cannot be loaded: Cannot find package 'not-there'",
    },
    {
      name: 'no answer in time',
      files: { 'strategy.mjs': 'export const decide = () => new Promise(() => {});' },
      spec: { timeout: 300 },
      says: 'module.timeout: strategy strategy.mjs did not answer within 0.3 s when it was asked; make it quicker, or raise strategy.timeout',
    },
    {
      name: 'an exit',
      files: { 'strategy.mjs': 'export const decide = () => { console.error("bye"); process.exit(7); };' },
      spec: {},
      says: 'module.exited: strategy strategy.mjs ended its process with code 7 when it was asked, last saying: bye; it must answer',
    },
    {
      name: 'garbage',
      files: { 'strategy.mjs': 'export const decide = () => 42;' },
      spec: {},
      says: 'module.garbage: strategy strategy.mjs answered 42 instead of {continue, reason}; it must answer {continue: true or false, reason: a text}',
    },
    {
      name: 'memory',
      files: {
        'strategy.mjs':
          'const all = []; export const decide = () => { for (;;) all.push(Buffer.alloc(1e7, 1)); };',
      },
      spec: { memoryMb: 64 },
      says: 'module.memory: strategy strategy.mjs used more than 64 MB when it was asked; let it keep less, or raise strategy.memoryMb',
    },
    {
      name: 'a state that it refuses',
      files: { 'strategy.mjs': `export const restore = () => { throw new Error('old state'); }; ${good}` },
      spec: {},
      says: 'module.threw: strategy strategy.mjs threw: old state',
    },
  ])('$name', async ({ files, spec, says }) => {
    expect(
      told(await consult(adviseBy(makeProject(files as Record<string, string>), spec), 1, { n: 1 })),
    ).toContain(says);
  });

  it('is found before a run begins, without running the module', async () => {
    const root = makeProject({ 'strategy.mjs': 'process.exit(1)' });
    const spec = { kind: 'custom', name: 'default', config: {}, max: 1, timeout: 1, memoryMb: 32 } as const;
    expect(await findStrategyFault(root, { ...spec, module: 'strategy.mjs' })).toBeNull();
    expect(await findStrategyFault(root, { ...spec, module: 'other.mjs' })).toMatchObject({
      code: 'module.missing',
    });
    expect(await findStrategyFault(root, { kind: 'fixed', iterations: 1 })).toBeNull();
  });

  it('a project that is gone', async () => {
    const root = makeProject({});
    rmSync(root, { recursive: true });
    expect(told(await consult(adviseBy(root)))).toContain('module.missing');
  });
});

describe('the end of the loop', () => {
  const hook = `
    import { appendFileSync } from 'node:fs';
    export default {
      decide: ({ iteration }) => iteration === 9 ? process.exit(1) : ({ continue: true, reason: 'r' }),
      onLoopEnd: ({ finalResult, totalIterations }) => appendFileSync('ends', finalResult + totalIterations + '\\n'),
    };`;
  const endsOf = (root: string) =>
    existsSync(join(root, 'ends')) ? readFileSync(join(root, 'ends'), 'utf8') : '';

  it.each([
    { path: 'after answers', iterations: [1, 2] },
    { path: 'when nothing was ever asked', iterations: [] },
    { path: 'when its process has died', iterations: [1, 9] },
  ])('is told exactly once $path, however often it is reported', async ({ iterations }) => {
    const root = makeProject({ 'strategy.mjs': hook });
    const advisor = adviseBy(root);
    for (const iteration of iterations) await consult(advisor, iteration);
    await Promise.all([advisor.end(endingOf()), advisor.end(endingOf({ finalResult: 'error' }))]);
    await advisor.end(endingOf());
    expect(endsOf(root)).toBe('strategy_stop2\n');
  });

  it('waits for no hook longer than two seconds, and leaves no process behind', async () => {
    const root = makeProject({
      'strategy.mjs': 'export const decide = () => ({}); export const onLoopEnd = () => { for (;;); };',
    });
    const advisor = adviseBy(root);
    const fromMs = performance.now();
    await advisor.end(endingOf());
    expect(performance.now() - fromMs).toBeLessThan(4_000);
    expect(await listMarked(`module-test-${root}`)).toEqual([]);
  });

  it('starts nothing for a module that cannot be loaded', async () => {
    const root = makeProject({ 'strategy.mjs': 'throw new Error("no")' });
    const advisor = adviseBy(root);
    await consult(advisor);
    writeFileSync(join(root, 'strategy.mjs'), hook);
    await advisor.end(endingOf());
    expect(endsOf(root)).toBe('');
  });

  it('ends what the module started', async () => {
    const root = makeProject({
      'strategy.mjs': `import { spawn } from 'node:child_process';
        export const decide = () => {
          const child = spawn('sleep', ['300'], { detached: true, stdio: 'ignore' });
          child.unref();
          return { continue: true, reason: String(child.pid) };
        };`,
    });
    const advisor = adviseBy(root);
    const pid = Number(told(await consult(advisor)));
    expect(await listMarked(`module-test-${root}`)).toContain(pid);
    await advisor.end(endingOf());
    expect(await listMarked(`module-test-${root}`)).toEqual([]);
  });
});
