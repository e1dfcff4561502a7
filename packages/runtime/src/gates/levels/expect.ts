import { isDeepStrictEqual } from 'node:util';
import type { Finding } from '@agentgate/core';
import { boundedCall } from '../bounded-call.ts';
import { brief, quote } from '../failed.ts';
import { hash } from '../normalise.ts';
import type { Halt, Ran } from '../step.ts';
import type { BlackboxCheck, Scene } from './level.ts';
import { parseData, readReference, readSchema } from './reference.ts';

type Expect = BlackboxCheck['expect'];

/** Judges every expectation of a check. The exit code is one of them even where it is not written: 0. */
export async function judgeExpectations(
  { request }: Scene,
  { name, expect }: BlackboxCheck,
  ran: Ran,
): Promise<Finding[] | Halt> {
  const findings: Finding[] = [];
  const unmet = (id: string, title: string, message?: string) =>
    findings.push({
      id: `${name}:${id}`,
      title: `${name}: ${title}`,
      ...(message === undefined ? {} : { message }),
    });
  judgeExit(expect, ran, unmet);
  judgeTexts(expect, ran, unmet);
  if (expect.equalsFile !== undefined) {
    const file = await readReference(request, expect.equalsFile);
    if (file.kind === 'halt') return file;
    if (file.text !== ran.stdout)
      unmet(
        'equalsFile',
        `stdout is not what ${expect.equalsFile} says`,
        differenceOf(file.text, ran.stdout),
      );
  }
  const data =
    expect.jsonEquals === undefined && expect.jsonSchema === undefined
      ? undefined
      : parseData(ran.stdout, '');
  if (data?.kind === 'broken') unmet('json', `stdout is no JSON`, data.problem);
  if (
    data?.kind === 'data' &&
    expect.jsonEquals !== undefined &&
    !isDeepStrictEqual(data.value, expect.jsonEquals)
  ) {
    unmet(
      'jsonEquals',
      'stdout is another JSON value than expected',
      `expected ${brief(JSON.stringify(expect.jsonEquals))}, found ${brief(JSON.stringify(data.value))}`,
    );
  }
  if (expect.jsonSchema !== undefined) {
    const schema = await readSchema(request, expect.jsonSchema);
    if (schema.kind === 'halt') return schema;
    for (const problem of data?.kind === 'data' ? schema.problemsOf(data.value) : []) {
      unmet(`jsonSchema:${hash(problem, 8)}`, 'stdout does not keep the JSON Schema', problem);
    }
  }
  return findings;
}

type Unmet = (id: string, title: string, message?: string) => void;

function judgeExit({ exitCode = 0 }: Expect, { end, output }: Ran, unmet: Unmet): void {
  const said = output.trim().slice(-300) || undefined;
  if (end.kind === 'signalled') unmet('crash', `was ended by ${end.signal}`, said);
  else if (exitCode !== 'any' && end.code !== exitCode) {
    unmet('exitCode', `exited with ${end.code}, expected ${exitCode}`, said);
  }
}

function judgeTexts(expect: Expect, { stdout, stderr, cut }: Ran, unmet: Unmet): void {
  const looksAtStdout = expect.equalsFile ?? expect.jsonEquals ?? expect.jsonSchema;
  if (cut && looksAtStdout !== undefined) unmet('long', 'printed more than can be compared (4 MB)');
  for (const text of expect.stdoutContains ?? []) {
    if (!stdout.includes(text))
      unmet(`stdoutContains:${hash(text, 8)}`, `stdout does not contain ${quote(text)}`, shown(stdout));
  }
  for (const pattern of expect.stdoutMatches ?? []) {
    if (boundedCall(() => new RegExp(pattern, 'mu').test(stdout)) !== true) {
      unmet(`stdoutMatches:${hash(pattern, 8)}`, `stdout does not match /${pattern}/`, shown(stdout));
    }
  }
  for (const text of expect.stderrContains ?? []) {
    if (!stderr.includes(text))
      unmet(`stderrContains:${hash(text, 8)}`, `stderr does not contain ${quote(text)}`, shown(stderr));
  }
}

const shown = (text: string): string =>
  text.trim() === '' ? 'it is empty' : `it says ${quote(text.trim())}`;

/** The first line in which two texts differ. */
function differenceOf(expected: string, found: string): string {
  const wanted = expected.split('\n');
  const lines = found.split('\n');
  const at = wanted.findIndex((line, index) => line !== lines[index]);
  const line = at === -1 ? wanted.length : at;
  return `line ${line + 1}: expected ${quote(wanted[line] ?? '')}, found ${quote(lines[line] ?? '')}`;
}
