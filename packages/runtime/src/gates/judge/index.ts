import { fault, type Gate, type GateRequest, invariant, type Verdict } from '@agentgate/core';
import { cleanText } from '../../process/index.ts';
import { askOnePerson, lastAnswers, rejectionIn } from '../approval.ts';
import { askProgram } from '../ask-program.ts';
import { haltOf } from '../fault-of.ts';
import { readAnswer } from './answer.ts';
import { type JudgeGate, makeQuestion } from './question.ts';

/** Judges by a program and a rubric. No answer is never a pass, and a hard gate needs a person as well. */
export const judgeByRubric: Gate = async (request) => {
  const { gate } = request;
  invariant(gate.kind === 'judge', 'a judge gate has a judge');
  const fromMs = performance.now();
  const { verdict, said } = await judge(request, gate);
  return { verdict, tookMs: performance.now() - fromMs, output: said };
};

interface Judged {
  verdict: Verdict;
  said: string;
}

async function judge(request: GateRequest, gate: JudgeGate): Promise<Judged> {
  if (gate.confirm === undefined) return askJudge(request, gate);
  const { approvals } = request.run;
  const rejected = rejectionIn(lastAnswers(approvals, []));
  if (rejected) return { verdict: rejected, said: '' };
  const judged = agreed.get(keyOf(request)) ?? (await askJudge(request, gate));
  if (judged.verdict.kind !== 'passed') return judged;
  remember(keyOf(request), judged);
  const note = judged.verdict.note === undefined ? '' : ` (${judged.verdict.note})`;
  const question = `the judge agrees${note}, and a person must as well`;
  return { verdict: askOnePerson(request.run, gate.name, question), said: judged.said };
}

async function askJudge(request: GateRequest, gate: JudgeGate): Promise<Judged> {
  const { rubric, run } = gate;
  invariant(typeof rubric === 'string', 'a rubric in a file is read with the spec');
  const { timeoutMs } = request;
  const untilMs = performance.now() + timeoutMs;
  const made = await makeQuestion(request, gate, rubric).then(
    (question) => ({ kind: 'question' as const, question }),
    haltOf,
  );
  if (made.kind === 'halt') return { verdict: made.verdict, said: '' };
  const asked = await askProgram(request, { run, timeoutMs, question: made.question }, untilMs);
  if (asked.kind === 'halt') return { verdict: asked.verdict, said: '' };
  if (asked.kind === 'silent') return { verdict: unjudged(gate, asked.why, asked.said), said: asked.said };
  const said = cleanText(asked.stdout.slice(0, 20_000));
  if (asked.cut) return { verdict: unjudged(gate, 'printed more than can be read', ''), said };
  const answer = readAnswer(gate, asked.stdout);
  return { verdict: answer.kind === 'useless' ? unjudged(gate, answer.why, said) : answer, said };
}

function unjudged({ name }: JudgeGate, why: string, said: string): Verdict {
  const message = `nobody judged gate ${name}: its judge ${why}; correct the command that judges`;
  return {
    kind: 'unable',
    fault: fault('gate.judge', message, said === '' ? undefined : said.slice(0, 300)),
  };
}

/** While a person is waited for, a judge who agreed is not paid again for the same tree. */
const agreed = new Map<string, Judged>();
const mostAgreed = 100;

function remember(key: string, judged: Judged): void {
  agreed.set(key, judged);
  for (const oldest of agreed.keys()) {
    if (agreed.size <= mostAgreed) return;
    agreed.delete(oldest);
  }
}

const keyOf = ({ marker, gate, run }: GateRequest): string => `${marker}\n${gate.name}\n${run.tree}`;
