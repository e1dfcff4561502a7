/** Goes on until enough of the gates pass. config: { share: 0.8 } */
export default class ThresholdStrategy {
  name = 'threshold';
  type = 'fixed';

  initialize({ share = 1 }) {
    if (!(share > 0 && share <= 1)) throw new RangeError(`share must be above 0 and at most 1, not ${share}`);
    this.share = share;
  }

  async shouldContinue(state) {
    const reached = this.getProgress(state);
    const percent = `${Math.round(reached * 100)} % of the gates pass`;
    return { continue: reached < this.share, reason: percent, confidence: 1 };
  }

  getProgress({ gateResults }) {
    if (gateResults.length === 0) return 0;
    return gateResults.filter((one) => one.passed).length / gateResults.length;
  }

  reset() {}
}
