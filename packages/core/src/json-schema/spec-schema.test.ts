import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe as suite, expect, it } from 'vitest';
import { specJsonSchema } from '../json-schema.ts';
import { describe, descriptions } from './descriptions.ts';
import { generateFlat } from './generate.ts';
import type { JsonSchema } from './short-forms.ts';

suite('the JSON Schema', () => {
  const { $defs, ...top } = specJsonSchema() as JsonSchema & { $defs: Record<string, JsonSchema> };
  it('is of draft 2020-12 and knows both forms', () => {
    expect(top.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
    expect(Object.keys($defs)).toEqual(expect.arrayContaining(['flat', 'resource', 'gates', 'strategy']));
  });
  it('is the one that was published', () => {
    // A change of the schema is meant, or it is a mistake; `npm run schema` publishes the new one.
    const published = readFileSync(new URL('../golden/schema.sha256', import.meta.url), 'utf8').trim();
    const text = JSON.stringify(specJsonSchema());
    expect(createHash('sha256').update(text).digest('hex')).toBe(published);
  });
  it('describes every option', () => {
    // A new option wants a line in descriptions.ts.
    expect(describe(generateFlat())).toEqual([]);
  });
  it('describes no option that is not there', () => {
    const text = JSON.stringify(specJsonSchema());
    const unused = Object.entries(descriptions).filter(([, about]) => !text.includes(JSON.stringify(about)));
    expect(unused).toEqual([]);
  });
  it('refers only to what it holds, under names that somebody chose', () => {
    const refs = [...JSON.stringify(top).matchAll(/"#\/\$defs\/([^"]+)"/g)].map(([, name]) => name!);
    const inner = [...JSON.stringify($defs).matchAll(/"#\/\$defs\/([^"]+)"/g)].map(([, name]) => name!);
    expect([...new Set([...refs, ...inner])].filter((name) => !(name in $defs))).toEqual([]);
    expect(Object.keys($defs).filter((name) => name.startsWith('__'))).toEqual([]);
  });
  it('writes defaults as a person would', () => {
    expect($defs['limits']).toMatchObject({
      properties: { wallClock: { default: '1h' }, maxWait: { default: '12h' }, iterations: { default: 100 } },
    });
  });
  it('marks older names, and completes only those of today', () => {
    const limits = $defs['limits']!.properties as Record<string, JsonSchema>;
    expect(limits['maxIterations']).toMatchObject({
      deprecated: true,
      description: 'An older name of limits.iterations.',
    });
    expect(limits['iterations']).not.toHaveProperty('deprecated');
  });
});
