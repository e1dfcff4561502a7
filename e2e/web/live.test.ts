import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findHome } from '@agentgate/runtime';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makePlace, type Place, start } from '../support/command.ts';
import { type Browser, hasBrowser, seriousFaults, startBrowser } from './support/browser.ts';
import { openAt, openRun, saidOn, type Serving, signIn, startServer } from './support/serving.ts';
import { prepareSteps, startSteps } from './support/steps.ts';

describe.skipIf(!hasBrowser)('the dashboard (needs /usr/bin/chromium)', () => {
  let browser: Browser;
  let place: Place;
  let serving: Serving;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    place = makePlace();
    serving = await startServer(place);
    await signIn(browser, serving);
  });
  afterEach(async () => {
    await browser.clear();
    await serving?.stop();
    place.remove();
  });

  const status = (page: Page) => page.locator('.run-head .pill');
  const tile = (page: Page, name: string) => page.locator('.tile', { hasText: name });
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const at = (path: string) => join(place.workspace, path);

  it('shows a run converge while it happens', async () => {
    prepareSteps(place);
    const going = startSteps(place);
    await going.began(1);
    const { page, problems } = await openRun(browser, serving);
    await page.evaluate('window.sameDocument = true');
    await page.getByText('Iteration 1: the agent works').waitFor();
    expect(await tile(page, 'failing').innerText()).toContain('5');

    for (const [iteration, left] of [
      [1, 3],
      [2, 1],
    ] as const) {
      going.go(iteration);
      await going.began(iteration + 1);
      await page.getByText(`Iteration ${iteration + 1}: the agent works`).waitFor();
      await tile(page, 'failing').getByText(String(left), { exact: false }).first().waitFor();
      await page.getByRole('heading', { name: `Iteration ${iteration}`, exact: true }).waitFor();
    }
    going.go(3);
    await status(page).getByText('converged').waitFor();
    expect((await going.ended).exit).toBe(0);
    await page.locator('.verdict').getByText('Every gate passed: tests').waitFor();
    await page.getByText('$0.75').first().waitFor();
    expect(await page.evaluate('window.sameDocument')).toBe(true);
    expect(problems).toEqual([]);
  });

  it('approves a gate that waits, and rejects one with a reason', async () => {
    prepareSteps(place, ['  review: { kind: approval, message: "Ship it?" }']);
    const going = startSteps(place);
    for (const step of [1, 2, 3, 4]) going.go(step);
    const { page } = await openAt(browser, serving, 'inbox');
    await page.getByText('Ship it?').waitFor();
    // What is asked about is there to be looked at.
    const { page: beside } = await openRun(browser, serving);
    await beside.getByRole('tab', { name: /^Changes/ }).click();
    await beside.locator('.lines', { hasText: '+ok 5' }).waitFor();
    await page.getByRole('textbox').fill('the receipt is missing');
    await press(page, 'Reject');
    await page.getByText('You rejected review.').first().waitFor();
    await going.began(4);
    expect(readFileSync(at('../prompt-4'), 'utf8')).toContain('the receipt is missing');
    await press(page, 'Approve');
    expect((await going.ended).exit).toBe(0);
    await page.getByText('Nothing waits for you').waitFor();
  });

  it('begins a run by a spec that the server knows, after it has shown what that is', async () => {
    prepareSteps(place);
    for (const step of [1, 2, 3]) writeFileSync(at(`../go-${step}`), '');
    const { page: without } = await openAt(browser, serving, '');
    await without.getByText('There are no runs yet').waitFor();
    expect(await without.getByRole('button', { name: 'Begin a run' }).count()).toBe(0);
    await serving.stop();
    serving = await startServer(place, serving.port, ['--spec', 'shop=agentgate.yaml']);
    const { page, problems } = await openAt(browser, serving, '');
    await press(page, 'Begin a run');
    const dialog = page.locator('dialog');
    await dialog.getByText('Make the tests of the shop pass.').waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('There are no runs yet').waitFor();
    await press(page, 'Begin a run');
    await dialog.getByRole('button', { name: 'Begin', exact: true }).click();
    await status(page).getByText('converged').waitFor();
    expect(problems).toEqual([]);
  });

  it('answers a gate that asks people by name, as one of them', async () => {
    prepareSteps(place, ['  review: { kind: approval, approvers: [ann, bob] }']);
    const going = startSteps(place);
    for (const step of [1, 2, 3]) going.go(step);
    const { page } = await openAt(browser, serving, 'inbox');
    await page.getByText('waits for ann, bob').waitFor();
    const approve = page.getByRole('button', { name: 'Approve', exact: true });
    expect(await approve.isDisabled()).toBe(true);
    await page.getByLabel('Who answers').selectOption('bob');
    expect(await seriousFaults(page)).toEqual([]);
    await approve.click();
    expect((await going.ended).exit).toBe(0);
    const { page: beside } = await openRun(browser, serving);
    expect(await saidOn(beside)).toContain('converged');
  });

  it('stops a run, and resumes it', async () => {
    prepareSteps(place);
    const going = startSteps(place);
    await going.began(1);
    const { page } = await openRun(browser, serving);
    await press(page, 'Stop');
    await page.getByLabel('Why').fill('lunch');
    await press(page, 'Stop it');
    await status(page).getByText('stopped').waitFor();
    expect((await going.ended).exit).toBe(3);
    await page.getByText(/lunch/).first().waitFor();

    for (const step of [1, 2, 3, 4]) going.go(step);
    await press(page, 'Resume');
    await page.locator('dialog').getByRole('button', { name: 'Resume' }).click();
    // It stays open where the run goes on, and says so on the page of the old one, which nobody hears any more.
    await status(page).getByText('converged').waitFor();
    await page.getByText('Goes on from').getByRole('link').click();
    await page.getByText('It went on as run').waitFor();
    expect(await page.getByRole('button', { name: 'Resume', exact: true }).count()).toBe(0);
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByText('It went on as run').getByRole('link').click();
    await status(page).getByText('converged').waitFor();
  });

  it('redirects a run: the agent is given the new words', async () => {
    prepareSteps(place);
    const going = startSteps(place);
    await going.began(1);
    const { page } = await openRun(browser, serving);
    for (const step of [2, 3, 4]) going.go(step);
    await press(page, 'Redirect');
    await page.getByLabel('New words for the agent').fill('Leave the totals as they are.');
    await page.locator('dialog').getByRole('button', { name: 'Redirect' }).click();
    await going.began(2);
    expect(readFileSync(at('../prompt-2'), 'utf8')).toContain('Leave the totals as they are.');
    await status(page).getByText('converged').waitFor();
  });

  it('answers a run that asks what to do, and accepts its tree', async () => {
    prepareSteps(place, ['strategy: { kind: manual }']);
    const going = startSteps(place);
    for (const step of [1, 2]) going.go(step);
    const { page } = await openAt(browser, serving, 'inbox');
    await page.getByText('After iteration 1').waitFor();
    await press(page, 'Continue');
    await page.getByText('After iteration 2').waitFor();
    await press(page, 'Accept the tree');
    const ended = await going.ended;
    expect(ended.stdout).toContain('partial');
  });

  it('answers what an agent asks, and grants what only a person can allow', async () => {
    place.write({
      'work.txt': 'bad\n',
      'rules.txt': 'old\n',
      'agentgate.yaml': [
        'task: Mind the rules.',
        'agent: { run: [sh, ../agent.sh] }',
        'gates: { tests: { run: "grep -q good work.txt && grep -q new rules.txt", protect: [rules.txt] } }',
        'stuck: off',
      ].join('\n'),
      '../agent.sh': [
        'cat > ../prompt-$AGENTGATE_ITERATION',
        `test $AGENTGATE_ITERATION = 1 && { echo '{"ask": "May the rules change?"}' > "$AGENTGATE_OUTCOME_FILE"; exit 0; }`,
        'echo good > work.txt; echo new > rules.txt',
      ].join('\n'),
    });
    await start(place, ['run']).ended;
    const { page, problems } = await openAt(browser, serving, 'inbox');
    await page.getByText('May the rules change?').waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    expect(await page.getByRole('button', { name: 'Redirect', exact: true }).isDisabled()).toBe(true);
    await page.getByLabel('Your answer').fill('Yes, where they are wrong.');
    await press(page, 'Redirect');
    await page.getByText('only a person can allow that').waitFor();
    expect(readFileSync(at('../prompt-2'), 'utf8')).toContain('Yes, where they are wrong.');
    expect(await page.locator('.asking li').allInnerTexts()).toEqual(['rules.txt']);
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByLabel('Why they may be so').fill('They were wrong.');
    await press(page, 'Grant');
    await page.getByText('Nothing waits for you').waitFor();
    const { page: beside } = await openRun(browser, serving);
    await status(beside).getByText('converged').waitFor();
    expect(problems).toEqual([]);
  });

  it('tries an item of a plan again, puts it off, and redirects the plan', async () => {
    place.write({
      '../agent.sh': 'echo try >> work.txt\n',
      'plan.json': JSON.stringify({
        limits: { item: 1 },
        run: { agent: ['sh', at('../agent.sh')], integrity: 'off' },
        items: [{ id: 'one', task: 'Write work.txt.', gates: { there: 'grep -q done work.txt' } }],
      }),
    });
    await start(place, ['plan', 'run', 'plan.json']).ended;
    const { page, problems } = await openAt(browser, serving, 'plans');
    await page.locator('td.main-cell a').click();
    const row = page.locator('tbody tr').first();
    await row.locator('.pill', { hasText: 'stuck' }).waitFor();
    await row.getByRole('button').click();
    await press(page, 'Try again');
    await page.getByText('one is tried again in its next session').waitFor();
    await press(page, 'Put off');
    await page.getByText('one is put off in its next session').waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await press(page, 'Redirect');
    await page.locator('dialog textarea').fill('No new files.');
    await page.locator('dialog').getByRole('button', { name: 'Redirect' }).click();
    await page.getByText('follows your words in its next session').waitFor();
    await start(place, ['plan', 'run', 'plan.json']).ended;
    await row.locator('.pill', { hasText: 'deferred' }).waitFor();
    await page.getByText('constraint: No new files.').waitFor();
    expect(problems).toEqual([]);
  });

  it('brings a tree back into the workspace', async () => {
    prepareSteps(place, ['strategy: { kind: fixed, iterations: 1 }']);
    const going = startSteps(place);
    going.go(1);
    await going.ended;
    const before = readFileSync(at('tests.tap'), 'utf8');
    const { page } = await openRun(browser, serving);
    await press(page, 'Restore');
    await page.locator('dialog select').selectOption('0');
    await page.locator('dialog').getByRole('button', { name: 'Restore' }).click();
    await page.getByText(/is back; what was there is kept/).waitFor();
    expect(readFileSync(at('tests.tap'), 'utf8')).not.toBe(before);
  });

  it('shows the same after a reload and after a restart of the server, by itself', async () => {
    prepareSteps(place);
    const going = startSteps(place);
    going.go(1);
    await going.began(2);
    const { page } = await openRun(browser, serving);
    await page.getByText('Iteration 2: the agent works').waitFor();
    await page.getByRole('button', { name: 'Stop', exact: true }).waitFor();
    const before = await saidOn(page);
    await page.reload();
    await page.getByText('Iteration 2: the agent works').waitFor();
    await expect.poll(() => saidOn(page)).toBe(before);

    await serving.stop();
    await page.getByText('The server does not answer').waitFor();
    serving = await startServer(place, serving.port);
    await page.getByText('The server does not answer').waitFor({ state: 'detached' });
    await expect.poll(() => saidOn(page)).toBe(before);
    for (const step of [2, 3]) going.go(step);
    await status(page).getByText('converged').waitFor();
    expect((await going.ended).exit).toBe(0);
  });

  it('holds no connection while nobody sees it, and catches up when somebody does', async () => {
    prepareSteps(place);
    const going = startSteps(place);
    await going.began(1);
    // What the page asked for while it was seen is answered when nobody sees it any more, and the run has ended.
    const asked = /\/runs\/[^/]+$/;
    let answer = () => {};
    const held = new Promise<void>((done) => (answer = done));
    await browser.context.route(asked, (route) => held.then(() => route.continue()));
    const { page } = await openRun(browser, serving);
    const readers = () =>
      page.evaluate<number>("fetch('/api/health').then((one) => one.json()).then((one) => one.readers)");
    await expect.poll(readers).toBe(2);
    await status(page).getByText('running').waitFor();
    const hide = (hidden: boolean) =>
      page.evaluate(
        `Object.defineProperty(document, 'hidden', { value: ${hidden}, configurable: true }); document.dispatchEvent(new Event('visibilitychange'))`,
      );
    await hide(true);
    await expect.poll(readers).toBe(0);
    for (const step of [1, 2, 3]) going.go(step);
    expect((await going.ended).exit).toBe(0);
    const answered = page.waitForResponse(asked);
    answer();
    await answered;
    await browser.context.unrouteAll({ behavior: 'wait' });
    expect(await readers()).toBe(0);
    expect(await status(page).innerText()).toContain('running');
    expect(await page.getByText('Iteration 1: the agent works').isVisible()).toBe(true);
    await hide(false);
    await status(page).getByText('converged').waitFor();
    await page.getByRole('button', { name: 'Restore', exact: true }).waitFor();
  });

  it('says what is wrong with a log, and does not take that for a server that is gone', async () => {
    prepareSteps(place, ['strategy: { kind: fixed, iterations: 1 }']);
    const going = startSteps(place);
    going.go(1);
    await going.ended;
    const { page } = await openRun(browser, serving);
    await page.getByRole('heading', { name: 'Iteration 1', exact: true }).waitFor();
    const runId = page.url().split('/').at(-1)!;
    const log = join(findHome(place.workspace, place.env).runs, runId, 'log.jsonl');
    writeFileSync(log, readFileSync(log, 'utf8').replace('"run.ended"', '"run.ENDED"'));
    const ended = page.waitForEvent('requestfinished', (one) => one.url().endsWith('/stream'));
    await page.reload();
    await page.getByText('is damaged').first().waitFor();
    await ended;
    expect(await page.getByText('The server does not answer').count()).toBe(0);
    await page.getByRole('heading', { name: 'Iteration 1', exact: true }).waitFor();
  });

  it('asks a recorded run how it would have gone under another strategy', async () => {
    prepareSteps(place, ['strategy: { kind: ralph, max: 9 }']);
    const going = startSteps(place);
    for (const step of [1, 2, 3]) going.go(step);
    await going.ended;
    const { page } = await openRun(browser, serving);
    await press(page, 'Replay under the other strategies');
    const rows = page.locator('.what-if tbody tr');
    await rows.nth(3).waitFor();
    expect(await rows.first().innerText()).toContain('ralph');
    expect(await rows.filter({ hasText: 'hybrid' }).innerText()).toMatch(/would have ended there too/);
  });

  it('asks for the criteria of a plan that only a person can judge, and ticks them', async () => {
    const item = { task: 'Write work.txt.', gates: { there: 'grep -q done work.txt' } };
    const acceptance = [{ person: 'It reads well.' }, { person: 'A newcomer understands it.' }];
    place.write({
      '../agent.sh': 'echo done >> work.txt\n',
      'plan.json': JSON.stringify({
        run: { agent: ['sh', at('../agent.sh')], integrity: 'off' },
        items: [
          { id: 'one', ...item, acceptance },
          { id: 'two', ...item },
        ],
      }),
    });
    await start(place, ['plan', 'run', 'plan.json']).ended;
    const { page, problems } = await openAt(browser, serving, 'inbox');
    const asked = page.locator('main section');
    await expect.poll(() => asked.count()).toBe(2);
    expect(await page.locator('nav .badge').innerText()).toContain('2');
    expect(await seriousFaults(page)).toEqual([]);
    await asked.filter({ hasText: 'A newcomer understands it.' }).getByRole('button').click();
    await expect.poll(() => asked.count()).toBe(1);
    expect(await asked.innerText()).toContain('It reads well.');
    await asked.getByRole('button').click();
    await page.getByText('Nothing waits for you').waitFor();
    await asked.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Plans' }).click();
    await page.locator('tbody .pill', { hasText: 'complete' }).waitFor();
    expect(problems).toEqual([]);
  });

  it('lists runs, finds them by word and by how they stand', async () => {
    prepareSteps(place);
    for (const step of [1, 2, 3]) writeFileSync(at(`../go-${step}`), '');
    await start(place, ['run']).ended;
    await start(place, ['run', '-p', 'Never to be done', '--max-iterations', '1']).ended;
    const { page } = await openAt(browser, serving, '');
    const rows = page.locator('tbody tr');
    await rows.nth(1).waitFor();
    await page.getByRole('searchbox').fill('never to');
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByRole('searchbox').fill('');
    await page.getByRole('button', { name: /^converged/ }).click();
    const converged = [expect.stringContaining('Make the tests of the shop pass.')];
    await expect.poll(() => rows.allInnerTexts()).toEqual(converged);
  });

  it('says how to get in again when the server shuts a browser out, and goes on when it is in', async () => {
    prepareSteps(place);
    const going = startSteps(place);
    await going.began(1);
    const { page } = await openRun(browser, serving);
    const { page: inbox } = await openAt(browser, serving, 'inbox');
    await inbox.getByText('Nothing waits for you').waitFor();
    await serving.stop();
    serving = await startServer(place, serving.port, ['--new-token']);
    for (const one of [page, inbox]) {
      await one.getByRole('heading', { name: 'This browser is not signed in' }).waitFor();
      expect(await one.locator('main').innerText()).toContain('agentgate serve');
      expect(await one.locator('main').innerText()).not.toContain('The server does not answer');
      expect(await seriousFaults(one)).toEqual([]);
    }
    await signIn(browser, serving);
    await page.getByText('Iteration 1: the agent works').waitFor();
    await inbox.getByText('Nothing waits for you').waitFor();
    for (const step of [1, 2, 3]) going.go(step);
    await status(page).getByText('converged').waitFor();
    await going.ended;
  });

  it('lets nobody in without the link', async () => {
    const stranger = await startBrowser();
    const { page } = await stranger.open();
    const answer = await page.goto(serving.url);
    expect(answer?.status()).toBe(401);
    expect(await page.locator('body').innerText()).toContain('agentgate serve');
    await stranger.close();
  });
});
