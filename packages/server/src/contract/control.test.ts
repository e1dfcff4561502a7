import { expect, it } from 'vitest';
import { invalid } from '../problem.ts';
import { RestoreRequest } from './control.ts';

it.each([['0'], ['bestest'], [-1], [1.5], [null], [{}]])(
  'what cannot be restored is answered with everything that can: %j',
  (to) => {
    const { error } = RestoreRequest.safeParse({ to });
    expect(invalid('body', error!).problem.message).toBe(
      'the body is not as it should be: to: expected "best", "last", the number of an iteration such as 0, which is before the run, or 6 to 40 digits of a tree',
    );
  },
);

it.each([['best'], ['last'], [0], [12], ['0123abc']])('%j can be restored', (to) =>
  expect(RestoreRequest.parse({ to })).toEqual({ to }),
);
