import { expect, it } from 'vitest';
import { bootId } from './boot.ts';

it.runIf(process.platform === 'linux')('names this start of the machine, the same each time', () => {
  expect(bootId()).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(bootId()).toBe(bootId());
});

it('does not guess where the system does not tell', () => {
  expect(bootId('/proc/no-such-file')).toBeUndefined();
});
