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
  modelVersion,
  shortText,
  solvesFor,
  StoredModel,
} from './model.ts';
export { type Mode, modes, Observation, type Situation } from './observation.ts';
