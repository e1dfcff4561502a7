export { featureNames, observe, Trail } from './features.ts';
export { chanceAhead, type Eye, eyeOf, groupKey } from './hazard.ts';
export { type Forecast, judgeOn, priceOf, sinceBest } from './judge.ts';
export {
  blankModel,
  enoughOfAgent,
  enoughSolvedLater,
  explores,
  Hazard,
  Law,
  isUnpriced,
  modelVersion,
  shortText,
  solvesFor,
  StoredModel,
  unpriced,
} from './model.ts';
export { type Mode, modes, Observation, type Situation } from './observation.ts';
