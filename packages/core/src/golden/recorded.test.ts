import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/*
 * Recordings are what some version wrote, so they are never written again: not when a decision comes out otherwise
 * (that is what `decidedOtherwise` is for), nor when a shape has grown. The list of their hashes only grows.
 */
const here = new URL('./', import.meta.url);
const listed = readFileSync(new URL('recorded.sha256', here), 'utf8').trimEnd().split('\n');
const recordings = ['histories/', 'plans/'].flatMap((folder) =>
  readdirSync(new URL(folder, here)).map((file) => `${folder}${file}`),
);

describe('recordings of earlier versions', () => {
  it.each(recordings)('%s is byte for byte what was recorded', (file) => {
    const hash = createHash('sha256')
      .update(readFileSync(new URL(file, here)))
      .digest('hex');
    expect(listed, 'a recording is never written again; a new one gets a new name').toContain(`${hash}  ${file}`);
  });
  it('are all still there, each listed once', () => {
    expect(listed.map((line) => line.replace(/^[0-9a-f]{64} {2}/, '')).sort()).toEqual(recordings.sort());
  });
});
