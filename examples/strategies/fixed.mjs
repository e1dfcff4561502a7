/** Runs exactly so many iterations, fewer when the verification passes. */
export default class FixedStrategy {
  name = 'fixed';

  constructor({ iterations = 3 } = {}) {
    this.iterations = iterations;
  }

  async onIterationComplete({ iteration, verificationPassed, verificationReport }) {
    if (verificationPassed) return { continue: false, reason: 'Verification passed' };
    if (iteration < this.iterations - 1) {
      return {
        continue: true,
        reason: `Iteration ${iteration + 1}/${this.iterations}`,
        feedback: feedbackOf(verificationReport),
      };
    }
    return { continue: false, reason: `Max iterations reached (${this.iterations})` };
  }
}

/** What failed, one line per check, each with the first 200 characters of what it said. */
function feedbackOf(report) {
  if (report === null) return 'Agent execution failed. Try again.';
  const lines = Object.entries(report.levels).flatMap(([level, { checks }]) =>
    checks
      .filter((check) => !check.passed)
      .map(({ name, output }) => `- ${level}/${name}${output ? `: ${output.slice(0, 200)}` : ''}`),
  );
  return ['Verification failed:', ...lines].join('\n');
}
