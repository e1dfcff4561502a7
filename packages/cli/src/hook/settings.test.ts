import { describe, expect, it } from 'vitest';
import { hasHooks, isOursAlone, withHooks, withoutHooks } from './settings.ts';

const command = 'agentgate hook answer';
const entries = [
  { event: 'UserPromptSubmit', command, timeout: 600 },
  { event: 'Stop', command, timeout: 3_600 },
];

describe('the settings of an agent', () => {
  it.each([
    ['nothing', ''],
    ['an empty group', '{}\n'],
    ['other settings', '{\n  "model": "x",\n  "env": { "A": "b" }\n}\n'],
    ['hooks of others', '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"./mine.sh"}]}]},"z":1}\n'],
    [
      'comments and odd spaces',
      '{\n\t// why not\n\t"hooks" : {\n\t\t"PreToolUse":[ {"matcher":"Bash","hooks":[]} ]\n\t}\n}\n',
    ],
    ['an empty list of an event that is none of ours', '{"hooks":{"PreToolUse":[]}}\n'],
    ['lines of another system', '{\r\n  "a": 1\r\n}\r\n'],
  ])('take our entries and give them back: %s', (_name, text) => {
    const made = withHooks(text, entries, 'f');
    expect(hasHooks(made)).toBe(true);
    expect(made.match(/agentgate hook answer/g)).toHaveLength(2);
    expect(withHooks(made, entries, 'f')).toBe(made);
    const back = withoutHooks(made, 'f');
    expect(hasHooks(back)).toBe(false);
    if (text !== '') expect(back).toBe(text);
  });

  it('keep every byte that is not ours', () => {
    const text =
      '{\n  "a":   1,\n  "hooks": {\n    "Stop": [\n      {"hooks": [{"type":"command","command":"./mine.sh"}]}\n    ]\n  }\n}\n';
    const made = withHooks(text, entries, 'f');
    for (const line of ['  "a":   1,', '      {"hooks": [{"type":"command","command":"./mine.sh"}]}'])
      expect(made).toContain(line);
  });

  it('can be read after us where commas stand behind the last entries', () => {
    const made = withHooks('{"z":1,"hooks":{"Stop":[],},}', entries, 'f');
    expect(withoutHooks(made, 'f')).toBe('{"z":1,}');
    expect(withoutHooks(withHooks('{"hooks":{},}', entries, 'f'), 'f')).toBe('{}');
  });

  it('are told from a file that was made for our entries alone', () => {
    const [made, mixed] = ['', '{}\n'].map((text) => withHooks(text, entries, 'f'));
    expect([isOursAlone(made!, 'f'), isOursAlone(mixed!, 'f')]).toEqual([true, false]);
    expect(isOursAlone(made!.replace('{', '{\n  "model": "x",'), 'f')).toBe(false);
  });

  it('have an older command of ours replaced, and a group with others in it left alone', () => {
    const older = withHooks(
      '',
      [{ ...entries[1]!, command: 'node "/old/bin/agentgate.cjs" hook answer' }],
      'f',
    );
    const made = withHooks(older, entries, 'f');
    expect(made).not.toContain('/old/');
    const mixed = JSON.stringify({ hooks: { Stop: [{ hooks: [{ command: './a' }, { command }] }] } });
    expect(withHooks(mixed, [entries[1]!], 'f')).toContain(mixed.slice(0, -4));
  });

  it.each([['{"a":}'], ['[]'], ['7'], ['{"hooks":[]}'], ['{"hooks":7}'], ['{"hooks":{"Stop":{}}}']])(
    'are left alone where nobody can read them: %s',
    (text) => {
      expect(() => withHooks(text, entries, 'settings.json')).toThrow(/settings\.json .*put it right/);
    },
  );
});
