// Runs the loop inside a program of your own: four functions do the work, the controller does the rest.
// Here a stand-in for an agent writes a greeting, one mended word per build, until both gates pass.
import { createHash } from 'node:crypto';
import { createController } from '@agentgate/runtime';

const controller = createController({ strategy: 'hybrid' });
await controller.initialize({
  gates: { spelling: {}, length: { severity: 'soft' } },
  limits: { maxIterations: 10, maxWallClock: '5m' },
});

const mends = { Helo: 'Hello', wrld: 'world' };
let text = 'Helo wrld';
const checks = {
  spelling: () => Object.keys(mends).filter((word) => text.includes(word)).map((word) => `${word} is misspelt`),
  length: () => (text.length > 80 ? ['the greeting is too long'] : []),
};

const result = await controller.run({
  taskSpec: 'Greet the world.',
  onBuild: async ({ failures, signal }) => {
    signal.throwIfAborted(); // hand the signal to your agent: a stop and the wall clock abort it
    const wrong = failures[0]?.message.split(' ')[0];
    if (wrong) text = text.replace(wrong, mends[wrong]);
    return { success: true, output: text, tokens: 120 };
  },
  onSnapshot: async () => ({ hash: createHash('sha256').update(text).digest('hex') }),
  onGateCheck: async (gate) => {
    const failures = checks[gate.name]().map((message) => ({ message }));
    return { passed: failures.length === 0, failures };
  },
  onFeedback: async (failures) => failures.map((one) => `${one.gate}: ${one.message}`).join('\n'),
});
const { status, iterations, reason } = result;
console.log(`${status} after ${iterations} iterations: ${reason} ("${text}")`);
