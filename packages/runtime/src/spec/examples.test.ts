import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Validator } from '@cfworker/json-schema';
import { parsePlan, parseSpec, specJsonSchema } from '@agentgate/core';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadSpec } from './load.ts';

const repository = fileURLToPath(new URL('../../../../', import.meta.url));
const validator = new Validator(
  specJsonSchema() as ConstructorParameters<typeof Validator>[0],
  '2020-12',
  false,
);
const mistakes = (value: unknown) =>
  validator
    .validate(value)
    .errors.slice(-3)
    .map((one) => `${one.instanceLocation} ${one.error}`);

/** The blocks of one language in the pages that people copy from. */
function blocks(language: string): [string, string][] {
  const docs = readdirSync(join(repository, 'docs')).filter((name) => name.endsWith('.md'));
  const pages = ['README.md', ...docs.map((name) => `docs/${name}`)];
  return pages.flatMap((page) => {
    const text = readFileSync(join(repository, page), 'utf8');
    const found = [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))];
    return found.map(([, block], at): [string, string] => [`${page} ${at + 1}`, block!]);
  });
}

const least = { task: 'x', agent: ['true'], gates: { any: 'true' } };
const about = ['task', 'agent', 'gates', 'strategy', 'limits', 'detectors', 'stuck', 'deliver', 'extends'];
const isSpec = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  !('items' in value) &&
  ('apiVersion' in value || about.some((name) => name in value));
const examples = blocks('yaml')
  .map(([name, text]): [string, unknown] => [name, parse(text)])
  .filter((one): one is [string, Record<string, unknown>] => isSpec(one[1]));

const plans = blocks('yaml')
  .map(([name, text]): [string, unknown] => [name, parse(text)])
  .filter(([, value]) => typeof value === 'object' && value !== null && 'items' in value);

describe('plans of the pages', () => {
  it.each(plans)('%s is read', (_name, value) => expect(parsePlan(value)).toMatchObject({ kind: 'plan' }));
});

describe('examples of the pages', () => {
  it('are there', () => expect(examples.length).toBeGreaterThan(4));
  it.each(examples)('%s keeps the schema and is read', (_name, value) => {
    const { extends: _profiles, ...own } = value;
    // Many show only a part; what is missing is not what they are about.
    const whole = 'apiVersion' in own ? own : { ...least, ...own };
    expect(mistakes(value)).toEqual([]);
    // Upon a profile, a gate may be a part of one; profiles.test.ts reads those.
    if (!('extends' in value)) expect(parseSpec(whole)).toMatchObject({ kind: 'spec' });
  });
  it('of profiles build upon each other', async () => {
    const root = mkdtempSync(join(tmpdir(), 'agentgate-example-'));
    try {
      for (const [, text] of blocks('yaml')) {
        const file = /^# (\S+\.yaml)\n/.exec(text)?.[1];
        if (file === undefined) continue;
        mkdirSync(dirname(join(root, file)), { recursive: true });
        writeFileSync(join(root, file), text);
      }
      writeFileSync(join(root, 'PROMPT.md'), 'go');
      const loaded = await loadSpec(root, join(root, 'agentgate.yaml'), [], { env: { HOME: root } });
      expect(loaded).toMatchObject({
        kind: 'loaded',
        spec: {
          task: 'go',
          limits: { iterations: 20, cost: 5, wallClock: 1_800_000 },
          gates: [{ name: 'tests', run: 'npm test', timeout: 600_000 }],
          stuck: { moves: [] },
        },
      });
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });
  it.each(blocks('ts').filter(([, text]) => text.includes('defineSpec')))('%s runs', async (_name, text) => {
    const root = mkdtempSync(join(tmpdir(), 'agentgate-example-'));
    try {
      writeFileSync(join(root, 'agentgate.ts'), text);
      writeFileSync(join(root, 'PROMPT.md'), 'go');
      const loaded = await loadSpec(root, join(root, 'agentgate.ts'), [], { env: { HOME: root } });
      expect(loaded).toMatchObject({ kind: 'loaded' });
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });
});
