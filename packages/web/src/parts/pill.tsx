/** How a run, a plan or an item stands, as a word with its colour. */
export function Pill({ status }: { status: string }) {
  return (
    <span class={`pill ${toneOf(status)}`}>
      <i aria-hidden="true" />
      {wordFor[status] ?? status.replaceAll('-', ' ')}
    </span>
  );
}

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
