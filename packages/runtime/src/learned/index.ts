export {
  type Aim,
  keepModel,
  type KeptModel,
  learnedAtStart,
  learnedDir,
  readModel,
  unfinishedPath,
} from './model-file.ts';
