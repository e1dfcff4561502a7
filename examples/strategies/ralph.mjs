/**
 * Runs between a least and a most number of iterations. With `resultPlateau` it also ends when the last `window`
 * verifications came out alike, which is a coarse rule: an agent that fixes one thing after the other fails
 * alike until the last one, so switch it off for large tasks.
 */
export default class RalphStrategy {
  name = 'ralph';

  constructor({ min = 2, max = 10, window = 3, resultPlateau = true } = {}) {
    Object.assign(this, { min, max, window, resultPlateau });
  }

  async onIterationComplete({ iteration, verificationPassed, previousIterations }) {
    if (verificationPassed) return { continue: false, reason: 'Verification passed' };
    const goOn = (reason) => ({ continue: true, reason, feedback: 'Not done yet. Go on.' });
    if (iteration < this.min - 1) return goOn(`Iteration ${iteration + 1} of at least ${this.min}`);
    if (iteration >= this.max - 1) return { continue: false, reason: `Max iterations reached (${this.max})` };
    if (this.resultPlateau && this.isPlateau(previousIterations)) {
      const reason = `Convergence: the last ${this.window} verifications came out alike`;
      return { continue: false, reason, metadata: { converged: true } };
    }
    return goOn(`Iteration ${iteration + 1} of at most ${this.max}`);
  }

  /** A verification that was not run is no result, so it is like no other. */
  isPlateau(previousIterations) {
    const last = previousIterations.slice(-this.window).map((one) => one.verificationPassed);
    return last.length === this.window && last.every((one) => one !== null && one === last[0]);
  }
}
