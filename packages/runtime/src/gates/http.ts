import { fault, type Gate, type GateRequest, invariant, type Verdict } from '@agentgate/core';
import { bounded } from './command.ts';
import { excerpt } from './excerpt.ts';
import { makeFailed, sayFindings } from './failed.ts';
import type { Asked } from '../net/ask.ts';
import { call } from './http/call.ts';
import { judgeAnswer } from './http/expect.ts';
import { type HttpGate, sayRequest } from './http/gate.ts';
import { fillHeaders } from './http/headers.ts';
import { serve } from './http/server.ts';
import { inTurn } from './http/turns.ts';
import { stopped } from './step.ts';

/** Judges by the answer to one request. Only what the gate names is called, and no secret of it is shown. */
export const judgeHttp: Gate = async (request) => {
  const { gate } = request;
  invariant(gate.kind === 'http', 'an http gate asks a server');
  let from = performance.now();
  if (!URL.canParse(gate.url))
    return { verdict: { kind: 'unable', fault: addressFault(gate) }, tookMs: 0, output: '' };
  const filled = fillHeaders(gate, process.env);
  if (filled.kind === 'unable') return { verdict: filled, tookMs: 0, output: '' };
  const { headers, hide } = filled;
  const judge = () => {
    // Waiting for another gate's server is no time of this one.
    from = performance.now();
    return judgeServed(request, gate, headers, hide);
  };
  const judged =
    gate.start === undefined ? await judge() : await inTurn(new URL(gate.url).host, request.signal, judge);
  const { verdict, said } = judged === 'stopped' ? { verdict: stopped.verdict, said: '' } : judged;
  return { verdict, tookMs: performance.now() - from, output: bounded(said) };
};

const addressFault = ({ name, url }: HttpGate) =>
  fault('gate.http', `gate ${name} cannot ask ${url}: it is no address; correct its url`);

/** A timer may ring a moment before the clock says so. */
const timerSlackMs = 10;

interface Judged {
  verdict: Verdict;
  said: string;
}

async function judgeServed(
  request: GateRequest,
  gate: HttpGate,
  headers: Record<string, string>,
  hide: (text: string) => string,
): Promise<Judged> {
  const untilMs = performance.now() + request.timeoutMs;
  const served = gate.start === undefined ? undefined : await serve(request, gate, gate.start, untilMs);
  if (served?.kind === 'halt') return { verdict: served.verdict, said: '' };
  if (served?.kind === 'failed') {
    const { id, title, output } = served;
    const verdict = makeFailed([{ id, title, load: true }], `${title}\n${hide(output)}`);
    return { verdict, said: hide(output) };
  }
  const asked = await call(gate, headers, untilMs, request.signal);
  const printed = (await served?.end()) ?? '';
  return judgeAsked(request, gate, asked, { untilMs, printed: hide(printed), hide });
}

function judgeAsked(
  request: GateRequest,
  gate: HttpGate,
  asked: Asked,
  { untilMs, printed, hide }: { untilMs: number; printed: string; hide: (text: string) => string },
): Judged {
  if (request.signal.aborted) return { verdict: stopped.verdict, said: '' };
  const body = asked.kind === 'answered' ? `${asked.status}\n${hide(asked.body)}` : asked.kind;
  const said = `${sayRequest(gate)}\n${body}${printed === '' ? '' : `\nThe server printed:\n${printed}`}`;
  if (asked.kind === 'late' && performance.now() >= untilMs - timerSlackMs) {
    return { verdict: { kind: 'timed-out', afterMs: request.timeoutMs, excerpt: excerpt(printed) }, said };
  }
  if (asked.kind === 'unreachable') {
    const message = `gate ${gate.name} cannot reach ${new URL(gate.url).host}: ${asked.why}; correct the address, or see to the network`;
    return { verdict: { kind: 'unable', fault: fault('gate.http', message) }, said };
  }
  const found = judgeAnswer(gate, asked);
  if (found.length === 0) return { verdict: { kind: 'passed' }, said };
  const findings = found.map((one) => ({
    ...one,
    title: hide(one.title),
    ...(one.message === undefined ? {} : { message: hide(one.message) }),
  }));
  return { verdict: makeFailed(findings, `${sayFindings(findings)}\n${said}`), said };
}
