import { showDuration, showMoney } from '../quantity.ts';
import { line, quiet } from './escape.ts';

/** What a delivered commit says about where it comes from. */
export interface Receipt {
  runId: string;
  task: string;
  prefix: string;
  status: string;
  code: string;
  iterations: number;
  /** The tree that the gates judged. */
  tree: string;
  gates: readonly { name: string; passed: boolean; severity: 'hard' | 'soft' }[];
  caveats: readonly string[];
  /** How the commit differs from the judged tree, and the like. */
  notes: readonly string[];
  activeMs: number;
  costUsd: number | null;
  tokens: number | null;
}

/** The message of a delivered commit: the task in a line, the receipt, and trailers that tools can read. */
export function makeReceipt(receipt: Receipt): string {
  const { gates, caveats, notes } = receipt;
  const told = gates.map(({ name, passed, severity }) => {
    return `- ${quiet(name, 80)}: ${passed ? 'passed' : severity === 'soft' ? 'fails (soft)' : 'FAILS'}`;
  });
  return [
    subject(receipt),
    ...paragraph('Gates on the judged tree:', told),
    ...paragraph(
      'Caveats:',
      caveats.map((one) => `- ${quiet(one)}`),
    ),
    ...paragraph(
      'Notes:',
      notes.map((one) => `- ${quiet(one, 500)}`),
    ),
    '',
    ...trailers(receipt),
    '',
  ].join('\n');
}

const paragraph = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', title, ...lines];

/** The task is the user's own text; only its form is put right. */
function subject({ task, prefix, status }: Receipt): string {
  const first = line(task.trim().split('\n')[0] ?? '', 100).replace(/^[#>*\s-]+/, '');
  const gap = prefix === '' || /\s$/.test(prefix) ? '' : ' ';
  // Whoever reads only the first line must know.
  const not = status === 'converged' || status === 'running' ? '' : 'NOT converged: ';
  return line(`${prefix}${gap}${not}${first === '' ? 'Work of an agent' : first}`, 120);
}

function trailers({ runId, status, code, iterations, tree, activeMs, costUsd, tokens }: Receipt): string[] {
  return [
    `AgentGate-Run: ${runId}`,
    `AgentGate-Outcome: ${status} (${code})`,
    `AgentGate-Tree: ${tree}`,
    `AgentGate-Iterations: ${iterations}`,
    `AgentGate-Time: ${showDuration(activeMs)}`,
    ...(costUsd === null ? [] : [`AgentGate-Cost: ${showMoney(costUsd)}`]),
    ...(tokens === null ? [] : [`AgentGate-Tokens: ${tokens}`]),
  ];
}
