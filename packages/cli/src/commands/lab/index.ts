import { buildRouteMap } from '@stricli/core';
import { labEvaluate } from './evaluate.ts';

export const lab = buildRouteMap({
  routes: { evaluate: labEvaluate },
  docs: { brief: 'learn from recorded runs when to stop, and judge any strategy on them' },
});
