import type { Gate, GateRequest, Verdict } from '@agentgate/core';
import { supervise } from '../process/index.ts';
import { environmentOf } from './environment.ts';
import { inRoom } from './in-room.ts';
import { words } from './step.ts';

const generatorMs = 30_000;
const longestWords = 2_000;

/** A failing gate with a generator of its own has the agent told what that prints; it judges nothing. */
export const withGenerator =
  (judge: Gate): Gate =>
  async (request) => {
    const judgement = await judge(request);
    const { feedback } = request.gate;
    // Before the first iteration nobody is there to be told.
    const early = request.run.iteration === 0;
    if (early || judgement.verdict.kind !== 'failed' || typeof feedback !== 'object' || !('run' in feedback))
      return judgement;
    const { words, tookMs } = await generate(feedback.run, judgement.verdict, request);
    const judged = { ...judgement, tookMs: judgement.tookMs + tookMs };
    return words === '' ? judged : { ...judged, feedback: words };
  };

/** What the generator printed; nothing when it failed, so that the findings themselves are told. */
async function generate(
  run: string | string[],
  verdict: Extract<Verdict, { kind: 'failed' }>,
  request: GateRequest,
): Promise<{ words: string; tookMs: number }> {
  const { gate, root, marker, signal, keepFds, timeoutMs } = request;
  const { end, output, tookMs } = await supervise({
    argv: inRoom(request, words(run)),
    cwd: root,
    env: environmentOf(gate, { AGENTGATE_GATE: gate.name }),
    marker,
    stdin: JSON.stringify({ gate: gate.name, findings: verdict.findings, excerpt: verdict.excerpt }),
    signal,
    timeoutMs: Math.min(generatorMs, timeoutMs),
    ...(keepFds ? { keepFds } : {}),
  });
  const good = end.kind === 'exited' && end.code === 0;
  return { words: good ? output.trim().slice(0, longestWords) : '', tookMs };
}
