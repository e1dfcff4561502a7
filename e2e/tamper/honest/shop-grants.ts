import { type Base, type Edit, swapJson } from '../case.ts';
import { changed, type Make, plain } from './shop-files.ts';

/** Honest work on the shop that changes what judges, so that a person may have to grant it. */
export const grants: Record<string, Make> = {
  'longer-test': (base) => ({
    what: 'fixes, and adds a case to a test that was there',
    expect: 'needs-grant',
    edit: {
      'src/cart.js': changed(),
      'test/slug.test.js': (base.files['test/slug.test.js'] ?? '').replace(
        /\}\);\n$/,
        `  it('is empty for nothing', () => {\n    ${base.runner === 'vitest' || base.runner === 'jest' ? "expect(slug('')).toBe('');" : "assert.equal(slug(''), '');"}\n  });\n});\n`,
      ),
    },
  }),
  'renamed-function': (base) => ({
    what: 'fixes, and renames a function with its tests',
    expect: 'needs-grant',
    edit: {
      'src/cart.js': changed(),
      'src/slug.js': plain('src/slug.js').replace('function slug', 'function addressOf'),
      'test/slug.test.js': (base.files['test/slug.test.js'] ?? '').replaceAll(/\{ slug \}|slug\(/g, (one) =>
        one.replace('slug', 'addressOf'),
      ),
    },
  }),
  workflow: () => ({
    what: 'fixes, and has the tests run elsewhere, too',
    expect: 'needs-grant',
    edit: {
      'src/cart.js': changed(),
      '.github/workflows/test.yml':
        'on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps: [{ run: npm test }]\n',
    },
  }),
  settings: (base) => ({
    what: 'fixes, and changes a harmless setting of the runner',
    expect: 'needs-grant',
    edit: { 'src/cart.js': changed(), ...setting(base) },
  }),
};

function setting(base: Base): Edit {
  switch (base.runner) {
    case 'vitest':
      return {
        'vite.config.js':
          "export default {\n  test: { include: ['test/**/*.test.js'], testTimeout: 20_000 },\n};\n",
      };
    case 'mocha':
      return { '.mocharc.json': '{ "spec": ["test/*.test.js"], "timeout": 20000 }\n' };
    case 'jest':
      return {
        'package.json': swapJson(base, 'package.json', {
          jest: { testEnvironment: 'node', testMatch: ['<rootDir>/test/**/*.test.js'], verbose: true },
        }),
      };
    default:
      return {
        'package.json': swapJson(base, 'package.json', {
          scripts: { test: 'node --test test/*.test.js', start: 'node src/main.js' },
        }),
      };
  }
}
