import type { Notify, RunSpec } from '@agentgate/core';
import { makeNotify as makeWays } from '../notify/index.ts';
import { wordsOf } from './call.ts';
import { callStep, type Desk } from './desk.ts';

/** Tells the caller's `onNotify`, and whom the spec says. Never throws: what could not be told is in the record. */
export function makeNotify(desk: Desk, spec: RunSpec, root: string): Notify {
  const bySpec = makeWays(spec.notify, root);
  const byCallback = tellCallback(desk);
  return async (request, signal) =>
    (await Promise.all([bySpec(request, signal), byCallback(request)])).flat();
}

function tellCallback(desk: Desk): Notify {
  return async ({ about, iteration, gates, text }) => {
    const { onNotify } = desk.callbacks;
    if (!onNotify) return [];
    const step = {
      name: 'onNotify',
      phase: 'notify',
      iteration,
      // The end of a stopped run is told as well, so its stop does not cut this short.
      signal: new AbortController().signal,
      limitMs: desk.graceMs,
    };
    const called = await callStep(desk, step, (context) => onNotify({ about, gates, text }, context));
    if (called.kind === 'answered') return [{ way: 'onNotify', ok: true }];
    const detail = called.kind === 'threw' ? wordsOf(called.error) : 'it did not answer in time';
    desk.said.warnings.push(`onNotify (${about}): ${detail}`);
    return [{ way: 'onNotify', ok: false, detail }];
  };
}
