import { nothingProven } from '../caveats.ts';
import { isBlocked } from './plan-report.ts';
import { type Attempt, isDone, type PlanState } from './plan-state.ts';
import type { WorkItem } from './work-item.ts';

/** One item with all below it, for whoever draws the plan. */
export interface PlanNode {
  id: string;
  title: string;
  status: string;
  blocked: boolean;
  reason: string | null;
  used: number;
  limit: number;
  moved: number;
  dependsOn: string[];
  /** For an alternative: whether it is the one that is tried. */
  chosen: boolean | null;
  resolvedBy: 'all' | 'any' | null;
  runs: string[];
  /** What to know beside its being done: what its gates could not prove. */
  caveats: string[];
  unticked: { criterion: number; text: string }[];
  children: PlanNode[];
}

export function planTree(state: PlanState): PlanNode[] {
  const node = (item: WorkItem): PlanNode => {
    const record = state.records.get(item.id)!;
    const parent = item.parent === null ? null : state.agenda.item(item.parent);
    return {
      id: item.id,
      title: item.title,
      status: record.status,
      blocked: isBlocked(state, item),
      reason: reasonOf(state, item),
      used: record.used,
      limit: (item.limits.iterations ?? state.plan.limits.item) + record.moved,
      moved: record.moved,
      dependsOn: item.dependsOn,
      chosen: parent?.resolvedBy === 'any' ? state.choices.get(parent.id) === item.id : null,
      resolvedBy: item.resolvedBy,
      runs: record.attempts.map(({ runId }) => runId),
      caveats: isDone(record.status) ? caveatsOf(record.attempts) : [],
      unticked: item.acceptance.flatMap((one, at) =>
        'person' in one && !record.ticks.has(at) ? [{ criterion: at + 1, text: one.person }] : [],
      ),
      children: state.agenda.childrenOf(item.id).map(node),
    };
  };
  return state.agenda.items.filter(({ parent }) => parent === null).map(node);
}

/** Those of the run that got there. One that put a conflict right began with green gates; what these prove was shown before. */
function caveatsOf(attempts: readonly Attempt[]): string[] {
  const last = attempts.at(-1);
  const first = attempts.find(({ approach }) => approach !== 'resolve');
  const isShown = last?.approach === 'resolve' && !first?.outcome.caveats?.includes(nothingProven);
  return (last?.outcome.caveats ?? []).filter((one) => !isShown || one !== nothingProven);
}

function reasonOf(state: PlanState, item: WorkItem): string | null {
  const { status, reason, waiting } = state.records.get(item.id)!;
  if (waiting !== null) return `waits: ${waiting}`;
  if (status === 'stuck' || status === 'done-with-caveats' || status === 'deferred') return reason;
  const unmet = item.dependsOn.filter((id) => !state.agenda.isSatisfied(id));
  return !isDone(status) && unmet.length > 0 ? `waits for ${unmet.slice(0, 5).join(', ')}` : null;
}

const classes: Record<string, string> = {
  done: 'fill:#d7f5dd,stroke:#1a7f37,color:#0b3d1a',
  'done-with-caveats': 'fill:#fff3c4,stroke:#9a6700,color:#4d3300',
  stuck: 'fill:#ffd9d6,stroke:#cf222e,color:#5c0f14',
  'in-progress': 'fill:#dbeaff,stroke:#0969da,color:#0a3069',
  deferred: 'fill:#eeeeee,stroke:#6e7781,color:#333333',
  'not-started': 'fill:#ffffff,stroke:#6e7781,color:#333333',
};

/** The plan as a Mermaid flow chart: what waits for what, what is inside of what, and how far each is. */
export function planMermaid(state: PlanState): string {
  const names = new Map(state.agenda.items.map(({ id }, at) => [id, `n${at}`]));
  const lines = ['flowchart LR'];
  for (const { id, title, resolvedBy } of state.agenda.items) {
    const { status, used } = state.records.get(id)!;
    const text = `${quoted(id)}: ${quoted(title)}<br/>${status}${used > 0 ? `, ${used} it.` : ''}`;
    const [open, close] =
      resolvedBy === 'any' ? ['{{', '}}'] : resolvedBy === 'all' ? ['[[', ']]'] : ['[', ']'];
    lines.push(`  ${names.get(id)}${open}"${text}"${close}:::${status}`);
  }
  for (const { id, parent, dependsOn } of state.agenda.items) {
    for (const one of dependsOn) lines.push(`  ${names.get(one)} --> ${names.get(id)}`);
    if (parent === null) continue;
    const isOther = state.agenda.item(parent).resolvedBy === 'any' && state.choices.get(parent) !== id;
    lines.push(`  ${names.get(id)} ${isOther ? '-.-x' : '---o'} ${names.get(parent)}`);
  }
  for (const [name, style] of Object.entries(classes)) lines.push(`  classDef ${name} ${style}`);
  return `${lines.join('\n')}\n`;
}

/** Nothing of a title can end the text it stands in. */
const quoted = (text: string): string =>
  text
    .replace(/&/g, '&amp;')
    .replace(/"/g, '&quot;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/[\r\n]+/g, ' ')
    .slice(0, 80);
