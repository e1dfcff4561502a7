import type { EventOf } from '../event.ts';
import type { RunState } from '../state.ts';

/** The commands that make sense after this ending, the likeliest first. */
export function nextCommands(
  { ended, runId, iteration }: RunState,
  delivered: EventOf<'delivered'> | null,
): string[] {
  if (!ended) return [`agentgate show ${runId}`];
  const explain = `agentgate explain ${runId}`;
  switch (ended.status) {
    case 'converged':
      return delivered?.commit === undefined
        ? [`agentgate deliver ${runId}`, `agentgate diff ${runId}`]
        : [`agentgate diff ${runId}`];
    case 'stopped':
    case 'suspended':
      return [
        ended.code === 'awaiting-answer'
          ? `agentgate resume ${runId} --redirect "your answer"`
          : `agentgate resume ${runId}`,
        explain,
      ];
    case 'partial':
    case 'diverged':
      return [
        ...(ended.code === 'integrity.needs-grant'
          ? [`agentgate diff ${runId}`, `agentgate approve ${runId} --grant`]
          : []),
        explain,
        `agentgate resume ${runId} ${grants[ended.code] ?? '--add-iterations 5'}`,
        ...(ended.best && ended.best.tree !== ended.tree ? [`agentgate restore ${runId}`] : []),
      ];
    case 'error':
      return iteration === 0 ? [explain, 'agentgate run'] : [explain, `agentgate resume ${runId}`];
  }
}

/** What a person grants to go on after each limit. */
const grants: Record<string, string> = {
  'limit.wall-clock': '--add-wall-clock 30m',
  'limit.tokens': '--add-tokens 500k',
  'limit.cost': '--add-cost 2usd',
};
