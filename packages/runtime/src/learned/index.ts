export { type Aim, keepModel, type KeptModel, learnedAtStart, learnedDir, readModel } from './model-file.ts';
