import { buildRouteMap } from '@stricli/core';
import { labCompare } from './compare.ts';
import { labEvaluate } from './evaluate.ts';
import { labExport } from './export.ts';
import { labFit } from './fit.ts';
import { labReport } from './report.ts';

export const lab = buildRouteMap({
  routes: {
    compare: labCompare,
    fit: labFit,
    report: labReport,
    export: labExport,
    evaluate: labEvaluate,
  },
  docs: { brief: 'learn from recorded runs when to stop, and judge any strategy on them' },
});
