import { describe, expect, it } from 'vitest';
import { programOf } from './toolchain.ts';

describe('the program of a command', () => {
  it.each([
    ['npm test', 'npm'],
    ['CI=1 NODE_ENV=test npm test', 'npm'],
    [['cargo', 'test'], 'cargo'],
    ['cd packages/a && npm test', null],
    ['./gradlew test', null],
    ['"$TOOL" x', null],
  ])('of %s is %s', (run, program) => {
    expect(programOf(run)).toBe(program);
  });
});
