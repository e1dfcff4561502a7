import { describe, expect, it } from 'vitest';
import { failed, play, specOf } from '../testing/play.ts';
import { embedRun, type RunFile } from './run-file.ts';

const hostile = '</script><script>alert(1)</script><!-- $& {run} <!--<script>';

describe('a run in its own page', () => {
  const spec = specOf({ task: hostile, strategy: 'fixed', limits: { iterations: 1 } });
  const { events } = play(spec, { turn: () => ({ tree: 'a' }), judge: () => failed([hostile]) });
  const file: RunFile = {
    v: 1,
    version: '1',
    at: '',
    standing: 'diverged',
    events,
    texts: { ref: hostile },
    diffs: {},
  };
  const page = embedRun('<i>{run}</i><b>{run}</b>', file);

  it('comes back as it was', () => {
    const json = page.slice('<i>'.length, page.indexOf('</i>'));
    expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(file)));
  });
  it('has no mark-up of anybody else', () => {
    expect(page.replace('<i>', '').replace('</i><b>{run}</b>', '')).not.toContain('<');
  });
});
