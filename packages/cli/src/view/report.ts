import { type RunState, type Standing, waitingOf } from '@agentgate/core';
import type { Terminal } from '../terminal.ts';
import { shortTree, sparkline, usage } from './words.ts';

/** The last lines of a run: what was reached, on which tree, what to know, and what to do next. */
export function endReport(state: RunState, terminal: Pick<Terminal, 'colors' | 'cwd'>): string[] {
  const { ended, last } = state;
  if (!ended) return [];
  const { colors } = terminal;
  const counts = [state.baselineFailures ?? 0, ...state.judged.map((one) => one.failures)];
  const curve = sparkline(counts);
  const lines = [[...(curve ? [curve] : []), ...usage(state)].join('    '), ''];
  if (ended.status === 'converged') {
    const gates = (last?.standings ?? [])
      .filter((one) => !one.spared)
      .map((one) => gateText(state, one))
      .join(', ');
    lines.push(colors.green(`Gates met on tree ${shortTree(ended.tree)}: ${gates}.`) + ` ${ended.code}`);
  } else {
    const head = ended.code === 'integrity.needs-grant' ? 'Needs a grant' : heading[ended.status];
    lines.push(`${colors.yellow(head)}: ${ended.reason}. ${ended.code}`);
    const red = (state.lastJudged?.standings ?? []).filter(
      (one) => !one.passed && !one.spared && one.verdict.kind !== 'pending',
    );
    if (red.length > 0) lines.push(`Still failing: ${red.map(stillText).join(', ')}.`);
    if (ended.goalSatisfied) lines.push('The gates were met on the last tree all the same.');
  }
  for (const caveat of ended.caveats) lines.push(`${colors.yellow('note')}: ${caveat}`);
  const where = state.root === terminal.cwd ? '' : ` -C ${state.root}`;
  return [...lines, ...bestLines(state, where), ...nextLines(state, where)];
}

const heading = {
  converged: 'Converged',
  partial: 'Partly accepted',
  diverged: 'Not converged',
  stopped: 'Stopped',
  suspended: 'Suspended',
  error: 'Could not judge',
} as const;

function gateText(state: RunState, { gate, verdict, passed, findings }: Standing): string {
  if (!passed) return `${gate.name} still fails${findings.length > 0 ? ` (${findings.length})` : ''}`;
  const tests = verdict.kind === 'passed' || verdict.kind === 'failed' ? verdict.tests : undefined;
  if (!tests) return gate.name;
  const before = state.baseline.get(gate.name);
  const earlier =
    before && (before.kind === 'passed' || before.kind === 'failed') ? before.tests?.passed : undefined;
  const more = earlier === undefined ? 0 : tests.passed - earlier;
  const gained = more > 0 ? ` (${more} more than before)` : more < 0 ? ` (${-more} fewer than before)` : '';
  const skipped = tests.skipped > 0 ? `, ${tests.skipped} skipped` : '';
  return `${gate.name} ${tests.passed} passed${gained}${skipped}`;
}

const stillText = ({ gate, findings }: Standing): string =>
  findings.some((one) => !one.synthetic) ? `${gate.name} (${findings.length})` : gate.name;

function bestLines({ ended, runId }: RunState, where: string): string[] {
  if (!ended?.best || ended.status === 'converged' || ended.best.tree === ended.tree) return [];
  const what =
    ended.best.iteration === 0 ? 'the tree from before the run' : `iteration ${ended.best.iteration}`;
  return [
    `The best tree is ${what} (${shortTree(ended.best.tree)}); agentgate restore ${runId}${where} brings it back.`,
  ];
}

/** What a person grants to go on after each limit. */
const grants: Record<string, string> = {
  'limit.wall-clock': '--add-wall-clock 30m',
  'limit.tokens': '--add-tokens 500k',
  'limit.cost': '--add-cost 2usd',
};

function nextLines(state: RunState, where: string): string[] {
  const { ended, runId, iteration, spec } = state;
  if (!ended) return [];
  const asked = waitingOf(state).flatMap((one) => (one.kind === 'approval' ? [one.gate] : []));
  if (asked.length > 0) return [approvalLine(asked, `${runId}${where}`)];
  const look = `agentgate explain ${runId}${where}`;
  switch (ended.status) {
    case 'converged':
      return [`Next: agentgate diff ${runId}${where} shows the work, ${look} tells the story.`];
    case 'stopped':
    case 'suspended':
      return ended.code === 'awaiting-answer'
        ? [`Next: agentgate resume ${runId}${where} --redirect "your answer" goes on with it.`]
        : iteration >= (spec?.limits.iterations ?? Number.POSITIVE_INFINITY)
          ? [
              `Next: its iterations are used up; agentgate resume ${runId}${where} --add-iterations 5 goes on from here.`,
            ]
          : [`Next: agentgate resume ${runId}${where} goes on from here.`];
    case 'diverged':
    case 'partial': {
      if (ended.code === 'integrity.needs-grant')
        return [
          `Next: agentgate diff ${runId}${where} shows the changes; if they are meant, agentgate approve ${runId} --grant${where} has the gates judged with them.`,
        ];
      const grant = grants[ended.code] ?? '--add-iterations 5';
      return [`Next: ${look} tells why; agentgate resume ${runId}${where} ${grant} grants more.`];
    }
    case 'error':
      return iteration === 0
        ? ['Next: mend what is named above, then run again. No tokens were spent.']
        : [`Next: mend what is named above, then agentgate resume ${runId}${where}.`];
  }
}

/** A resume without the answer would only wait again. */
function approvalLine(gates: readonly string[], run: string): string {
  const [first = '', ...others] = gates;
  const gate = others.length > 0 ? 'GATE' : /^[\w.:-]+$/.test(first) ? first : `"${first}"`;
  const each = others.length > 0 ? ` for each of ${gates.join(', ')}` : '';
  return `Next: agentgate approve ${gate} --run ${run}, or agentgate reject ${gate} --run ${run} --note why${each}; then agentgate resume ${run} goes on from here.`;
}
