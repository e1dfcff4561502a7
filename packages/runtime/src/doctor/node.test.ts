import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { lookAtNode, nodeRange } from './node.ts';

describe('Node', () => {
  it.each([
    ['18.20.0', 'bad'],
    ['20.18.9', 'bad'],
    ['20.19.0', 'good'],
    ['20.20.2', 'good'],
    ['21.7.0', 'bad'],
    ['22.12.0', 'bad'],
    ['22.13.1', 'good'],
    ['23.9.0', 'bad'],
    ['24.0.0', 'good'],
    ['30.1.2', 'good'],
  ])('%s is %s', (version, mark) => expect(lookAtNode(version)).toMatchObject({ mark }));
  it('is the one that the package asks for', () => {
    const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
    expect((JSON.parse(text) as { engines: { node: string } }).engines.node).toBe(nodeRange);
  });
});
