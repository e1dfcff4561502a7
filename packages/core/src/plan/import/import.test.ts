import { describe, expect, it } from 'vitest';
import { parsePlan } from '../parse-plan.ts';
import { readMarkdown } from './markdown.ts';
import { isPrd, readPrd } from './prd.ts';

describe('Markdown with check boxes', () => {
  const text = [
    '# Fix plan',
    'Keep it simple.',
    '',
    '## High priority',
    '- [ ] Write the lexer',
    '      with tests',
    '- [x] Set up the project',
    '- [ ] 1.2a Parser (after: write-lexer)',
    '  - [ ] expressions',
    '  - [ ] statements',
    '',
    '```',
    '- [ ] this is an example',
    '```',
    '## Low',
    '* [ ] Write the lexer',
  ].join('\n');
  it('is a plan in the order of the text', () => {
    const read = readMarkdown(text)!;
    expect(read.value).toEqual({
      title: 'Fix plan',
      context: 'Keep it simple.',
      items: [
        { id: 'write-lexer', title: 'Write the lexer', task: 'Write the lexer\nwith tests\n(High priority)' },
        {
          id: 'set-up-project',
          title: 'Set up the project',
          task: 'Set up the project\n(High priority)',
          done: true,
        },
        {
          id: '1.2a',
          title: '1.2a Parser',
          task: '1.2a Parser\n(High priority)',
          dependsOn: ['write-lexer'],
          parts: [
            { id: 'expressions', title: 'expressions', task: 'expressions' },
            { id: 'statements', title: 'statements', task: 'statements' },
          ],
        },
        { id: 'write-lexer-2', title: 'Write the lexer', task: 'Write the lexer\n(Low)' },
      ],
    });
    expect(read.lines.get('2.1')).toBe(10);
    expect(parsePlan(read.value).kind).toBe('plan');
  });
  it('has marks at the end of a line alone, and no box is done before those inside of it', () => {
    const read = readMarkdown(
      [
        '- [ ] Call it (after: the show) or not',
        '- [x] Both (id: both) (after: call-it-after-show)',
        '  - [ ] left',
        '- [x] All',
        '  - [x] there',
      ].join('\n'),
    )!;
    expect(read.value['items']).toMatchObject([
      { id: 'call-it-after-show', task: 'Call it (after: the show) or not' },
      { id: 'both', title: 'Both', dependsOn: ['call-it-after-show'], parts: [{ id: 'left' }] },
      { id: 'all', done: true, parts: [{ id: 'there', done: true }] },
    ]);
    expect(parsePlan(read.value).kind).toBe('plan');
  });
  it('is none without a box', () => {
    expect(readMarkdown('# Do it\n- first\n- second\n')).toBeNull();
  });
});

describe('a file of user stories', () => {
  it('names a story by the same word where it is depended upon', () => {
    const userStories = [
      { id: 'US 1/a', title: 'List' },
      { id: 2, title: 'Cart', dependsOn: ['US 1/a'] },
      { id: 'c', title: 'Pay', dependsOn: [2] },
    ];
    expect(parsePlan(readPrd({ userStories }))).toMatchObject({
      kind: 'plan',
      plan: { items: [{ id: 'US-1-a' }, { id: '2', dependsOn: ['US-1-a'] }, { id: 'c', dependsOn: ['2'] }] },
    });
  });
  it('is a plan: stories are items, criteria are ticked by a person, what passes is done', () => {
    const value = {
      project: 'Shop',
      branchName: 'ralph/shop',
      description: 'A small shop',
      userStories: [
        {
          id: 'US-002',
          title: 'Cart',
          description: 'As a buyer …',
          acceptanceCriteria: ['Items stay after a reload'],
          priority: 2,
          passes: false,
          notes: '',
        },
        { id: 'US-001', title: 'List', priority: 1, passes: true },
      ],
    };
    expect(isPrd(value)).toBe(true);
    const parsed = parsePlan(readPrd(value));
    expect(parsed).toMatchObject({
      kind: 'plan',
      plan: {
        title: 'Shop',
        goal: 'A small shop',
        items: [
          {
            id: 'US-002',
            task: 'Cart\n\nAs a buyer …',
            acceptance: [{ person: 'Items stay after a reload' }],
            priority: 2,
          },
          { id: 'US-001', done: true },
        ],
      },
    });
  });
});
