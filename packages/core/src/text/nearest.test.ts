import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nearest } from './index.ts';

const commands = [
  'run',
  'resume',
  'status',
  'replay',
  'verify',
  'maxIterations',
  'minIterations',
  'similarityThreshold',
];

describe('the nearest name', () => {
  it.each([
    ['rnu', 'run'],
    ['RUN', 'run'],
    ['stauts', 'status'],
    ['resum', 'resume'],
    ['verfiy', 'verify'],
    ['maxiterations', 'maxIterations'],
    ['maxIteration', 'maxIterations'],
    ['minIterations', 'minIterations'],
    ['similarity', 'similarityThreshold'],
    ['sim', 'similarityThreshold'],
  ])('of %s is %s', (name, expected) => {
    expect(nearest(name, commands)).toBe(expected);
  });

  it.each(['', 'x', 'deploy', 'zzzzzz', 'r'])('of %j is nothing', (name) => {
    expect(nearest(name, commands)).toBeUndefined();
  });

  it('is the first of equals, and a typing error goes before an abbreviation', () => {
    expect(nearest('gat', ['gate', 'gats'])).toBe('gate');
    expect(nearest('gate', ['gatekeeper', 'gates'])).toBe('gates');
  });

  it('is the name itself when it is there', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1 }), (names) => {
        const [first = ''] = names;
        expect(nearest(first, names)?.toLowerCase()).toBe(first.toLowerCase());
      }),
    );
  });
});
