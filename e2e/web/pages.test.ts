import { closeSync, cpSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { agentgate, makePlace, type Place, start } from '../support/command.ts';
import { type Browser, fitsWidth, hasBrowser, seriousFaults, startBrowser } from './support/browser.ts';
import { corpus } from './support/corpus.ts';
import { prepareHostile } from './support/hostile.ts';
import { openAt, openRun, type Serving, signIn, startServer } from './support/serving.ts';

const example = fileURLToPath(new URL('../../examples/plan', import.meta.url));

describe.skipIf(!hasBrowser)('every page (needs /usr/bin/chromium)', () => {
  let browser: Browser;
  let place: Place;
  let serving: Serving;
  let waiting: ReturnType<typeof start>;
  beforeAll(async () => {
    place = makePlace();
    cpSync(example, join(place.workspace, 'plan'), { recursive: true });
    await agentgate(place, 'plan', 'run', '-C', 'plan');
    place.write({
      'asking/agentgate.yaml':
        'task: Ask a person.\nagent: { run: [sh, -c, "echo x > work.txt"] }\ngates: { review: { kind: approval, message: "Ship it?" } }\n',
      'hostile/.keep': '',
    });
    waiting = start({ workspace: join(place.workspace, 'asking'), env: place.env }, ['run']);
    const hostile: Place = { ...place, workspace: join(place.workspace, 'hostile') };
    prepareHostile({
      ...hostile,
      write: (files) =>
        place.write(
          Object.fromEntries(Object.entries(files).map(([path, text]) => [`hostile/${path}`, text])),
        ),
    });
    await agentgate(hostile, 'run');
    browser = await startBrowser();
    serving = await startServer(place);
    await signIn(browser, serving);
  }, 300_000);
  afterEach(() => browser.clear());
  afterAll(async () => {
    waiting?.child.kill('SIGTERM');
    await waiting?.ended;
    await serving?.stop();
    await browser?.close();
    place?.remove();
  });

  const openPlan = async (look?: object) => {
    const opened = await openAt(browser, serving, 'plans', look);
    await opened.page.locator('td.main-cell a').first().click();
    await opened.page.locator('.plan-graph').waitFor();
    return opened;
  };
  const pages: [string, (look: object) => ReturnType<typeof openAt>][] = [
    ['runs', (look) => openAt(browser, serving, '', look)],
    ['a run', (look) => openRun(browser, serving, 'script', look)],
    ['plans', (look) => openAt(browser, serving, 'plans', look)],
    [
      'a plan',
      async (look) => {
        const opened = await openPlan(look);
        await opened.page.locator('.plan-graph button').nth(1).click();
        return opened;
      },
    ],
    [
      'approvals',
      async (look) => {
        const opened = await openAt(browser, serving, 'inbox', look);
        await opened.page.getByText('Ship it?').waitFor();
        return opened;
      },
    ],
  ];

  it.each(pages)('%s: no serious fault of access, and as wide as the window', async (_, open) => {
    for (const [colorScheme, width] of [
      ['light', 1280],
      ['dark', 1280],
      ['light', 375],
    ] as const) {
      const { page, problems } = await open({ colorScheme, width });
      await page.locator('main h1').first().waitFor();
      expect(await seriousFaults(page)).toEqual([]);
      expect([width, await fitsWidth(page)]).toEqual([width, true]);
      expect(problems).toEqual([]);
    }
  });

  const dialogs: [string, (look: object) => ReturnType<typeof openAt>][] = [
    ['Resume', (look) => openRun(browser, serving, 'script', look)],
    ['Restore', (look) => openRun(browser, serving, 'script', look)],
    ['Stop', (look) => openRun(browser, serving, 'Ask a person', look)],
    ['Redirect', (look) => openRun(browser, serving, 'Ask a person', look)],
    ['Redirect', openPlan],
  ];
  it.each(dialogs)(
    '%s: asks before it does something, in a dialog that a keyboard leaves again',
    async (name, open) => {
      for (const [colorScheme, width] of [
        ['light', 1280],
        ['dark', 375],
      ] as const) {
        const { page, problems } = await open({ colorScheme, width });
        await page.getByRole('button', { name, exact: true }).click();
        await page.getByRole('dialog').waitFor();
        expect(await seriousFaults(page)).toEqual([]);
        expect([width, await fitsWidth(page)]).toEqual([width, true]);
        await page.keyboard.press('Escape');
        await page.locator('dialog').waitFor({ state: 'detached' });
        expect(problems).toEqual([]);
      }
    },
  );

  it('turns dark and light by hand, and remembers it', async () => {
    const { page } = await openAt(browser, serving, '');
    await page.getByRole('button', { name: 'Use the dark theme' }).click();
    await page.reload();
    await page.getByRole('button', { name: 'Use the light theme' }).click();
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('light');
    await page.evaluate('localStorage.clear()');
  });

  it('shows what others wrote as text and never as anything else', async () => {
    const { page, problems, asked } = await openRun(browser, serving, 'script');
    expect(await page.locator('h1').innerText()).toContain(corpus[0]);
    const slider = page.getByRole('slider', { name: 'Iteration' });
    await slider.press('Home');
    await page.getByRole('tab', { name: /^Findings/ }).click();
    const titles = await page.locator('.groups li').allTextContents();
    expect(corpus.filter((text) => !titles.some((one) => one.includes(text)))).toEqual([]);
    await slider.press('End');
    await page.getByRole('tab', { name: 'Agent' }).click();
    await page.locator('[role=tabpanel] pre.output').waitFor();
    const printed = (await page.locator('pre.output').allTextContents()).join('\n');
    expect(corpus.filter((text) => !printed.includes(text))).toEqual([]);
    await page.getByRole('tab', { name: 'Feedback' }).click();
    await slider.press('ArrowLeft');
    await page.getByRole('tab', { name: /^Changes/ }).click();
    await page.locator('.lines').first().waitFor();
    const changed = (await page.locator('.lines').allTextContents()).join('\n');
    expect(corpus.filter((text) => !changed.includes(text))).toEqual([]);

    expect(await page.evaluate('window.pwned')).toBeUndefined();
    expect(problems).toEqual([]);
    expect(asked.filter((one) => !one.startsWith(`${serving.url}/`))).toEqual([]);
    expect(await page.locator('script').count()).toBe(1);
    const foreign = 'img, iframe, object, embed, base, form, video, audio, marquee, template, math';
    expect(await page.locator(foreign).count()).toBe(0);
  });

  it('shows a session that a hook holds as it shows any other run', async () => {
    place.write({
      'session/answer.txt': 'wrong\n',
      'session/agentgate.yaml':
        'task: x\nagent: { run: [sh, x] }\ngates: { check: grep -qx right answer.txt }\n',
    });
    const hook = async (said: object) => {
      const cwd = join(place.workspace, 'session');
      place.write({ '../said.json': JSON.stringify({ session_id: 's-1', cwd, ...said }) });
      const input = openSync(join(place.workspace, '..', 'said.json'), 'r');
      const { ended } = start({ workspace: cwd, env: place.env }, ['hook', 'answer'], input);
      expect((await ended).exit).toBe(0);
      closeSync(input);
    };
    await hook({ hook_event_name: 'UserPromptSubmit', prompt: '/gate Make the answer right' });
    await hook({ hook_event_name: 'Stop' });
    const { page, problems } = await openRun(browser, serving, 'Make the answer right');
    await page.locator('.run-head .pill', { hasText: 'in a session' }).waitFor();
    await page.getByText('Iteration 2: the agent works').waitFor();
    await page.getByRole('heading', { name: 'Iteration 1', exact: true }).waitFor();
    await expect.poll(() => page.locator('.actions').first().innerText()).toMatch(/Redirect\s+Stop/);
    expect(problems).toEqual([]);
  });

  it('is painted within a second', async () => {
    const paintOf = (page: Page) =>
      page.evaluate<number>("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0");
    const times: number[] = [];
    const plain: number[] = [];
    for (let time = 0; time < 5; time++) {
      const { page } = await openAt(browser, serving, '');
      await page.locator('tbody tr').first().waitFor();
      times.push(await paintOf(page));
      // Two lines of text, and no script: what this machine needs for anything at all just now.
      await page.goto(`${serving.url}/login`);
      await expect.poll(() => paintOf(page)).toBeGreaterThan(0);
      plain.push(await paintOf(page));
    }
    // The machine may be busy with other things; what the page needs is the least of them.
    const limit = Math.max(1_000, Math.min(...plain) * 10);
    expect(Math.min(...times)).toBeLessThan(limit);
  });
});
