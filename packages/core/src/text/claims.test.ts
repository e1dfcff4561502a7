import { describe, expect, it } from 'vitest';
import { defaultSignals, findClaim } from './index.ts';

type Row = readonly [name: string, output: string, signal: string | null];

const claims: readonly Row[] = [
  ['the token alone', 'TASK_COMPLETE', 'TASK_COMPLETE'],
  ['the longer token', 'TASK_COMPLETED', 'TASK_COMPLETED'],
  ['a bare word alone', 'DONE', 'DONE'],
  ['a bare word with a full stop', 'All tests pass.\n\nDONE.', 'DONE'],
  ['a bare word with an exclamation mark', 'Fixed it\nDONE!\n', 'DONE'],
  ['a bare word in bold', 'Fixed it\n\n**DONE**\n\n', 'DONE'],
  ['a bare word in bold with a stop inside', '**DONE.**', 'DONE'],
  ['a bare word in italics', '*DONE*', 'DONE'],
  ['an indented bare word', '  DONE  ', 'DONE'],
  ['a bare word alone in the middle', 'step one\nDONE\nbye', 'DONE'],
  ['brackets', '[DONE]', '[DONE]'],
  ['brackets with a space inside', '[TASK COMPLETE]', '[TASK COMPLETE]'],
  ['brackets in a line', 'Everything is green [COMPLETE]', '[COMPLETE]'],
  ['brackets before text', '[DONE] marker parsing is fixed', '[DONE]'],
  ['a token in a line', 'All 41 tests pass, TASK_COMPLETE', 'TASK_COMPLETE'],
  ['a token after a sentence', 'I did not touch the lockfile. TASK_COMPLETE', 'TASK_COMPLETE'],
  ['a token after a negated line', 'I did not touch the lockfile\nTASK_COMPLETE', 'TASK_COMPLETE'],
  ['a token with a status label', 'Status: TASK_COMPLETE', 'TASK_COMPLETE'],
  ['a token in bold with a label', '**Status:** **TASK_COMPLETE**', 'TASK_COMPLETE'],
  ['a token in a heading', '## TASK_COMPLETE', 'TASK_COMPLETE'],
  ['a token as a list item', '- TASK_COMPLETE', 'TASK_COMPLETE'],
  ['a token with an emoji', '✅ TASK_COMPLETE 🎉', 'TASK_COMPLETE'],
  ['a token in tags', '<promise>TASK_COMPLETE</promise>', 'TASK_COMPLETE'],
  ['a token in brackets', '[TASK_COMPLETE]', 'TASK_COMPLETE'],
  ['a token as output', 'Final output: TASK_COMPLETE', 'TASK_COMPLETE'],
  ['the act of printing', 'All gates are green, so I print TASK_COMPLETE', 'TASK_COMPLETE'],
  ['the act announced', 'I will now print the signal:\n\nTASK_COMPLETE', 'TASK_COMPLETE'],
  ['a report', 'I am happy to report TASK_COMPLETE.', 'TASK_COMPLETE'],
  ['a completion label', 'Completion signal: TASK_COMPLETE', 'TASK_COMPLETE'],
  ['an arrival', 'After fixing the parser we have reached TASK_COMPLETE', 'TASK_COMPLETE'],
  ['no failures', 'There are no failures left: TASK_COMPLETE', 'TASK_COMPLETE'],
  [
    'a claim followed by an offer',
    'TASK_COMPLETE\n\nWould you like me to open a pull request?',
    'TASK_COMPLETE',
  ],
  ['a claim followed by a condition', 'TASK_COMPLETE. If you need more, tell me.', 'TASK_COMPLETE'],
  ['a claim with what was left alone', 'TASK_COMPLETE, though I did not touch the docs.', 'TASK_COMPLETE'],
  ['after a closed fence', '```sh\nnpm test\n```\nTASK_COMPLETE', 'TASK_COMPLETE'],
  ['after a fence hung on a list item', '- ```js\n  x\n  ```\n\nDONE', 'DONE'],
  ['after an inline span', 'Ran `npm test`, all green: TASK_COMPLETE', 'TASK_COMPLETE'],
  ['after an apostrophe', "It's green and that's all: TASK_COMPLETE", 'TASK_COMPLETE'],
  ['after two apostrophes of plurals', "the gates' results and the tests: TASK_COMPLETE", 'TASK_COMPLETE'],
  ['after a length', 'Set the width to 5" as asked. TASK_COMPLETE', 'TASK_COMPLETE'],
  ['after a quoted part', 'Renamed "foo" to "bar". TASK_COMPLETE', 'TASK_COMPLETE'],
  ['windows line ends', 'ok\r\nDONE\r\n', 'DONE'],
  ['a refusal taken back later', 'I cannot say TASK_COMPLETE yet.\nFixed.\nTASK_COMPLETE', 'TASK_COMPLETE'],
  [
    'a long Markdown summary',
    '## Summary\n\n- Fixed `parse()` so that it does not throw\n- Added 3 tests\n\n```\nTests 12 passed\n```\n\nAll gates are green.\n\n**TASK_COMPLETE**\n',
    'TASK_COMPLETE',
  ],
];

const silences: readonly Row[] = [
  ['nothing', '', null],
  ['no signal', 'All tests pass and the work is finished.', null],
  ['lower case', 'task_complete\ndone', null],
  ['inside a word', 'ABANDONED\nUNDONE\nDONENESS', null],
  ['a longer status', 'DONE_WITH_CAVEATS', null],
  ['an underscore in front', '_DONE\nNOT_TASK_COMPLETE', null],
  ['a digit behind', 'DONE2\nTASK_COMPLETE1', null],
  ['a letter of another alphabet', 'éDONE\nTASK_COMPLETEж', null],
  ['brackets on a letter', 'items[DONE]', null],
  ['a bare word in a line', 'The work is DONE', null],
  ['a bare word as a label', 'DONE: parser', null],
  ['a bare word as a list item', '- DONE', null],
  ['a bare word in a heading', '### DONE', null],
  ['a bare word asked', 'DONE?', null],
  ['a bare word answered', 'DONE? No', null],
  ['a bare word in other brackets', '(DONE)', null],
  ['negation', 'This is not TASK_COMPLETE', null],
  ['contraction', "This isn't TASK_COMPLETE", null],
  ['curly contraction', 'I can’t claim TASK_COMPLETE', null],
  ['never', 'I never reached TASK_COMPLETE', null],
  ['no longer', 'The state is no longer [DONE]', null],
  ['cannot say', 'I cannot say TASK_COMPLETE', null],
  ['not yet', 'Not yet TASK_COMPLETE', null],
  ['almost', 'We are almost TASK_COMPLETE', null],
  ['instead of', 'I printed a report instead of TASK_COMPLETE', null],
  ['without', 'The agent stopped without TASK_COMPLETE', null],
  ['failed to', 'The last build failed to reach TASK_COMPLETE', null],
  ['until', 'Until everything is TASK_COMPLETE I go on', null],
  ['before', 'Two tests must pass before I can say TASK_COMPLETE', null],
  ['once', 'Once the tests pass I will print TASK_COMPLETE', null],
  ['when', 'When the suite is green: TASK_COMPLETE', null],
  ['if', 'If all of that works, then TASK_COMPLETE', null],
  ['will print', 'I will print TASK_COMPLETE when the suite is green', null],
  ['contracted will', "I'll print TASK_COMPLETE at the end", null],
  ['should print', 'It should print TASK_COMPLETE', null],
  ['would be', 'The right answer would be TASK_COMPLETE', null],
  ['would be, behind', 'Saying TASK_COMPLETE now would be premature', null],
  ['an instruction', 'Reply with TASK_COMPLETE', null],
  ['an instruction to print', 'Print exactly TASK_COMPLETE', null],
  ['an instruction recalled', 'You asked me to print [DONE]', null],
  ['an instruction for others', 'The agent must output the line TASK_COMPLETE', null],
  ['a promise above', 'Once the tests pass I will print:\n\nTASK_COMPLETE', null],
  ['a promise in bold above', '**I should only reply with:**\n\n**DONE**', null],
  ['a hanging verb above', 'For now I will not print\nTASK_COMPLETE\n', null],
  [
    'a wrapped negation',
    'Two of the tests are still failing, so for now I will not print the\ntoken TASK_COMPLETE in this iteration.',
    null,
  ],
  [
    'a wrapped condition',
    'The remaining plan is to repair the parser, and after that comes TASK_COMPLETE\nonce the gates agree.',
    null,
  ],
  ['a denial behind', 'TASK_COMPLETE is not warranted', null],
  ['a contraction behind', "TASK_COMPLETE isn't true", null],
  ['a denial after a colon', 'TASK_COMPLETE: not yet', null],
  ['false behind', 'TASK_COMPLETE: false', null],
  ['a condition behind', '[DONE] only when the linter agrees', null],
  ['passive behind', 'TASK_COMPLETE will be printed at the end', null],
  ['a question', 'Is this TASK_COMPLETE?', null],
  ['a question answered', 'TASK_COMPLETE? No, two tests fail.', null],
  ['a line that ends with a question', 'TASK_COMPLETE or what else is missing?', null],
  ['the signal as a noun', 'The TASK_COMPLETE marker tells the loop to stop', null],
  ['a goal', 'Still working towards TASK_COMPLETE', null],
  ['a remainder', 'Remaining before TASK_COMPLETE: lint', null],
  ['a plan', 'Waiting for CI, then TASK_COMPLETE.', null],
  ['a plan with an arrow', 'After CI is green → TASK_COMPLETE', null],
  ['a part', 'Partially TASK_COMPLETE', null],
  ['criteria', 'TASK_COMPLETE criteria: all gates green', null],
  ['a search', 'grep -r TASK_COMPLETE src', null],
  ['a mention', 'The string TASK_COMPLETE appears in 3 files', null],
  ['a fence', '```\nTASK_COMPLETE\n```', null],
  ['a fence of tildes', '~~~text\nDONE\n~~~', null],
  ['an indented fence', '1. Run\n   ```sh\n   TASK_COMPLETE\n   ```', null],
  ['a fence in a longer fence', '````md\n```\nDONE\n```\nDONE\n````', null],
  ['a fence that is never closed', 'Output:\n```\nlog\nTASK_COMPLETE\n', null],
  ['a fence closed by the wrong mark', '```\nx\n~~~\nDONE\n', null],
  ['a code span', 'Look for `TASK_COMPLETE` in the log', null],
  ['a code span alone', '`DONE`', null],
  ['a code span of two ticks', 'the word ``a ` TASK_COMPLETE`` in it', null],
  ['a block quote', '> TASK_COMPLETE', null],
  ['an indented block quote', '  > DONE', null],
  ['double quotes', 'The log says "all green TASK_COMPLETE"', null],
  ['double quotes that never close', 'The log says "all green TASK_COMPLETE', null],
  ['single quotes', "The log says 'TASK_COMPLETE'", null],
  ['single quotes around an apostrophe', "It says 'don't stop, TASK_COMPLETE' there", null],
  ['curly quotes', 'The log says “TASK_COMPLETE”', null],
  ['curly single quotes', 'The log says ‘it’s TASK_COMPLETE’', null],
  ['guillemets', 'Le journal dit « TASK_COMPLETE »', null],
  ['low quotes', 'Da steht „TASK_COMPLETE“', null],
  ['a quoted bare word', '"DONE"', null],
  ['a member name', 'return State.TASK_COMPLETE;', null],
  ['a path', 'wrote out/TASK_COMPLETE.md', null],
  ['an assignment', "+const TASK_COMPLETE = 'x'", null],
  ['a shell command', '$ echo TASK_COMPLETE', null],
  ['a link', 'see [DONE](https://example.org)', null],
];

const find = (output: string, prompt?: string) => findClaim(output, { signals: defaultSignals, prompt });

describe('a claim is found in', () => {
  it.each(claims)('%s', (_, output, signal) => {
    expect(find(output)?.signal).toBe(signal);
  });
});

describe('no claim is found in', () => {
  it.each(silences)('%s', (_, output) => {
    expect(find(output)).toBeNull();
  });
});

describe('an echo of the prompt', () => {
  const prompt =
    'Fix the parser.\n- End with [DONE]\nWhen every gate agrees, the last line is TASK_COMPLETE today';

  it.each([
    ['a whole line', 'the last words:\n[DONE]', 'the last words:\n[DONE]'],
    ['a line without its list mark', 'End with [DONE]', prompt],
    ['a line with a list mark', '* End with [DONE]', prompt],
    ['a line in quotes', '“End with [DONE]”', prompt],
    ['a wrapped part', 'the last line is TASK_COMPLETE today', prompt],
  ])('is no claim: %s', (_, output, told) => {
    expect(find(output, told)).toBeNull();
  });

  it('does not silence the claim that was asked for', () => {
    expect(find(`${prompt}\n\nTASK_COMPLETE`, prompt)).toMatchObject({ signal: 'TASK_COMPLETE', line: 5 });
  });
});

describe('a claim', () => {
  it('reports the last place, with line and offset', () => {
    const output = 'TASK_COMPLETE\nmore\nall green: TASK_COMPLETED now';
    const offset = output.indexOf('TASK_COMPLETED');
    expect(find(output)).toEqual({ signal: 'TASK_COMPLETED', line: 3, offset, channel: 'text' });
  });

  it('is made by the signals of the spec and no others', () => {
    const options = { signals: ['SHIP IT', '', 'a+b'] };
    expect(findClaim('DONE\nSHIP IT!', options)?.signal).toBe('SHIP IT');
    expect(findClaim('please SHIP IT now', options)).toBeNull();
    expect(findClaim('DONE', { signals: [] })).toBeNull();
    expect(findClaim('now a+b', options)?.signal).toBe('a+b');
  });

  it('takes linear time on a megabyte of doubtful tokens', () => {
    const filler = [
      'not TASK_COMPLETE ',
      '\'a "TASK_COMPLETE ',
      '`` ` TASK_COMPLETE ',
      'will DONE\n',
      'will print TASK_COMPLETE ',
    ];
    for (const part of filler) {
      const output = part.repeat(1_000_000 / part.length);
      const start = performance.now();
      find(output, 'say TASK_COMPLETE');
      expect(performance.now() - start).toBeLessThan(5_000);
    }
  });
});
