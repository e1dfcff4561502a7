import { expect, it } from 'vitest';
import { failed, green, play, specOf } from '../testing/play.ts';
import {
  type FinalReceipt,
  isSealed,
  makeFinalReceipt,
  parseFinalReceipt,
  receiptText,
} from './final-receipt.ts';

// A stand-in for a digest: what it must do here is to change with the text.
const hash = (text: string): string =>
  `${text.length}:${[...text].reduce((sum, one) => (sum * 31 + one.charCodeAt(0)) % 65_521, 7)}`;
const spec = specOf({
  gates: { tests: 'npm test', lint: { run: 'lint', severity: 'soft' } },
  strategy: 'fixed',
});
const { events } = play(spec, {
  turn: (iteration) => ({ tree: `t${iteration}`, tokens: 5, costUsd: 0.5 }),
  judge: (gate, tree) => (gate === 'lint' || tree === 't2' ? green : failed(['a'])),
});
const receipt = makeFinalReceipt(events, 'abc', hash)!;

it('tells how a run ended, on what evidence, and which log says so', () => {
  expect(receipt).toMatchObject({
    format: 'agentgate-receipt',
    v: 1,
    runId: 'r1',
    version: 'test',
    status: 'converged',
    code: 'goal.met',
    iterations: 2,
    tree: 't2',
    baseTree: 'base',
    gates: [
      { name: 'tests', severity: 'hard', verdict: 'passed', iteration: 2, tree: 't2' },
      { name: 'lint', severity: 'soft', verdict: 'passed', iteration: 2, tree: 't2' },
    ],
    costUsd: 1,
    tokens: 10,
    parent: null,
    log: { events: events.length, hash: 'abc' },
  });
});
it('is made of events alone: the same history gives the same bytes', () => {
  expect(receiptText(makeFinalReceipt(structuredClone(events), 'abc', hash)!)).toBe(receiptText(receipt));
});
it('is not there before the run has ended', () => {
  expect(makeFinalReceipt(events.slice(0, -1), 'abc', hash)).toBeNull();
  expect(makeFinalReceipt([], 'abc', hash)).toBeNull();
});
it('names the run and the event that a linked run goes on from', () => {
  const stopped = play(spec, { turn: () => ({}), judge: () => failed(['a']), stops: () => true }).events;
  const linked = play(spec, { turn: () => ({ tree: 't' }), judge: () => green }, stopped, 'r2').events;
  expect(makeFinalReceipt(linked, 'abc', hash)).toMatchObject({
    runId: 'r2',
    parent: { runId: 'r1', seq: stopped.length },
    log: { events: linked.length - stopped.length },
  });
});
it('shows every change of a value', () => {
  expect(isSealed(parseFinalReceipt(receiptText(receipt))!, hash)).toBe(true);
  for (const key of Object.keys(receipt) as (keyof FinalReceipt)[]) {
    const changed = { ...receipt, [key]: typeof receipt[key] === 'number' ? 99 : `${String(receipt[key])}?` };
    expect([key, isSealed(changed as FinalReceipt, hash)]).toEqual([key, false]);
  }
});
it('does not take something else for a receipt', () => {
  for (const text of ['', '[]', 'null', '{}', receiptText(receipt).slice(0, -10)])
    expect(parseFinalReceipt(text)).toBeNull();
  expect(parseFinalReceipt(JSON.stringify({ ...receipt, more: 1 }))).toBeNull();
});
