import type { Advisor, RunSpec, StrategySpec } from '@agentgate/core';
import type { Ports } from '../driver/ports.ts';
import { openAdvisor } from '../modules/index.ts';
import type { RunStore } from '../store/index.ts';
import { makeBuild } from './build.ts';
import type { Desk } from './desk.ts';
import { feedbackFor } from './feedback.ts';
import { makeJudge } from './gate-check.ts';
import { makeNotify } from './notify.ts';
import type { Begin } from './run-once.ts';
import { makeWorkspace } from './snapshot.ts';

/** Everything the lap touches, made of the caller's functions. */
export function portsOf(
  desk: Desk,
  { root, spec }: { root: string; spec: RunSpec },
  { store, advisor, options }: { store: RunStore; advisor: Advisor | null; options: Begin['options'] },
): Ports {
  return {
    store,
    advisor,
    clock: options.clock,
    registry: options.registry,
    build: makeBuild(desk),
    judge: makeJudge(desk),
    workspace: makeWorkspace(desk, root),
    feedback: (state, composed) => feedbackFor(desk, state, composed),
    notify: makeNotify(desk, spec, root),
    deliver: async () => null,
    scratch: () => ({ path: '', remove: () => undefined }),
    keepFds: [],
    longestPauseMs: options.longestPauseMs ?? 0,
  };
}

/** A module of the project is asked in a process of its own, as everywhere. */
export function moduleAdvisor(spec: StrategySpec, root: string, runId: string): Advisor | null {
  return spec.kind === 'custom' ? openAdvisor({ root, spec, runId }) : null;
}
