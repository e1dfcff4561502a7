import { expect, it } from 'vitest';
import { profileText, sourcesOf } from './profile.ts';

const value = { limits: { iterations: 3 }, gates: { t: { run: ['npm', 'test'] } }, stuck: 'off' };
const whereOf = (path: readonly (string | number)[]) => `a.yaml:${path.join('/')}`;

it('shows each value of a profile with its place', () => {
  expect(profileText(value, whereOf)).toBe(
    [
      'limits:',
      '  iterations: 3 # a.yaml:limits/iterations',
      'gates:',
      '  t:',
      '    run: [ npm, test ] # a.yaml:gates/t/run',
      'stuck: off # a.yaml:stuck',
    ].join('\n'),
  );
});

it('names the place of each value for machines', () => {
  expect(sourcesOf(value, whereOf)).toEqual({
    'limits.iterations': 'a.yaml:limits/iterations',
    'gates.t.run': 'a.yaml:gates/t/run',
    stuck: 'a.yaml:stuck',
  });
});
