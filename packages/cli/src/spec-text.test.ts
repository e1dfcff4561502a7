import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSpec, proposeAgent, type ProposedGate } from '@agentgate/runtime';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { specText } from './spec-text.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'agentgate-text-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const gate = (over: object): ProposedGate => ({
  name: 'tests',
  proves: 'tests',
  run: 'npm test',
  severity: 'hard',
  because: 'seen',
  ...over,
});
const load = async (gates: ProposedGate[], agent = proposeAgent(root, {})) => {
  const text = specText({ gates, ecosystems: [], tested: false, firstTest: null }, agent, null);
  writeFileSync(join(root, 'agentgate.yaml'), text);
  return { text, loaded: await loadSpec(root, join(root, 'agentgate.yaml'), []) };
};

describe('the text of a spec', () => {
  it.each([
    'npm test',
    'true',
    'no',
    '.venv/bin/python -m pytest -q',
    "find . -name '*.js' | xargs -0 -n1 node --check",
    'cd web && npm test',
    'a "quoted" #word: {x}',
    '- dash',
    '@scope/x',
    'CI=true npm test',
  ])('gives back the command %s', async (run) => {
    expect((await load([gate({ run })])).loaded).toMatchObject({
      kind: 'loaded',
      spec: { gates: [{ name: 'tests', run }] },
    });
  });
  it('keeps other gates, soft ones and artifacts', async () => {
    const { loaded } = await load([
      gate({ name: 'test:e2e', severity: 'soft' }),
      { name: 'artifact', proves: 'artifact', exists: ['dist/a b.js'], severity: 'hard', because: 'x' },
    ]);
    expect(loaded).toMatchObject({
      spec: {
        gates: [
          { name: 'test:e2e', severity: 'soft' },
          { kind: 'artifact', exists: ['dist/a b.js'] },
        ],
      },
    });
  });
  it('lets no name of a file or a job out of its comment', async () => {
    const { loaded, text } = await load([
      gate({ because: 'ci.yml, job x\nlimits: { iterations: 9999 }\u2028y' }),
    ]);
    expect(loaded).toMatchObject({ kind: 'loaded', spec: { limits: { iterations: 20 } } });
    expect(text.match(/^limits:/gm)).toHaveLength(1);
  });
  it('is a spec in an empty directory too, with a gate that fails and says so', async () => {
    const { loaded, text } = await load([]);
    expect(loaded).toMatchObject({
      kind: 'loaded',
      spec: { gates: [{ name: 'unwritten', onFailure: 'stop' }] },
    });
    expect(text).toContain('#   tests: { run: npm test }');
  });
  it('takes an agent by its kind, as a list of words or as a text for the shell', async () => {
    const proposed = proposeAgent(root, {});
    const taken = async (agent: typeof proposed.agent) =>
      (await load([gate({})], { ...proposed, agent })).loaded;
    expect(await taken('codex')).toMatchObject({ spec: { agent: { kind: 'codex' } } });
    expect(await taken({ run: ['amp', '-x'] })).toMatchObject({
      spec: { agent: { kind: 'command', run: ['amp', '-x'] } },
    });
    const run = 'copilot -p "$(cat "$AGENTGATE_PROMPT_FILE")" --allow-all-tools';
    expect(await taken({ run })).toMatchObject({ spec: { agent: { run } } });
  });
});
