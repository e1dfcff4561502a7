import type { Evidence } from '../decision.ts';
import { type Known, readLearned } from '../learned.ts';
import { type Forecast, judgeOn } from '../policy/index.ts';
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
  const confidence = law && law.kind !== 'hybrid' ? law.expected.retained : 0.5;
  const evidence = evidenceOf(known, forecast);
  if (forecast.continue) return goOn('learned', reasonOf(known, forecast), confidence, evidence);
  const stop = `${reasonOf(known, forecast)}, so it is not worth another iteration`;
  if (known.explores && law && law.kind !== 'hybrid' && isWithin(context, law.hazard.lookahead)) {
    const share = `${percent(known.model.explore)} of runs`;
    return {
      ...goOn(
        'explore',
        `${stop}; this run is one of the ${share} that go on all the same, to learn`,
        confidence,
        {
          ...evidence,
          share: known.model.explore,
        },
      ),
      code: ignoredStop,
    };
  }
  return giveUp('strategy.learned', stop, confidence, 'fail', evidence);
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

/** `the next iteration passes with 4 %, and a solve would cost 21 iterations, of 12 at most (…; …)`. */
function reasonOf({ model }: Extract<Known, { kind: 'known' }>, forecast: Learnt): string {
  const inMoney = model.mode === 'value';
  const show = (price: number) =>
    inMoney ? `$${price.toFixed(2)}` : `${Number(price.toPrecision(2))} iterations`;
  const most = forecast.limit === null ? '' : `, of ${show(forecast.limit)} at most`;
  const rule = {
    fixed: ', by a number tuned on earlier runs',
    stall: ', by a patience tuned on earlier runs',
    adaptive: '',
  };
  return `the next iteration passes with ${percent(forecast.chance)}, and a solve would cost ${show(forecast.price)}${most}${rule[forecast.by]} (${forecast.reasons.join('; ')})`;
}

const percent = (share: number): string => `${Number((share * 100).toPrecision(2))} %`;
const rounded = (value: number): number => Number(value.toPrecision(6));
