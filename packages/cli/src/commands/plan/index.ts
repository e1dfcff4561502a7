import { buildRouteMap } from '@stricli/core';
import { planList } from './list.ts';
import { planRun } from './run.ts';
import { planShow } from './show.ts';
import { planStatus } from './status.ts';
import { planAdd, planRedirect, planReload, planStop, planTick } from './steer.ts';

export const plan = buildRouteMap({
  routes: {
    run: planRun,
    list: planList,
    status: planStatus,
    show: planShow,
    add: planAdd,
    redirect: planRedirect,
    reload: planReload,
    stop: planStop,
    tick: planTick,
  },
  docs: { brief: 'work through a graph of tasks with one budget' },
});
