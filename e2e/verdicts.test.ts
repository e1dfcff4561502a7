import { mkdirSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { agentgate, makePlace, outcomeOf } from './support/command.ts';
import { argumentsOf, scenarios } from './scenarios/index.ts';

interface Row {
  name: string;
  expected: string;
  got: string;
}

const rows: Row[] = [];
const show = ({ status, code, iterations, exit }: Record<string, unknown>) =>
  `${status} ${code} ${iterations} ${exit}`;

describe.concurrent('verdicts', () => {
  for (const scenario of scenarios) {
    it(scenario.name, async () => {
      const place = makePlace(scenario.files);
      try {
        place.write({ '../agent.sh': `n=$AGENTGATE_ITERATION\n${scenario.agent ?? ':'}\n` });
        const args = argumentsOf(scenario);
        const ended = await (scenario.use ?? ((at, words) => agentgate(at, ...words)))(place, args);
        const got = show({ ...outcomeOf(ended), exit: ended.exit });
        rows.push({ name: scenario.name, expected: show(scenario.expect), got });
        expect(got, ended.stderr).toBe(show(scenario.expect));
      } finally {
        place.remove();
      }
    });
  }
});

afterAll(() => {
  const path = process.env['VERDICTS_FILE'];
  if (!path) return;
  mkdirSync(new URL('.', `file://${path}`), { recursive: true });
  writeFileSync(path, JSON.stringify(rows));
});
