import { createInterface, type Interface } from 'node:readline/promises';
import { asksPersons, type Event, type RunState } from '@agentgate/core';
import { type Control, whoAmI } from '@agentgate/runtime';
import { harmless, type Terminal } from './terminal.ts';

/** Where a person can be asked: both ends of a terminal. */
export interface Desk {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
}

/**
 * Puts a run's questions to the person at the terminal and hands the answers to its control, the same way by
 * which other processes reach it. A question is taken back as soon as the run goes on without an answer.
 */
export function attend(
  desk: Desk,
  terminal: Terminal,
  control: Control,
): { onEvent(event: Event, state: RunState): void; close(): void } {
  let asking: AbortController | null = null;
  const takeBack = () => {
    asking?.abort();
    asking = null;
  };
  const ask = (put: (rl: Interface, signal: AbortSignal) => Promise<void>) => {
    takeBack();
    const mine = new AbortController();
    asking = mine;
    void question(desk, mine.signal, put);
  };
  return {
    onEvent(event, state) {
      if (event.kind !== 'decided') return;
      takeBack();
      const { decision } = event;
      if (decision.kind === 'ask')
        ask((rl, signal) => askWhatNext(rl, signal, terminal, control, decision.iteration));
      if (decision.kind === 'wait') {
        const gate = personGate(state);
        if (gate) ask((rl, signal) => askApproval(rl, signal, terminal, control, state, gate));
      }
    },
    close: takeBack,
  };
}

async function question(
  { input, output }: Desk,
  signal: AbortSignal,
  put: (rl: Interface, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const rl = createInterface({ input, output });
  // In a terminal the interface takes Ctrl-C for itself; it must end the run as it does everywhere else.
  rl.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    await put(rl, signal);
  } catch (error) {
    if ((error as Error).name !== 'AbortError') throw error;
  } finally {
    rl.close();
  }
}

const choices = 'continue, stop, accept, or redirect with new words';

async function askWhatNext(
  rl: Interface,
  signal: AbortSignal,
  terminal: Terminal,
  control: Control,
  iteration: number,
): Promise<void> {
  for (;;) {
    terminal.status(null);
    const line = (await rl.question(`     What next? ${choices}: `, { signal })).trim();
    const answer = readAnswer(line);
    if (answer) return control.answer({ ...answer, iteration, by: 'prompt' });
    terminal.out(`     "${line}" is no answer; say ${choices}.`);
  }
}

/** `c`, `continue`, `stop`, `accept`, `redirect use the old parser`; null for anything else. */
export function readAnswer(
  line: string,
): { answer: 'continue' | 'stop' | 'accept' } | { answer: 'redirect'; text: string } | null {
  const [word = '', ...rest] = line.trim().split(/\s+/);
  const text = rest.join(' ');
  const answer = (['continue', 'stop', 'accept', 'redirect'] as const).find(
    (one) => word !== '' && one.startsWith(word.toLowerCase()),
  );
  if (!answer) return null;
  if (answer === 'redirect') return text === '' ? null : { answer, text };
  return text === '' ? { answer } : null;
}

async function askApproval(
  rl: Interface,
  signal: AbortSignal,
  terminal: Terminal,
  control: Control,
  { current }: RunState,
  { name, message }: { name: string; message: string },
): Promise<void> {
  terminal.status(null);
  for (;;) {
    const line = (
      await rl.question(`     ${name}: ${harmless(message)} yes, or no and why: `, { signal })
    ).trim();
    const [, word = '', why = ''] = /^(y|yes|n|no)\b[\s,:]*(.*)$/i.exec(line) ?? [];
    if (word === '') continue;
    const approved = word.toLowerCase().startsWith('y');
    return control.approve({
      gate: name,
      tree: current?.tree ?? '',
      by: whoAmI(),
      approved,
      ...(why === '' ? {} : { note: why }),
    });
  }
}

/** The gate that a person is waited for, if any, with what it asks. */
export function personGate({ spec, current }: RunState): { name: string; message: string } | null {
  for (const gate of spec?.gates ?? []) {
    const verdict = current?.verdicts.get(gate.name);
    if (verdict?.kind !== 'pending' || !asksPersons(gate)) continue;
    return { name: gate.name, message: verdict.note ?? 'Do you approve this tree?' };
  }
  return null;
}
