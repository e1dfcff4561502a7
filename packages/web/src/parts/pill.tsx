/** How a run, a plan or an item stands, as a word with its colour. */
export function Pill({ status }: { status: string }) {
  return (
    <span class={`pill ${toneOf(status)}${mixed.has(status) ? ' mixed' : ''}`}>
      <i aria-hidden="true" />
      {wordFor[status] ?? status.replaceAll('-', ' ')}
    </span>
  );
}

/** Done, but with something to know beside it: another shape tells them from what is plainly done, or waits. */
const mixed: ReadonlySet<string> = new Set([
  'partial',
  'converged-with-caveats',
  'done-with-caveats',
  'complete-with-caveats',
]);

/** The word of a run: one that converged with caveats has its own. */
export const runWord = (standing: string, caveats: number): string =>
  standing === 'converged' && caveats > 0 ? 'converged-with-caveats' : standing;

const wordFor: Record<string, string> = {
  'cut-short': 'cut short',
  held: 'in a session',
};

/** The colour of a status. Its word is always beside it. */
export function toneOf(status: string): 'good' | 'bad' | 'warn' | 'busy' | 'plain' {
  switch (status) {
    case 'converged':
    case 'done':
    case 'complete':
      return 'good';
    case 'diverged':
    case 'error':
    case 'stuck':
    case 'damaged':
      return 'bad';
    case 'partial':
    case 'converged-with-caveats':
    case 'suspended':
    case 'done-with-caveats':
    case 'complete-with-caveats':
    case 'budget':
    case 'cut-short':
      return 'warn';
    case 'running':
    case 'held':
    case 'in-progress':
      return 'busy';
    default:
      return 'plain';
  }
}
