import { describe, expect, it } from 'vitest';
import { type Context, guarded } from './context.ts';

/** What a command that throws this says, and the code that it exits with. */
async function failing(thrown: Error): Promise<{ said: string; code: number | null }> {
  const heard: { said: string; code: number | null } = { said: '', code: null };
  const context = {
    terminal: { err: (text: string) => (heard.said += text) },
    exit: (code: number) => (heard.code = code),
  } as unknown as Context;
  const act = guarded(() => {
    throw thrown;
  });
  await act.call(context, {});
  return heard;
}
const refused = (code: string) =>
  Object.assign(new Error(code), { code, syscall: 'open', path: '/state/log' });

describe('a command that fails', () => {
  it.each([
    ['EACCES', /cannot open \/state\/log \(EACCES\): check whose it is/],
    ['EIO', /\(EIO\): the disk failed/],
    ['EMFILE', /ulimit -n/],
  ])('says what the system refused: %s', async (code, words) => {
    const { said, code: exit } = await failing(refused(code));
    expect(said).toMatch(words);
    expect(exit).toBe(4);
  });

  it('keeps the trace of a bug of ours', async () => {
    for (const bug of [new TypeError('x is not a function'), refused('EBADF')])
      await expect(failing(bug)).rejects.toBe(bug);
  });
});
