import { open, stat } from 'node:fs/promises';
import {
  type Fault,
  fault,
  type Finding,
  type Gate,
  type GateRequest,
  invariant,
  type Verdict,
} from '@agentgate/core';
import { boundedCall } from './bounded-call.ts';
import { findPath } from './find-path.ts';
import { isGlob } from './glob.ts';
import type { View } from './in-room.ts';
import { look, outsideFault } from './inside.ts';
import { hash } from './normalise.ts';

const maxContentBytes = 10 * 1024 * 1024;

/** Judges files by their presence, absence and content. Never reads outside of the root. */
export const judgeArtifact: Gate = async (request) => {
  const from = performance.now();
  const verdict = await judge(request);
  const output = verdict.kind === 'failed' ? verdict.excerpt : '';
  return { verdict, tookMs: performance.now() - from, output };
};

type Answer = { kind: 'met' } | { kind: 'unmet'; finding: Finding } | { kind: 'unable'; fault: Fault };
type Content = { path: string; text?: string | undefined; matches?: string | undefined };

async function judge(request: GateRequest): Promise<Verdict> {
  const { gate, signal } = request;
  invariant(gate.kind === 'artifact', 'an artifact gate judges artifacts');
  const checks = [
    ...gate.exists.map((path) => () => checkPresent(gate.name, request, path)),
    ...gate.notExists.map((path) => () => checkAbsent(gate.name, request, path)),
    ...gate.contains.map((content) => () => checkContent(gate.name, request, content)),
  ];
  if (checks.length === 0) return { kind: 'unable', fault: emptyFault(gate.name) };
  const findings: Finding[] = [];
  for (const check of checks) {
    if (signal.aborted) return { kind: 'skipped', why: 'the run was stopped' };
    const answer = await check();
    if (answer.kind === 'unable') return answer;
    if (answer.kind === 'unmet') findings.push(answer.finding);
  }
  if (findings.length === 0) return { kind: 'passed' };
  const text = findings.map((finding) => finding.title).join('\n');
  return { kind: 'failed', findings, excerpt: text.slice(0, 2_000), textKey: hash(text, 16) };
}

async function checkPresent(gate: string, view: View, path: string): Promise<Answer> {
  const found = await findPath(view, path);
  if (found.kind === 'outside') return { kind: 'unable', fault: outsideFault(gate, found.path) };
  if (found.kind === 'inside') return { kind: 'met' };
  return unmet(
    `artifact:missing:${path}`,
    isGlob(path) ? `nothing matches ${path}` : `${path} does not exist`,
    path,
  );
}

async function checkAbsent(gate: string, view: View, path: string): Promise<Answer> {
  const found = await findPath(view, path);
  if (found.kind === 'outside') return { kind: 'unable', fault: outsideFault(gate, found.path) };
  if (found.kind === 'missing') return { kind: 'met' };
  return unmet(`artifact:present:${path}`, `${found.path} exists, but must not`, found.path);
}

async function checkContent(gate: string, view: View, { path, text, matches }: Content): Promise<Answer> {
  const found = await look(view, path);
  if (found.kind === 'outside') return { kind: 'unable', fault: outsideFault(gate, path) };
  if (found.kind !== 'inside') return unmet(`artifact:missing:${path}`, `${path} does not exist`, path);
  if (!(await stat(found.path)).isFile())
    return unmet(`artifact:content:${path}`, `${path} is not a file`, path);
  const pattern = matches === undefined ? undefined : makePattern(gate, matches);
  if (pattern?.kind === 'unable') return pattern;
  const content = await readStart(found.path);
  if (text !== undefined && !content.includes(text)) {
    return unmet(
      `artifact:content:${path}:${hash(text, 8)}`,
      `${path} does not contain ${quote(text)}`,
      path,
    );
  }
  const met = pattern === undefined ? true : boundedCall(() => pattern.pattern.test(content));
  if (met === 'too-long') {
    const message = `gate ${gate} cannot look for /${matches}/ in ${path}: it takes too long; write a simpler pattern`;
    return { kind: 'unable', fault: fault('gate.pattern', message) };
  }
  if (matches !== undefined && !met) {
    return unmet(`artifact:content:${path}:${hash(matches, 8)}`, `${path} does not match /${matches}/`, path);
  }
  return { kind: 'met' };
}

type Pattern = { kind: 'pattern'; pattern: RegExp } | { kind: 'unable'; fault: Fault };

function makePattern(gate: string, source: string): Pattern {
  try {
    return { kind: 'pattern', pattern: new RegExp(source, 'mu') };
  } catch (error) {
    const message = `gate ${gate} cannot look for /${source}/: it is not a regular expression; correct its matches option`;
    return { kind: 'unable', fault: fault('gate.pattern', message, error) };
  }
}

async function readStart(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const buffer = Buffer.alloc(Math.min(size, maxContentBytes));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

function unmet(id: string, title: string, file: string): Answer {
  return { kind: 'unmet', finding: { id, title, file } };
}

function quote(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 99)}…` : text);
}

function emptyFault(gate: string): Fault {
  return fault('gate.empty', `gate ${gate} names no file to look at; give it exists, notExists or contains`);
}
