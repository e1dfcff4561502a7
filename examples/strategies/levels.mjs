/** Goes on while the verification climbs: each iteration without a higher level counts against it. config: { dry: 3 } */
export default class LevelsStrategy {
  name = 'levels';
  state = { customState: { highest: -1, dry: 0 } };

  constructor({ dry = 3 } = {}) {
    this.most = dry;
  }

  initialize() {}

  onIterationStart({ state }) {
    const { customState } = this.state;
    const level = ['L0', 'L1', 'L2', 'L3'].indexOf(state.progress.highestVerificationLevel ?? '');
    const climbed = level > customState.highest;
    this.state = { customState: { highest: Math.max(level, customState.highest), dry: climbed ? 0 : customState.dry + 1 } };
  }

  shouldContinue({ state, run }) {
    const { dry } = this.state.customState;
    if (dry >= this.most || state.loopDetection.loopCount > 0) {
      return { shouldContinue: false, reason: `no higher level in ${dry} iterations`, action: 'fail', metadata: { dry } };
    }
    return { shouldContinue: true, reason: `iteration ${run.iteration} of ${run.maxIterations}`, action: 'continue', metadata: { dry } };
  }

  onIterationComplete() {}

  onRunComplete({ outcome, totalIterations }) {
    console.log(`${outcome} after ${totalIterations} iterations`);
  }

  getState() {
    return { ...this.state };
  }

  snapshot() {
    return this.state;
  }

  restore(state) {
    this.state = state;
  }
}
