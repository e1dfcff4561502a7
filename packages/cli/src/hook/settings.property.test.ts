import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { expect, it } from 'vitest';
import { withHooks, withoutHooks } from './settings.ts';

const command = 'agentgate hook answer';
const entries = ['Stop', 'UserPromptSubmit'].map((event) => ({ event, command, timeout: 60 }));

const group = fc.record({
  hooks: fc.array(fc.record({ type: fc.constant('command'), command: fc.string() })),
});
const settings = fc.record(
  {
    model: fc.string(),
    env: fc.dictionary(fc.string(), fc.string()),
    hooks: fc.dictionary(
      fc.constantFrom('Stop', 'PreToolUse', 'SessionStart'),
      fc.array(group, { minLength: 1, maxLength: 3 }),
    ),
  },
  { requiredKeys: [] },
);

it('what was there before our entries is there after them, to the byte', () => {
  fc.assert(
    fc.property(settings, fc.constantFrom(undefined, 1, 2, '\t'), (value, space) => {
      // An empty group of hooks is taken away with the last of ours.
      if (value.hooks && Object.keys(value.hooks).length === 0) return;
      const text = JSON.stringify(value, null, space);
      const made = withHooks(text, entries, 'f');
      const errors: never[] = [];
      parse(made, errors);
      expect(errors).toEqual([]);
      expect(withoutHooks(made, 'f')).toBe(text);
    }),
    { numRuns: 500 },
  );
});
