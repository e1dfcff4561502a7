import type { Gate, GateRequest, Verdict } from '@agentgate/core';
import { gateEnvironment, supervise } from '../process/index.ts';

const generatorMs = 30_000;
const longestWords = 2_000;

/** A failing gate with a generator of its own has the agent told what that prints; it judges nothing. */
export const withGenerator =
  (judge: Gate): Gate =>
  async (request) => {
    const judgement = await judge(request);
    const { feedback } = request.gate;
    if (judgement.verdict.kind !== 'failed' || typeof feedback !== 'object' || !('run' in feedback))
      return judgement;
    const words = await generate(feedback.run, judgement.verdict, request);
    return words === '' ? judgement : { ...judgement, feedback: words };
  };

/** What the generator printed; nothing when it failed, so that the findings themselves are told. */
async function generate(
  run: string | string[],
  verdict: Extract<Verdict, { kind: 'failed' }>,
  { gate, root, marker, signal, keepFds }: GateRequest,
): Promise<string> {
  const { end, output } = await supervise({
    argv: typeof run === 'string' ? ['/bin/sh', '-c', run] : (run as [string, ...string[]]),
    cwd: root,
    env: gateEnvironment(process.env, { AGENTGATE_GATE: gate.name }),
    marker,
    stdin: JSON.stringify({ gate: gate.name, findings: verdict.findings, excerpt: verdict.excerpt }),
    signal,
    timeoutMs: generatorMs,
    ...(keepFds ? { keepFds } : {}),
  });
  return end.kind === 'exited' && end.code === 0 ? output.trim().slice(0, longestWords) : '';
}
