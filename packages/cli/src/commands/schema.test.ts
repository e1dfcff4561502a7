import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { specJsonSchema } from '@agentgate/core';
import { describe, expect, it } from 'vitest';
import { schemaLine, schemaPath } from '../schema-line.ts';

const repository = fileURLToPath(new URL('../../../../', import.meta.url));
const read = (path: string) => readFileSync(`${repository}${path}`, 'utf8');

describe('what is made from the schema', () => {
  it('is current: the published JSON Schema and the reference', () => {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/schema.mjs', '--check'], {
      cwd: repository,
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
  it('is what agentgate schema prints', () => {
    const published = JSON.parse(read('packages/cli/schema/agentgate.schema.json')) as unknown;
    expect(published).toEqual(JSON.parse(JSON.stringify(specJsonSchema())));
  });
  it('lies in the package where the line for editors points', () => {
    const { name, files } = JSON.parse(read('packages/cli/package.json')) as {
      name: string;
      files: string[];
    };
    expect(schemaPath).toBe(`node_modules/${name}/schema/agentgate.schema.json`);
    expect(files).toContain('schema');
    expect(read('docs/spec.md')).toContain(schemaLine);
  });
});
