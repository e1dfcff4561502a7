import { describe, expect, it } from 'vitest';
import { knownRunner, reportingWords } from './runner.ts';

const scripts = {
  test: 'vitest run',
  unit: 'jest --runInBand',
  spec: 'mocha',
  guarded: 'node --test',
  preguarded: 'rm -rf out',
  both: 'eslint . && vitest run',
  nested: 'npm test',
};

describe('a command that runs tests', () => {
  it.each([
    ['npm test', 'vitest', ['run']],
    ['npm t', 'vitest', ['run']],
    ['npm test -- --bail 1', 'vitest', ['run', '--bail', '1']],
    ['npm run unit', 'jest', ['--runInBand']],
    ['yarn run spec', 'mocha', []],
    ['npx vitest', 'vitest', []],
    ['npx --no-install jest src', 'jest', ['src']],
    ['./node_modules/.bin/mocha test', 'mocha', ['test']],
    ['node --test', 'node', ['--test']],
    ['node --test test/', 'node', ['--test', 'test/']],
    ['pytest -q', 'pytest', ['-q']],
    ["mocha 'test/*.test.js'", 'mocha', ['test/*.test.js']],
    ['mocha "test/**/*.spec.js" --bail', 'mocha', ['test/**/*.spec.js', '--bail']],
    ['jest --maxWorkers=2', 'jest', ['--maxWorkers=2']],
    ["pytest -m 'not slow' tests", 'pytest', ['-m', 'not slow', 'tests']],
    ['eslint .', 'eslint', ['.']],
    ['npx tsc --noEmit', 'tsc', ['--noEmit']],
    ['python3 -m pytest tests', 'pytest', ['tests']],
  ])('is known: %s', (run, runner, args) => {
    expect(knownRunner(run, scripts)).toMatchObject({ runner, args });
  });

  it.each([
    ['a shell would do more', 'vitest run && echo done'],
    ['a shell would put something in', 'pytest $ARGS'],
    ['a variable is set', 'CI=1 vitest run'],
    ['a script has one before it', 'npm run guarded'],
    ['a script does two things', 'npm run both'],
    ['a script calls another', 'npm run nested'],
    ['there is no such script', 'npm run nothing'],
    ['it asks for a report itself', 'vitest run --reporter=junit'],
    ['it watches', 'jest --watch'],
    ['it only lists', 'pytest --collect-only'],
    ['it is another program', 'make test'],
    ['a shell would fill in the program', 'node_*/vitest run'],
    ['a pattern has quotes in it', 'mocha "test"/*.js'],
    ['a shell would fill in a value', 'mocha "$TESTS"'],
    ['a quote is not closed', "mocha 'test"],
    ['a word is escaped', 'mocha test/a\\ b.js'],
    ['it compiles several projects', 'tsc -b'],
    ['it mends what it finds', 'eslint --fix .'],
    ['it runs a file', 'node test.js'],
  ])('is left as it is where %s', (_, run) => {
    expect(knownRunner(run, scripts)).toBeNull();
  });

  it.each([
    ['node --test test/*.test.js', ['--test'], ['test/*.test.js']],
    ['npm run many -- --bail', ['--bail'], ['test/*.js']],
    ["mocha 'a/*.js' b/?.js --bail", ['a/*.js', '--bail'], ['b/?.js']],
  ])('leaves names of files to the shell: %s', (run, args, globs) => {
    const known = knownRunner(run, { many: 'mocha test/*.js' })!;
    expect(known).toMatchObject({ args, globs });
    expect(reportingWords(known, '/r')[2]).toMatch(/exec "\$@" [\w/?*.]+$/);
  });

  it('takes words as they are, without a shell in mind', () => {
    expect(knownRunner(['pytest', '-k', 'a or (b)'], {})).toMatchObject({ args: ['-k', 'a or (b)'] });
  });

  it.each([
    ['vitest', ['vitest', 'run', '--reporter=default', '--reporter=json', '--outputFile.json=/r']],
    ['jest', ['jest', '--ci', '--json', '--outputFile=/r']],
    ['mocha', ['mocha', '--reporter', 'json', '--reporter-option', 'output=/r']],
    ['pytest', ['pytest', '-p', 'no:cacheprovider', '--junitxml=/r']],
  ])('reports to a place of ours: %s', (run, words) => {
    expect(reportingWords(knownRunner(run, {})!, '/r').slice(4)).toEqual(words);
  });
});
