import {
  type Fault,
  type Finding,
  type Gate,
  type GateRequest,
  type GateSpec,
  invariant,
  type Verdict,
} from '@agentgate/core';
import * as z from 'zod';
import { gateSubject, locateModule, moduleFault, openModuleProcess } from '../modules/index.ts';
import type { Failure } from '../modules/protocol.ts';
import { excerpt } from './excerpt.ts';
import { makeFailed, sayFindings } from './failed.ts';
import { hash, stableName } from './normalise.ts';
import { readable } from './said.ts';

type CustomGate = Extract<GateSpec, { kind: 'custom' }> & { name: string };

/** What a module may answer. Whatever else it says is not read. */
const Answer = z.object({
  passed: z.boolean().optional(),
  findings: z
    .array(
      z.object({
        id: z.string().min(1).max(500).optional(),
        title: z.string().min(1).max(2_000),
        file: z.string().max(1_000).optional(),
        line: z.number().int().optional(),
        message: z.string().max(10_000).optional(),
      }),
    )
    .default([]),
  /** True, or after how many milliseconds to ask again. */
  pending: z.union([z.boolean(), z.number().min(0)]).optional(),
  note: z.string().max(2_000).optional(),
});
type Answer = z.infer<typeof Answer>;

const pendingMs = 30_000;

/** Judges a tree by a module of the project, in a process of its own. Only a plain `passed: true` passes. */
export const judgeCustom: Gate = async (request) => {
  const { gate, root } = request;
  invariant(gate.kind === 'custom', 'a custom gate has a module');
  const fromMs = performance.now();
  const { output, ...said } = await askModule(request, gate);
  const printed = readable(output, root);
  const verdict =
    'failure' in said
      ? unanswered(request, gate, said.failure, printed)
      : judgeAnswer(gate, said.value, printed);
  return { verdict, tookMs: performance.now() - fromMs, output };
};

type Asked = { output: string } & ({ value: unknown } | { failure: Failure });

async function askModule(request: GateRequest, gate: CustomGate): Promise<Asked> {
  const located = await locateModule(request.root, gate.module);
  if (located.kind === 'failed') return { output: '', failure: located.failure };
  const opened = await openModuleProcess({
    root: located.root,
    marker: request.marker,
    memoryMb: gate.memoryMb,
    signal: request.signal,
    ...(request.keepFds ? { keepFds: request.keepFds } : {}),
    ...(request.onOutput ? { onOutput: request.onOutput } : {}),
  });
  if ('code' in opened) return { output: '', failure: opened };
  const { module, root } = located;
  const given = {
    gate: gate.name,
    root,
    config: gate.config,
    iteration: request.run.iteration,
    tree: request.run.tree,
    timeoutMs: request.timeoutMs,
  };
  const reply = await opened.call(
    { op: 'judge', module, root, name: gate.export, config: gate.config, request: given },
    request.timeoutMs,
  );
  const { output } = await opened.close();
  return { output, ...(reply.kind === 'value' ? { value: reply.value } : { failure: reply.failure }) };
}

/** A module that does not answer has neither passed nor failed. */
function unanswered(
  { signal, timeoutMs }: GateRequest,
  gate: CustomGate,
  failure: Failure,
  printed: string,
): Verdict {
  if (signal.aborted) return { kind: 'skipped', why: 'the run was stopped' };
  if (failure.code === 'timeout') return { kind: 'timed-out', afterMs: timeoutMs, excerpt: excerpt(printed) };
  return unable(moduleFault(gateSubject(gate.name, gate.module), failure), printed);
}

function judgeAnswer(gate: CustomGate, value: unknown, printed: string): Verdict {
  const parsed = Answer.safeParse(value);
  const answer = parsed.data;
  if (answer?.pending !== undefined && answer.pending !== false) return pending(answer);
  if (answer?.passed === undefined) {
    const detail = `answered neither passed nor failed (${describe(value, parsed.error)})`;
    return unable(moduleFault(gateSubject(gate.name, gate.module), { code: 'garbage', detail }), printed);
  }
  const findings = answer.findings.map(withId);
  if (answer.passed && findings.length === 0) {
    return { kind: 'passed', ...(answer.note === undefined ? {} : { note: answer.note }) };
  }
  return failed(gate, answer, findings, printed);
}

function pending({ pending: after, note }: Answer): Verdict {
  const retryAfterMs = typeof after === 'number' ? after : pendingMs;
  return { kind: 'pending', retryAfterMs, ...(note === undefined ? {} : { note }) };
}

function failed(gate: CustomGate, { passed, note }: Answer, findings: Finding[], printed: string): Verdict {
  const named =
    findings.length > 0
      ? findings
      : [
          {
            id: 'custom:failed',
            title: note ?? `${gate.module} says that it failed`,
            synthetic: true as const,
          },
        ];
  const contrary = passed ? `it said passed although it names what failed` : undefined;
  const notes = [note, contrary].filter((one) => one !== undefined);
  return makeFailed(
    named,
    [sayFindings(named), printed].join('\n'),
    notes.length > 0 ? { note: notes.join('; ') } : {},
  );
}

/** Without an id a finding is known by its title, freed of what differs from run to run. */
function withId({ id, title, file, line, message }: Answer['findings'][number]): Finding {
  return {
    id: id ?? `custom:${hash(`${stableName(title)}\n${file ?? ''}`, 16)}`,
    title,
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
    ...(message === undefined ? {} : { message }),
  };
}

function unable(fault: Fault, printed: string): Verdict {
  return { kind: 'unable', fault, ...(printed === '' ? {} : { excerpt: excerpt(printed) }) };
}

function describe(value: unknown, error: z.ZodError | undefined): string {
  if (value === null || value === undefined) return 'it answered nothing';
  if (typeof value !== 'object') return `it answered ${JSON.stringify(value).slice(0, 80)}`;
  const [first] = error?.issues ?? [];
  return first ? `${first.path.join('.') || 'answer'}: ${first.message}` : 'its answer has no passed';
}
