/**
 * Goes on while the number of failures reaches a new low now and then. What it has seen is kept over a restart.
 * config: { patience: 3 }
 */
export default function patient({ patience = 3 } = {}) {
  let seen = { best: Number.MAX_SAFE_INTEGER, since: 0 };
  return {
    name: 'patient',
    decide({ current }) {
      const better = current.failures < seen.best;
      seen = better ? { best: current.failures, since: 0 } : { ...seen, since: seen.since + 1 };
      if (seen.since >= patience) {
        return { continue: false, reason: `no new low in ${patience} iterations (best: ${seen.best})` };
      }
      const reason = better ? `a new low: ${seen.best} failures` : `${seen.since} of ${patience} without a new low`;
      return { continue: true, reason, confidence: 1 - seen.since / patience };
    },
    snapshot: () => seen,
    restore: (state) => {
      seen = state;
    },
  };
}
