import type { Finding, Verdict } from '@agentgate/core';
import * as z from 'zod';
import { cleanText } from '../../process/index.ts';
import { parseJson } from '../ask-program.ts';
import { makeFailed, sayFindings } from '../failed.ts';
import { hash, stableName } from '../normalise.ts';
import { numbered } from '../reports/identity.ts';
import type { JudgeGate } from './question.ts';

/** What a judge may answer. Whatever else it says is not read. */
const Answer = z.object({
  score: z.number().min(0).max(1).optional(),
  passed: z.boolean().optional(),
  findings: z
    .array(z.object({ title: z.string().min(1), file: z.string().nullish(), message: z.string().nullish() }))
    .max(1_000)
    .nullish(),
  notes: z.string().nullish(),
});
type Answer = z.infer<typeof Answer>;

const mostFindings = 50;
const most = { title: 200, file: 300, message: 1_000, notes: 1_000 };

/** The verdict of a judge, or what its answer lacks. Its words are data: cleaned, bounded, never read as more. */
export function readAnswer(gate: JudgeGate, stdout: string): Verdict | { kind: 'useless'; why: string } {
  const value = parseJson(stdout);
  const parsed = Answer.safeParse(value);
  if (!parsed.success) return { kind: 'useless', why: mistakeIn(value, parsed.error) };
  const answer = parsed.data;
  const { score, passed } = answer;
  if (gate.minScore !== undefined && score === undefined)
    return { kind: 'useless', why: 'gave no score, and minScore asks for one' };
  if (gate.minScore === undefined && passed === undefined)
    return { kind: 'useless', why: 'said neither passed nor not; a score alone needs minScore' };
  const reached = gate.minScore === undefined || (score ?? 0) >= gate.minScore;
  const findings = findingsIn(answer);
  if (passed !== false && reached) return pass(answer, findings);
  const named = findings.length > 0 ? findings : [unnamed(gate, answer)];
  const note = noteOf(answer);
  return makeFailed(named, [note, sayFindings(named)].join('\n'), note === '' ? {} : { note });
}

function pass(answer: Answer, findings: readonly Finding[]): Verdict {
  const remarks = findings.length === 0 ? '' : `remarks: ${findings.map(({ title }) => title).join('; ')}`;
  const note = [noteOf(answer), remarks].filter((one) => one !== '').join('; ');
  return { kind: 'passed', ...(note === '' ? {} : { note: note.slice(0, 2_000) }) };
}

function noteOf({ score, notes }: Answer): string {
  const words = clean(notes ?? '', most.notes);
  const rated = score === undefined ? '' : `score ${score}`;
  return [rated, words === '' ? '' : `the judge says: ${JSON.stringify(words)}`].filter(Boolean).join(', ');
}

/** A judge finds other words each time, so a finding is its file and what is left of its title. */
function findingsIn({ findings }: Answer): Finding[] {
  return numbered(
    (findings ?? []).slice(0, mostFindings).map(({ title, file, message }) => {
      const place = clean(file ?? '', most.file);
      const words = clean(message ?? '', most.message);
      const name = clean(title, most.title) || 'a finding without words';
      return {
        id: `judge:${hash(`${stableName(name).toLowerCase()}\n${place}`, 16)}`,
        title: name,
        ...(place === '' ? {} : { file: place }),
        ...(words === '' ? {} : { message: words }),
      };
    }),
  );
}

function unnamed({ minScore }: JudgeGate, { score, passed }: Answer): Finding {
  const rated = `judged ${score}, ${minScore} is asked for`;
  const title = passed === false ? 'the judge does not let it pass' : rated;
  return { id: 'judge:failed', title, synthetic: true };
}

const clean = (text: string, chars: number): string =>
  cleanText(text).replaceAll(/\s+/g, ' ').trim().slice(0, chars);

function mistakeIn(value: unknown, error: z.ZodError): string {
  if (value === undefined) return 'did not answer with one JSON object';
  const [first] = error.issues;
  const at = first?.path.join('.') ?? '';
  return `answered something else than {passed, score, findings, notes}${at === '' ? '' : ` (see ${at})`}`;
}
