import { describe, expect, test } from 'vitest';
import { idsOf } from '../testing.ts';
import { checkRuns, jobs, pipelines, statuses, workflowRuns } from './testing.ts';
import { github, green, judge, queued, red, serve, verdictOf, useRepository } from './testing-place.ts';

useRepository();

describe('the checks of a commit', () => {
  test.each<[string, object[], string[]]>([
    ['all green', [green, { name: 'lint' }], ['(passed)']],
    ['one red', [green, red], ['ci:lint']],
    ['none', [], ['(pending)']],
    ['one queued', [green, { ...queued, name: 'slow' }], ['(pending)']],
    ['one in progress beside a red one', [red, { ...queued, status: 'in_progress' }], ['(pending)']],
    ['one held for a person beside a red one', [red, { ...queued, status: 'waiting' }], ['ci:lint']],
    ['one held for a person', [green, { ...queued, status: 'waiting' }], ['(pending)']],
    ['neutral', [{ conclusion: 'neutral' }], ['(passed)']],
    ['skipped beside a green one', [green, { name: 'deploy', conclusion: 'skipped' }], ['(passed)']],
    ['only skipped', [{ conclusion: 'skipped' }], ['(pending)']],
    ['cancelled', [{ name: 'a', conclusion: 'cancelled' }], ['ci:a']],
    ['timed out', [{ name: 'a', conclusion: 'timed_out' }], ['ci:a']],
    ['action required', [{ name: 'a', conclusion: 'action_required' }], ['ci:a']],
    ['stale', [{ name: 'a', conclusion: 'stale' }], ['ci:a']],
    ['an end that nobody knows', [{ name: 'a', conclusion: 'splendid' }], ['ci:a']],
    ['two red ones of one name', [red, { ...red, id: 2 }], ['ci:lint', 'ci:lint #2']],
  ])('%s', async (_name, runs, ids) => {
    expect(idsOf(await verdictOf({ body: checkRuns(...runs) }))).toEqual(ids);
  });

  test('a red one tells its name, its summary and where to read more', async () => {
    const output = { title: '3 problems', summary: 'unused \u001b[31mvariable\u202e' };
    const html_url = 'https://github.com/acme/widget/actions/runs/1/job/2';
    const verdict = await verdictOf({ body: checkRuns({ ...red, output, html_url }) });
    expect(verdict).toMatchObject({
      findings: [{ title: 'lint: failure', message: `3 problems\nunused variable\n${html_url}` }],
    });
  });

  test('statuses count like check runs', async () => {
    const status = { '/status': { body: statuses({ context: 'deploy', state: 'failure' }) } };
    const { url } = await github({ body: checkRuns(green) }, status);
    expect(idsOf((await judge({ apiUrl: url })).verdict)).toEqual(['ci:deploy']);
  });

  test('one that turned green just now is looked at once more, since others may begin', async () => {
    const completed_at = new Date(Date.now() - 5_000).toISOString();
    const runs = { body: checkRuns({ ...green, completed_at }) };
    expect(await verdictOf(runs)).toMatchObject({
      kind: 'pending',
      note: expect.stringContaining('one more look'),
    });
    expect(await verdictOf(runs, { checks: 'test' })).toMatchObject({ kind: 'passed' });
  });

  test.each<[string[], string]>([
    [['test'], '(passed)'],
    [['te*', 'build (*)'], '(passed)'],
    [['*'], 'ci:lint'],
    [['lint'], 'ci:lint'],
    [['test', 'e2e'], '(pending)'],
    [['build (20'], '(pending)'],
  ])('named as %j is %s', async (checks, expected) => {
    const runs = { body: checkRuns(green, red, { name: 'build (20, linux)' }) };
    expect(idsOf(await verdictOf(runs, { checks }))).toEqual([expected]);
  });
});

describe('workflows', () => {
  const look = async (workflow: string | string[], ...runs: object[]) => {
    const suites = checkRuns({ ...green, check_suite: { id: 7 } }, { ...red, check_suite: { id: 8 } });
    const { url } = await github({ body: suites }, { '/actions/runs': { body: workflowRuns(...runs) } });
    return idsOf((await judge({ apiUrl: url, workflow }, { marker: url })).verdict);
  };
  const ci = { name: 'CI', path: '.github/workflows/ci.yml', check_suite_id: 7 };
  const docs = { name: 'Docs', path: '.github/workflows/docs.yml', check_suite_id: 8, conclusion: 'failure' };
  test('are known by their name and by their file, and others do not count', async () => {
    expect(await look('CI', ci, docs)).toEqual(['(passed)']);
    expect(await look('ci.yml', ci, docs)).toEqual(['(passed)']);
    expect(await look('.github/workflows/docs.yml', ci, docs)).toEqual(['ci:lint']);
    expect(await look(['CI', 'Docs'], ci, docs)).toEqual(['ci:lint']);
  });
  test('are waited for until they are there and done', async () => {
    expect(await look('release.yml', ci)).toEqual(['(pending)']);
    expect(await look('CI', { ...ci, status: 'in_progress', conclusion: null })).toEqual(['(pending)']);
  });
  test('that could not even start have failed, and a newer run takes the place of an older one', async () => {
    const broken = { ...ci, check_suite_id: 9, conclusion: 'startup_failure' };
    expect(await look('CI', broken)).toEqual(['ci:CI']);
    expect(await look('CI', ci, broken)).toEqual(['(passed)']);
  });
});

describe('GitLab', () => {
  const look = async (list: object[], ofPipeline: object[], options: object = {}) => {
    const { url } = await serve(({ path }) => {
      if (path.endsWith('/pipelines')) return { body: pipelines(...list) };
      if (path.endsWith('/jobs')) return { body: jobs(...ofPipeline) };
      return { body: { id: 40112233 } };
    });
    const gate = { provider: 'gitlab', repository: 'acme/tools/widget', apiUrl: `${url}/api/v4`, ...options };
    return idsOf((await judge(gate, { marker: url })).verdict);
  };
  test.each<[string, object[], object[], string[]]>([
    ['all green', [{}], [{}, { name: 'lint' }], ['(passed)']],
    ['no pipeline', [], [], ['(pending)']],
    ['running', [{ status: 'running' }], [{}, { name: 'lint', status: 'running' }], ['(pending)']],
    ['one red job', [{ status: 'failed' }], [{}, { name: 'lint', status: 'failed' }], ['ci:lint']],
    [
      'a red job that may fail',
      [{}],
      [{}, { name: 'lint', status: 'failed', allow_failure: true }],
      ['(passed)'],
    ],
    ['a red bridge shows in the pipeline', [{ status: 'failed' }], [{}], ['ci:pipeline (push)']],
    ['a job by hand that need not be', [{}], [{}, { status: 'manual', allow_failure: true }], ['(passed)']],
    ['a job by hand that must be', [{ status: 'manual' }], [{}, { status: 'manual' }], ['(pending)']],
    ['cancelled', [{ status: 'canceled' }], [{ name: 'a', status: 'canceled' }], ['ci:a']],
    [
      'started again',
      [
        { id: 9, status: 'success' },
        { id: 8, status: 'failed' },
      ],
      [{}],
      ['(passed)'],
    ],
  ])('%s', async (_name, list, ofPipeline, ids) => {
    expect(await look(list, ofPipeline)).toEqual(ids);
  });
  test('jobs that are named count alone', async () => {
    const all = [{ name: 'unit' }, { name: 'lint', status: 'failed' }];
    expect(await look([{ status: 'failed' }], all, { checks: 'unit' })).toEqual(['(passed)']);
  });
});

test('a stop ends the look', async () => {
  const controller = new AbortController();
  const { url } = await serve(() => {
    controller.abort();
    return 'never';
  });
  const { verdict } = await judge({ apiUrl: url }, { signal: controller.signal });
  expect(verdict).toEqual({ kind: 'skipped', why: 'the run was stopped' });
});
