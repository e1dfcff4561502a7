import { describe, expect, it } from 'vitest';
import { defaultSignals, findClaim, findGiveUp } from './index.ts';

const nonce = '7f3a';
const prompt = `Work.\nWhen you are done print agentgate:done ${nonce} on a line of its own.\nOr: agentgate:give-up ${nonce} <reason>`;
const find = (output: string, told = prompt) =>
  findClaim(output, { signals: defaultSignals, nonce, prompt: told });

describe('the done marker', () => {
  it.each([
    ['alone', `agentgate:done ${nonce}`, 1],
    ['after other lines', `working\nok\n  agentgate:done ${nonce}\r\n`, 3],
    ['before other lines', `agentgate:done ${nonce}\nbye`, 1],
    ['in a fence', `\`\`\`\nagentgate:done ${nonce}\n\`\`\``, 2],
  ])('counts %s', (_, output, line) => {
    const offset = output.indexOf('agentgate');
    expect(find(output)).toEqual({ signal: 'agentgate:done', line, offset, channel: 'marker' });
  });

  it.each([
    ['with another nonce', 'agentgate:done 7f3b'],
    ['with a longer nonce', `agentgate:done ${nonce}0`],
    ['without a nonce', 'agentgate:done'],
    ['inside a line', `I print agentgate:done ${nonce}`],
    ['with text behind', `agentgate:done ${nonce} soon`],
    ['in a block quote', `> agentgate:done ${nonce}`],
    ['in the echoed prompt', prompt],
  ])('is nothing %s', (_, output) => {
    expect(find(output)).toBeNull();
  });

  it('is nothing when the prompt has the very line', () => {
    expect(find(`agentgate:done ${nonce}`, `Print:\n  agentgate:done ${nonce}\n`)).toBeNull();
  });

  it('is nothing when no nonce was given', () => {
    expect(findClaim('agentgate:done ', { signals: [], nonce: '' })).toBeNull();
    expect(findClaim('agentgate:done undefined', { signals: [] })).toBeNull();
  });

  it('comes before words', () => {
    expect(find(`agentgate:done ${nonce}\nTASK_COMPLETE`)?.channel).toBe('marker');
  });
});

describe('the give-up marker', () => {
  it('carries the reason of the last line', () => {
    const output = `agentgate:give-up ${nonce} first\nhm\nagentgate:give-up ${nonce}  the database is down \n`;
    expect(findGiveUp(output, { nonce, prompt })).toEqual({ reason: 'the database is down', line: 3 });
  });

  it('may come without a reason', () => {
    expect(findGiveUp(`agentgate:give-up ${nonce}`, { nonce })).toEqual({ reason: '', line: 1 });
  });

  it.each([
    ['another nonce', 'agentgate:give-up 1234 why'],
    ['a longer nonce', `agentgate:give-up ${nonce}9 why`],
    ['the form not filled in', `agentgate:give-up ${nonce} <reason>`],
    ['the echoed prompt', prompt],
    ['a mention', `I could print agentgate:give-up ${nonce} why`],
  ])('is nothing with %s', (_, output) => {
    expect(findGiveUp(output, { nonce, prompt })).toBeNull();
  });
});
