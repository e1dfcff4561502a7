import type { Finding, Gate, GateRequest, Judgement, NamedGate, Verdict } from '@agentgate/core';
import { noRun } from '@agentgate/core';
import type { Seal } from '../integrity/index.ts';
import { type Elsewhere, orWhy } from './elsewhere.ts';
import type { AuditedGate, Since } from './result.ts';

export interface GatesRequest {
  root: string;
  base: string;
  tree: string;
  seal: Seal;
  judge: Gate;
  elsewhere(): Promise<Elsewhere>;
  signal: AbortSignal;
  marker: string;
  keepFds: readonly number[];
}

/** Long enough for any suite that a person waits for. */
const timeoutMs = 30 * 60_000;

/** Judges one gate on the workspace; where it is red tells apart what was red before. */
export async function auditGate(gate: NamedGate, request: GatesRequest): Promise<AuditedGate> {
  const { root, signal, marker, keepFds } = request;
  const timeout = gate.timeout ?? timeoutMs;
  const asked: GateRequest = { gate, root, run: noRun, timeoutMs: timeout, marker, signal, keepFds };
  const { verdict, tookMs } = await request.judge(asked);
  const judged: AuditedGate = { gate, verdict, tookMs, findings: [] };
  if (signal.aborted) return judged;
  if (verdict.kind === 'failed') return { ...judged, ...(await tellApart(verdict.findings, asked, request)) };
  return verdict.kind === 'passed' ? { ...judged, ...(await withOldFiles(asked, request)) } : judged;
}

/** Gates that start programs on the tree or read its files can do so in another place. */
const canMove = ({ kind }: NamedGate): boolean =>
  ['command', 'levels', 'checklist', 'artifact'].includes(kind);
const onlyHere = 'a gate of this kind is judged in place only';

type Told = Pick<AuditedGate, 'findings' | 'untold'>;

async function tellApart(
  findings: readonly Finding[],
  asked: GateRequest,
  { base, tree, elsewhere }: GatesRequest,
): Promise<Told> {
  const mark = (since: (finding: Finding) => Since) => findings.map((one) => ({ ...one, since: since(one) }));
  // Nothing differs, so nothing is new.
  if (base === tree) return { findings: mark(() => 'before') };
  if (!canMove(asked.gate)) return { findings: mark(() => null), untold: onlyHere };
  const before = await orWhy(async () => {
    const place = await elsewhere();
    const trust = await place.trust(asked);
    return 'why' in trust ? trust : place.judge(asked, { tree: base, rung: trust.rung });
  });
  if ('why' in before) return { findings: mark(() => null), untold: before.why };
  const untold = unclear(before.verdict);
  return untold === null
    ? { findings: mark(sinceBy(before.verdict)) }
    : { findings: mark(() => null), untold };
}

/** Only a judgement that came to its end says what was red. */
function unclear(verdict: Verdict): string | null {
  switch (verdict.kind) {
    case 'passed':
    case 'failed':
      return null;
    case 'unable':
      return `at the base it could not run: ${verdict.fault.message}`;
    default:
      return `at the base it did not come to an end (${verdict.kind})`;
  }
}

function sinceBy(before: Verdict): (finding: Finding) => Since {
  if (before.kind !== 'failed') return () => 'new';
  const known = new Set(before.findings.map(({ id }) => id));
  // What could not be loaded, or only said that it failed, may have hidden anything.
  const hides = before.findings.some(({ load, synthetic }) => load || synthetic);
  return ({ id }) => (known.has(id) ? 'before' : hides ? null : 'new');
}

/** A gate that passes by files that were changed must pass with the older ones, too. */
async function withOldFiles(
  asked: GateRequest,
  { seal, tree, elsewhere }: GatesRequest,
): Promise<Pick<AuditedGate, 'withOldFiles' | 'untold'>> {
  if (seal.fromBase.size + seal.replaced.size === 0) return {};
  if (!canMove(asked.gate)) return { untold: onlyHere };
  const found = await orWhy(async (): Promise<Judgement | { why: string } | null> => {
    const place = await elsewhere();
    if (!place.seals)
      return { why: 'the files it judges by were changed, and here it cannot be judged without that' };
    const sealed = await place.judge(asked, { tree, rung: 'sealed', seal });
    if (sealed.verdict.kind === 'passed') return null;
    const trust = await place.trust(asked);
    if ('why' in trust) return trust;
    return trust.rung === 'sealed' ? sealed : place.judge(asked, { tree, rung: trust.rung, seal });
  });
  if (found === null) return {};
  if ('why' in found) return { untold: found.why };
  return found.verdict.kind === 'failed' ? { withOldFiles: found.verdict.findings } : {};
}
