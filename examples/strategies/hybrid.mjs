/** Runs a base number of iterations, then bonus ones while there is progress. */
export default class HybridStrategy {
  name = 'hybrid';

  constructor({ base = 3, maxBonus = 2 } = {}) {
    this.base = base;
    this.maxBonus = maxBonus;
  }

  async onIterationComplete(event) {
    const { iteration, verificationPassed } = event;
    if (verificationPassed) return { continue: false, reason: 'Verification passed' };
    const feedback = 'The verification still fails. Fix what it names.';
    if (iteration < this.base - 1) {
      return { continue: true, reason: `Base iteration ${iteration + 1}/${this.base}`, feedback };
    }
    const bonusUsed = iteration - this.base + 1;
    if (bonusUsed >= this.maxBonus) return { continue: false, reason: 'All bonus iterations are used' };
    if (!isProgressing(event)) return { continue: false, reason: 'No progress' };
    return {
      continue: true,
      reason: `Bonus iteration ${bonusUsed + 1}/${this.maxBonus}`,
      feedback,
      metadata: { bonusUsed: bonusUsed + 1 },
    };
  }
}

/** An agent that worked and now fails has lost ground; everything else has the benefit of the doubt. */
function isProgressing({ agentSuccess, previousIterations }) {
  const last = previousIterations.at(-1);
  return !(last?.agentSuccess && !agentSuccess);
}
