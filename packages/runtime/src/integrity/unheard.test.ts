import { describe, expect, it } from 'vitest';
import { check, type Files } from './testing.ts';

const project: Files = {
  'package.json': '{"scripts":{"test":"node --test"}}',
  'test/a.test.js': "it('a', f);\n",
  'tests/test_a.py': 'def test_a():\n    assert f()\n',
};
const work: Files = {
  'src/a.js': '// eslint-disable-next-line no-console\nconsole.log(1);\n',
  'src/b.js': '/** @param {*} value */\nexport const f = (value) => value;\n',
  'app/a.py': 'def f(x: Any): ...  # noqa: E501\n',
};

async function told(base: Files, now: Files, testCommands?: string[]): Promise<string[]> {
  const rules = testCommands ? { testCommands } : {};
  const { ratchets } = await check(base, { ...base, ...now }, rules);
  return ratchets.map(({ kind, file }) => `${kind} ${file}`).sort();
}

const all = ['suppression app/a.py', 'suppression src/a.js', 'type-escape app/a.py', 'type-escape src/b.js'];

describe('what silences a tool', () => {
  it('is nothing where gates only run tests, and nothing names such a tool', async () => {
    expect(await told(project, work, ['node --test'])).toEqual([]);
  });

  it('is told where a gate may run more than tests', async () => {
    expect(await told(project, work)).toEqual(all);
  });

  it.each<[string, Files]>([
    ['a dependency', { 'package.json': '{"devDependencies":{"eslint":"9.0.0"}}' }],
    ['a test that runs it', { 'test/style.test.js': "run('npx tsc');\n" }],
    ['settings', { 'jest.config.js': "export default { preset: 'ts-jest' };\n" }],
    ['a name', { 'tsconfig.lint.json': '{}' }],
  ])('is told where the project has one, by %s', async (_, files) => {
    const found = await told({ ...project, ...files }, work, ['node --test']);
    expect(found).toEqual(expect.arrayContaining(['suppression src/a.js', 'type-escape src/b.js']));
  });

  it('is told where the command names one', async () => {
    expect(await told(project, work, ['pytest --mypy'])).toEqual([
      'suppression app/a.py',
      'type-escape app/a.py',
    ]);
  });

  it('is told of coverage where it is measured', async () => {
    const quiet = { 'src/c.js': '/* istanbul ignore next */\nf();\n' };
    expect(await told(project, quiet, ['jest'])).toEqual([]);
    expect(await told(project, quiet, ['jest --coverage'])).toEqual(['suppression src/c.js']);
  });

  it('is told in a language that has its types by name', async () => {
    expect(await told(project, { 'src/d.ts': 'export const x: any = 1;\n' }, ['jest'])).toEqual([
      'type-escape src/d.ts',
    ]);
  });
});
