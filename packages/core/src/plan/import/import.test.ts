import { describe, expect, it } from 'vitest';
import { parsePlan } from '../parse-plan.ts';
import { readMarkdown } from './markdown.ts';
import { findPrd, readPrd } from './prd.ts';

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
  it('may have the same numbers under each heading, other marks, and words of its template', () => {
    const read = readMarkdown(
      [
        '<!-- Write items like this:',
        '- [ ] an example',
        '-->',
        '# Plan',
        '## Phase 1',
        '- [x] 1. Model',
        '- [~] 2. Store',
        '## Phase 2',
        '- [ ] 1. Table `<!--`',
        '- [!] Goal',
        '- [✓] Setup',
      ].join('\n'),
    )!;
    expect(read.value['items']).toMatchObject([
      { id: '1', done: true },
      { id: '2', title: '2. Store' },
      { id: '1-table' },
      { id: 'goal-2' },
      { id: 'setup', done: true },
    ]);
    expect(read.value['items']).toHaveLength(5);
    expect([read.value['context'], read.lines.get('0')]).toEqual([undefined, 6]);
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
    expect(parsePlan(readPrd(findPrd({ userStories })!))).toMatchObject({
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
    const parsed = parsePlan(readPrd(findPrd(value)!));
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
  it('may be a bare list, or call its list and what is in it otherwise, where its name says what it is', () => {
    const steps = ['Open the cart', 'It is empty'];
    const list = [
      { category: 'ui', description: 'An empty cart', steps, passes: false },
      { category: 'ui', description: 'A full cart', steps, tested: true },
    ];
    expect([findPrd(list), findPrd({ features: list })]).toEqual([null, null]);
    expect(findPrd({ items: [{ id: 'a', task: 'x' }], tasks: [] }, true)).toBeNull();
    expect(parsePlan(readPrd(findPrd(list, true)!))).toMatchObject({
      kind: 'plan',
      plan: {
        items: [
          { id: 'empty-cart', task: 'An empty cart\n\nSteps:\n- Open the cart\n- It is empty', done: false },
          { id: 'full-cart', done: true },
        ],
      },
    });
    const features = [
      { id: '#1', name: 'Login', status: 'completed', priority: 'P0', tasks: ['a', 'b'] },
      { id: 'F2', name: 'Logout', status: 'pending', priority: 'low', dependencies: ['#1'] },
      {
        id: 'F3',
        title: 'Sign up',
        acceptance_criteria: [{ description: 'It works' }, ''],
        depends_on: null,
      },
      {
        id: 'F4',
        title: 'By hand',
        priority: 'high',
        passes: false,
        skip: true,
        acceptanceCriteria: 'Once.',
      },
    ];
    expect(parsePlan(readPrd(findPrd({ name: 'Auth', features }, true)!))).toMatchObject({
      kind: 'plan',
      plan: {
        title: 'Auth',
        items: [
          { id: '1', title: 'Login', done: true, priority: 1 },
          { id: 'F2', priority: 4, dependsOn: ['1'] },
          { id: 'F3', priority: null, dependsOn: [], acceptance: [{ person: 'It works' }] },
          { id: 'F4', priority: 2, deferred: true, acceptance: [{ person: 'Once.' }] },
        ],
      },
    });
  });
});
