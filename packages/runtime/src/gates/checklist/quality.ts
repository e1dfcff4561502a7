import { fault } from '@agentgate/core';
import * as z from 'zod';
import { askProgram, parseJson } from '../ask-program.ts';
import { type Answer, type ItemOf, type Look, met, unmet, wordsOf } from './answer.ts';
import { askPerson } from './person.ts';

type QualityItem = ItemOf<'quality'>;

const Scores = z.object({ scores: z.record(z.string(), z.number().min(1).max(5)) });

/** A quality that a program or a person judges. Without a judgement it holds as little as with a bad one. */
export async function judgeQuality(item: QualityItem, look: Look): Promise<Answer> {
  const judged = item.run === undefined ? met : await askJudge(item, item.run, look);
  if (judged.kind !== 'met' || !item.confirmed) return judged;
  return askPerson(item, look, wordsOf(item));
}

async function askJudge(item: QualityItem, run: string | string[], look: Look): Promise<Answer> {
  const { criteria, threshold, scope, timeout } = item;
  const { gate } = look.request;
  const rubric = {
    gate: gate.name,
    item: wordsOf(item),
    criteria,
    threshold,
    scope,
    scale: { least: 1, most: 5 },
  };
  const asked = await askProgram(look.request, { run, timeoutMs: timeout, question: rubric }, look.untilMs);
  if (asked.kind === 'halt') return asked;
  if (asked.kind === 'silent') return unjudged(item, `its judge ${asked.why}`, asked.said);
  const scores = readScores(asked.stdout);
  const missing = criteria.find(({ name }) => scores?.[name] === undefined);
  if (scores === undefined || missing !== undefined) {
    const lack =
      scores === undefined
        ? 'did not answer {"scores": {…}} with numbers from 1 to 5'
        : `gave no score for "${missing?.name}"`;
    return unjudged(item, `its judge ${lack}`, asked.stdout.slice(0, 300));
  }
  return weigh(item, scores, threshold);
}

function weigh(item: QualityItem, scores: Record<string, number>, threshold: number): Answer {
  const all = item.criteria.reduce((sum, { weight }) => sum + weight, 0);
  const mean = item.criteria.reduce((sum, { name, weight }) => sum + (scores[name] ?? 0) * weight, 0) / all;
  // The last bit of a sum of fractions is no judgement.
  if (mean >= threshold - 1e-9) return met;
  const each = item.criteria.map(({ name }) => `${name} ${scores[name]}`).join(', ');
  return unmet(item, `${wordsOf(item)}: judged ${mean.toFixed(2)} of 5, ${threshold} are asked for`, {
    message: each,
  });
}

/** The answer is the whole output, or its last line after what the judge says of its work. */
function readScores(stdout: string): Record<string, number> | undefined {
  for (const text of [stdout, stdout.trim().split('\n').at(-1) ?? '']) {
    const parsed = Scores.safeParse(parseJson(text));
    if (parsed.success) return parsed.data.scores;
  }
  return undefined;
}

function unjudged(item: QualityItem, why: string, said = ''): Answer {
  const message = `nobody judged "${wordsOf(item)}": ${why}; correct the command that judges`;
  return { kind: 'unable', fault: fault('gate.judge', message, said === '' ? undefined : said) };
}
