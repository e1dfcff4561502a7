import { isDeepStrictEqual } from 'node:util';
import { type Finding, showDuration } from '@agentgate/core';
import { boundedCall } from '../bounded-call.ts';
import { brief, quote } from '../failed.ts';
import { readField } from '../field.ts';
import { hash } from '../normalise.ts';
import type { Answered, Asked } from '../../net/ask.ts';
import type { HttpGate } from './gate.ts';

/** What of the answer is not as the gate wants it. */
export function judgeAnswer(gate: HttpGate, asked: Exclude<Asked, { kind: 'unreachable' }>): Finding[] {
  switch (asked.kind) {
    case 'refused':
      return [{ id: 'http:refused', title: `nobody listens at ${new URL(gate.url).host}` }];
    case 'late':
      return [{ id: 'http:timeout', title: `no answer within ${showDuration(gate.responseTimeout)}` }];
    case 'broken':
      return [{ id: 'http:broken', title: 'the connection broke', message: asked.why }];
    case 'answered':
      return [...judgeStatus(gate, asked), ...judgeBody(gate, asked)];
  }
}

function judgeStatus({ status, follow }: HttpGate, asked: Answered): Finding[] {
  if (status.includes(asked.status)) return [];
  const moved = asked.location === undefined || follow ? '' : `, which leads to ${asked.location}`;
  return [{ id: 'http:status', title: `answered ${asked.status}${moved}, expected ${status.join(' or ')}` }];
}

function judgeBody(gate: HttpGate, { body, cut }: Answered): Finding[] {
  const findings: Finding[] = [];
  for (const text of gate.contains) {
    if (!body.includes(text)) {
      findings.push({
        id: `http:contains:${hash(text, 8)}`,
        title: `the answer does not contain ${quote(text)}`,
      });
    }
  }
  for (const pattern of gate.matches) {
    if (boundedCall(() => new RegExp(pattern, 'mu').test(body)) !== true) {
      findings.push({
        id: `http:matches:${hash(pattern, 8)}`,
        title: `the answer does not match /${pattern}/`,
      });
    }
  }
  if (Object.keys(gate.json).length === 0) return findings;
  if (cut)
    return [
      ...findings,
      { id: 'http:long', title: 'the answer is longer than 1 MB, so it is not read as JSON' },
    ];
  return [...findings, ...judgeJson(gate, body)];
}

function judgeJson({ json }: HttpGate, body: string): Finding[] {
  let data: unknown;
  try {
    data = JSON.parse(body);
  } catch (error) {
    return [{ id: 'http:json', title: 'the answer is no JSON', message: (error as Error).message }];
  }
  return Object.entries(json).flatMap(([pointer, expected]) => {
    const read = readField(data, pointer);
    if (read.found && isDeepStrictEqual(read.value, expected)) return [];
    const found = read.found ? brief(JSON.stringify(read.value)) : 'nothing';
    const title = `${pointer || 'the answer'} is not ${brief(JSON.stringify(expected))}`;
    return [{ id: `http:json:${pointer}`, title, message: `found ${found}` }];
  });
}
