import {
  type AgentSpec,
  describeGate,
  effectiveLimit,
  moveNames,
  type RunSpec,
  showCount,
  showDuration,
  showMoney,
} from '@agentgate/core';
import { plural, taskTitle } from './words.ts';

/** What a run would do and where its caps are, before anything is done. */
export function planLines(spec: RunSpec, source: string): string[] {
  const { wallClock, tokens, cost, quota } = spec.limits;
  const { limit } = effectiveLimit({ spec, granted: 0 });
  const caps = [
    plural(limit, 'iteration'),
    showDuration(wallClock),
    ...(tokens === undefined ? [] : [`${showCount(tokens)} tokens`]),
    ...(cost === undefined ? [] : [showMoney(cost)]),
    ...(quota === undefined ? [] : [`${Math.round(quota * 100)} % of a usage window of the agent's account`]),
  ];
  return [
    `task      ${taskTitle(spec.task, 90)}`,
    `agent     ${agentText(spec.agent)}`,
    ...spec.gates.map(
      (gate, at) => `${at === 0 ? 'gates ' : '      '}    ${describeGate(gate).replaceAll('`', '')}`,
    ),
    `judged    ${judgedText(spec)}`,
    `strategy  ${spec.strategy.kind}${strategyNote(spec)}`,
    `if stuck  ${stuckText(spec)}`,
    `at most   ${caps.join(', ')}`,
    ...(spec.deliver.as === 'none' ? [] : [`handed on ${handedText(spec)}`]),
    `from      ${source}`,
  ];
}

const judgedText = ({ integrity: { mode } }: RunSpec): string =>
  mode === 'off'
    ? 'in place, in the workspace itself (integrity: off)'
    : `in rooms of their own where a rehearsal shows that this works (integrity: ${mode})`;

function handedText({ deliver: { as, on, base } }: RunSpec): string {
  const shape = { none: '', commit: 'as a commit', branch: 'as a branch', pr: 'as a pull request' }[as];
  const into = base === undefined ? '' : ` into ${base}`;
  const when = {
    converged: 'when it converged',
    clean: 'when it converged without caveats',
    any: 'however it ends',
  }[on];
  return `${shape}${into}, ${when}`;
}

const strategyNote = ({ strategy }: RunSpec): string =>
  strategy.kind === 'adaptive' ? ' (hybrid decides until enough was learned from earlier runs here)' : '';

function stuckText({ stuck, agent }: RunSpec): string {
  const moves = stuck.moves.filter((move) => move !== 'escalate' || agent.escalate.length > 0);
  return moves.length === 0
    ? 'give up at once'
    : `${moves.map((move) => moveNames[move]).join(', ')}, then give up`;
}

function agentText(agent: AgentSpec): string {
  if (agent.kind === 'scripted') return `scripted ${agent.script}`;
  const { model } = agent as { model?: string };
  const program = 'run' in agent ? commandText(agent.run) : (agent.program ?? agent.kind);
  return model === undefined ? program : `${program}, model ${model}`;
}

const commandText = (run: string | readonly string[]): string =>
  typeof run === 'string' ? run : run.join(' ');
