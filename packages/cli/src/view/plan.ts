import { effectiveLimit, type RunSpec, showCount, showDuration, showMoney } from '@agentgate/core';
import { plural, taskTitle } from './words.ts';

/** What a run would do and where its caps are, before anything is done. */
export function planLines(spec: RunSpec, source: string): string[] {
  const { wallClock, tokens, cost } = spec.limits;
  const { limit } = effectiveLimit({ spec, granted: 0 });
  const caps = [
    plural(limit, 'iteration'),
    showDuration(wallClock),
    ...(tokens === undefined ? [] : [`${showCount(tokens)} tokens`]),
    ...(cost === undefined ? [] : [showMoney(cost)]),
  ];
  const agent =
    spec.agent.kind === 'scripted' ? `scripted ${spec.agent.script}` : commandText(spec.agent.run);
  return [
    `task      ${taskTitle(spec.task, 90)}`,
    `agent     ${agent}`,
    ...spec.gates.map(
      (gate, at) =>
        `${at === 0 ? 'gates ' : '      '}    ${gate.name}${gate.severity === 'soft' ? ' (soft)' : ''}: ${gate.kind === 'command' ? commandText(gate.run) : 'files'}`,
    ),
    `strategy  ${spec.strategy.kind}`,
    `at most   ${caps.join(', ')}`,
    `from      ${source}`,
  ];
}

const commandText = (run: string | readonly string[]): string =>
  typeof run === 'string' ? run : run.join(' ');
