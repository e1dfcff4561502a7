import type { Evidence } from '../decision.ts';
import { type Known, readLearned } from '../learned.ts';
import { type Forecast, judgeOn, type Law, shortText } from '../policy/index.ts';
import type { StrategySpec } from '../spec.ts';
import { fallback } from './fallback.ts';
import { type Advice, agentFails, giveUp, goOn, type Strategy, type StrategyContext } from './strategy.ts';

type Config = Extract<StrategySpec, { kind: 'adaptive' }>;
type Learnt = Extract<Forecast, { kind: 'learned' }>;

/** The code of an iteration that follows on a stop which was ignored. */
export const ignoredStop = 'continue.explore';

/**
 * Stops where the recorded runs of this project say that one more solve would cost too much. While there is too
 * little to learn from, hybrid decides, and every reason says so.
 */
export function adaptive(config: Config): Strategy {
  return {
    name: 'adaptive',
    type: 'adaptive',
    displayName: 'AdaptiveStrategy',
    decide(context) {
      const { knowledge } = context;
      const known = readLearned(knowledge?.learned ?? null);
      if (known.kind === 'unknown' || !knowledge) return byHybrid(config, context, known);
      const forecast = judgeOn(known.model, knowledge.situation);
      if (forecast.kind === 'unlearned')
        return byHybrid(config, context, { kind: 'unknown', why: forecast.why });
      const fails = agentFails(context);
      if (fails) return fails;
      if (!context.current.judged) return goOn('failed-build', 'the agent failed; it is tried again', 0.6);
      return advised(context, known, forecast);
    },
  };
}

function byHybrid(config: Config, context: StrategyContext, known: Known): Advice {
  const why = known.kind === 'unknown' ? known.why : '';
  return fallback(context, 'adaptive', why, config, config.base);
}

function advised(
  context: StrategyContext,
  known: Extract<Known, { kind: 'known' }>,
  forecast: Learnt,
): Advice {
  const law = known.model.laws[context.knowledge!.situation.mode];
  if (!law || law.kind === 'hybrid') return goOn('learned', 'nothing speaks against it', 0.5);
  const confidence = confidenceIn(law);
  const evidence = evidenceOf(known, forecast);
  const short = shortText(law, known.model.target);
  const outlook = outlookOf(known, forecast) + (short ? `; ${short}` : '');
  if (forecast.continue) return goOn('learned', outlook, confidence, evidence);
  const stop = `${ruleOf(law)}: ${outlook}`;
  if (known.explores && isWithin(context, law.hazard.lookahead)) {
    const reason = `${stop}; this run is one of the ${percent(known.model.explore)} that go on all the same, to learn`;
    const share = { share: known.model.explore };
    return { ...goOn('explore', reason, confidence, { ...evidence, ...share }), code: ignoredStop };
  }
  return giveUp('strategy.learned', stop, confidence, 'fail', evidence);
}

/** That none of a few solves would have been lost says no more of the next one than their number allows. */
function confidenceIn({ expected: { retained }, short }: Exclude<Law, { kind: 'hybrid' }>): number {
  return short ? Math.min(retained, short.solves / (short.solves + 1)) : retained;
}

/** Nobody pays for more of it than the model looks ahead. */
function isWithin({ iteration, knowledge }: StrategyContext, lookahead: number): boolean {
  const after = knowledge?.ignoredAfter ?? null;
  return after === null || iteration < after + lookahead;
}

function evidenceOf(known: Extract<Known, { kind: 'known' }>, forecast: Learnt): Evidence {
  return {
    chance: rounded(forecast.chance),
    price: rounded(forecast.price),
    ...(forecast.limit === null ? {} : { limit: rounded(forecast.limit) }),
    rule: forecast.by,
    model: known.version,
    reasons: forecast.reasons,
  };
}

/** `the next iteration passes with 4 %, and a solve costs 21 iterations, of at most 12 (…; …)`. */
function outlookOf({ model }: Extract<Known, { kind: 'known' }>, forecast: Learnt): string {
  const { chance, price, limit, reasons } = forecast;
  const inMoney = model.mode === 'value';
  const show = (one: number) => (inMoney ? `$${one.toFixed(2)}` : String(Number(one.toPrecision(2))));
  const cost = inMoney ? show(price) : `${show(price)} iterations`;
  const most = limit === null ? '' : `, of at most ${show(limit)}`;
  return `the next iteration passes with ${percent(chance)}, and a solve costs ${cost}${most} (${reasons.join('; ')})`;
}

/** Why this is the place to stop, by what was learned. */
function ruleOf(law: Exclude<Law, { kind: 'hybrid' }>): string {
  switch (law.kind) {
    case 'fixed':
      return `runs here are not worth more than ${count(law.iterations)}`;
    case 'stall':
      return `runs here are not worth more than ${count(law.patience)} after the best`;
    case 'adaptive':
      return 'another iteration is not worth it';
  }
}

const count = (iterations: number): string => `${iterations} iteration${iterations === 1 ? '' : 's'}`;
const percent = (share: number): string => `${Number((share * 100).toPrecision(2))} %`;
const rounded = (value: number): number => Number(value.toPrecision(6));
