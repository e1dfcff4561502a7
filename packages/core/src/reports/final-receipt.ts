import * as z from 'zod';
import type { Event, EventOf } from '../event.ts';
import { evolve } from '../evolve.ts';
import { Status } from '../outcome.ts';
import { emptyState, type RunState } from '../state.ts';

/** The last verdict of one gate, and the tree it was on. */
const ReceiptGate = z.object({
  name: z.string(),
  severity: z.enum(['hard', 'soft']),
  verdict: z.string(),
  iteration: z.number(),
  tree: z.string(),
});

/** What remains to be shown of an ended run: how it ended, on what evidence, and which log says so. */
export const FinalReceipt = z.object({
  format: z.literal('agentgate-receipt'),
  v: z.literal(1),
  runId: z.string(),
  version: z.string(),
  specHash: z.string(),
  startedAt: z.string(),
  endedAt: z.string(),
  status: Status,
  code: z.string(),
  reason: z.string(),
  iterations: z.number(),
  tree: z.string().nullable(),
  baseTree: z.string().nullable(),
  /** A gate that was never judged is left out. */
  gates: z.array(ReceiptGate),
  caveats: z.array(z.string()),
  costUsd: z.number().nullable(),
  tokens: z.number().nullable(),
  activeMs: z.number(),
  parent: z.object({ runId: z.string(), seq: z.number() }).nullable(),
  /** How many events the log has, and the hash that its last one carries. */
  log: z.object({ events: z.number(), hash: z.string() }),
  /** Over everything above, written as the text of the receipt without this line. */
  hash: z.string(),
});
export type FinalReceipt = z.infer<typeof FinalReceipt>;

type Body = Omit<FinalReceipt, 'hash'>;

/**
 * The receipt of an ended run, from its history and the hash of its own log; null while it has not ended. `hash` gives
 * a hex digest.
 */
export function makeFinalReceipt(
  events: Iterable<Event>,
  logHash: string,
  hash: (text: string) => string,
): FinalReceipt | null {
  const { state, first, judged } = follow(events);
  const { ended } = state;
  if (!first || !ended) return null;
  const body = bodyOf(state, first, ended, { judged, logHash });
  return { ...body, hash: hash(textOf(body)) };
}

/** The receipt as it is written: the same values are always the same bytes. */
export const receiptText = (receipt: FinalReceipt): string => `${textOf(receipt)}\n`;

/** Reads a receipt; null for what is none. Whether it is true is another question. */
export function parseFinalReceipt(text: string): FinalReceipt | null {
  try {
    const value: unknown = JSON.parse(text);
    // What the schema does not know would be lost, and with it the hash; such a receipt is not one of ours.
    return FinalReceipt.strict().safeParse(value).success ? (value as FinalReceipt) : null;
  } catch {
    return null;
  }
}

/** Whether a receipt says what it said when it was made. */
export function isSealed({ hash: sealed, ...body }: FinalReceipt, hash: (text: string) => string): boolean {
  return hash(textOf(body)) === sealed;
}

const textOf = (body: Body): string => JSON.stringify(body, null, 2);

type Judged = Map<string, EventOf<'gate.judged'>>;

function follow(events: Iterable<Event>) {
  const judged: Judged = new Map();
  let first: EventOf<'run.started'> | null = null;
  let state = emptyState();
  for (const event of events) {
    state = evolve(state, event);
    if (event.kind === 'run.started') first = event;
    if (event.kind === 'gate.judged') judged.set(event.gate, event);
  }
  return { state, first, judged };
}

function bodyOf(
  state: RunState,
  first: EventOf<'run.started'>,
  ended: EventOf<'run.ended'>,
  { judged, logHash }: { judged: Judged; logHash: string },
): Body {
  const { status, code, reason, iterations, tree, caveats, costUsd, tokens, activeMs } = ended;
  return {
    format: 'agentgate-receipt',
    v: 1,
    runId: state.runId,
    version: first.version,
    specHash: first.specHash,
    startedAt: first.at,
    endedAt: ended.at,
    status,
    code,
    reason,
    iterations,
    tree,
    baseTree: state.baseTree,
    gates: gatesOf(state, judged),
    caveats,
    costUsd,
    tokens,
    activeMs,
    parent: first.parent ? { runId: first.parent.runId, seq: first.parent.seq } : null,
    log: { events: ended.seq, hash: logHash },
  };
}

function gatesOf({ spec }: RunState, judged: Judged): FinalReceipt['gates'] {
  return (spec?.gates ?? []).flatMap(({ name, severity }) => {
    const last = judged.get(name);
    if (!last) return [];
    return [{ name, severity, verdict: last.verdict.kind, iteration: last.iteration, tree: last.tree }];
  });
}
